#include "coordinator/admission.hpp"

#include "api/ipam/ip_pool.hpp"
#include "api/metal3/network.hpp"
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
  CrdController::Admission all;
  for (const api::KindRow& kind : api::everyKind())
    if (kind.rules && kind.rules->update) all[idOf(*kind.stored)].push_back(std::make_shared<KindAdmission>(kind));
  all[idOf(api::HostNetworkAttachment::info)].push_back(attachmentRules(registry));
  all[idOf(api::ipam::IPPool::info)].push_back(poolRules(registry));
  return all;
}

apiserver::KindConverters kindConverters() {
  apiserver::KindConverters all;
  for (const api::KindRow& kind : api::everyKind())
    if (kind.convert) all[idOf(*kind.stored)] = std::make_shared<RowConverter>(kind);
  return all;
}

}  // namespace ingot::coordinator
