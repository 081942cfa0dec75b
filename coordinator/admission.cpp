#include "coordinator/admission.hpp"

#include "api/capm3/conversion/convert.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/metal3/network.hpp"
#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {

namespace {

using apiserver::CrdController;

apiserver::GroupResource idOf(const kube::KindInfo& kind) {
  return {std::string(kind.group), std::string(kind.plural)};
}

class Capm3Converter final : public apiserver::KindConverter {
 public:
  [[nodiscard]] json::Value convert(const json::Value& object, const std::string& version) const override {
    return api::capm3::convert(object, version);
  }
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
  return {{std::string(api::capm3::kGroup), std::make_shared<Capm3Converter>()}};
}

}  // namespace ingot::coordinator
