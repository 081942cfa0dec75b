#include "coordinator/admission.hpp"

#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {

namespace {

using apiserver::CrdController;

apiserver::GroupResource idOf(const kube::KindInfo& kind) {
  return {std::string(kind.group), std::string(kind.plural)};
}

class RowConverter final : public apiserver::KindConverter {
 public:
  explicit RowConverter(const api::KindRow& kind) : kind_(kind) {}

  [[nodiscard]] json::Value convert(const json::Value& object, const std::string& version) const override {
    return kind_.convert(object, version);
  }

 private:
  const api::KindRow& kind_;  // of the one list
};

}  // namespace

CrdController::Admission admissionRules(const apiserver::Registry& registry) {
  const auto others = std::make_shared<RegistryObjects>(registry);
  CrdController::Admission all;
  for (const api::KindRow& kind : api::everyKind())
    if (kind.rules) all[idOf(*kind.stored)].push_back(std::make_shared<KindAdmission>(kind, others));
  return all;
}

apiserver::KindConverters kindConverters() {
  apiserver::KindConverters all;
  for (const api::KindRow& kind : api::everyKind())
    if (kind.convert) all[idOf(*kind.stored)] = std::make_shared<RowConverter>(kind);
  return all;
}

}  // namespace ingot::coordinator
