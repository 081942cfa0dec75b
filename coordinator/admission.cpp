#include "coordinator/admission.hpp"

#include "api/capm3/conversion/convert.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/admission/attachments.hpp"
#include "coordinator/admission/kind_admission.hpp"

namespace ingot::coordinator {

void carryOut(Ruling ruling, bool replay, apiserver::Warnings& warnings) {
  if (ruling.refusal) throw apiserver::ApiError(std::move(*ruling.refusal), std::move(ruling.warnings));
  if (!replay) std::move(ruling.warnings.begin(), ruling.warnings.end(), std::back_inserter(warnings));
}

namespace {

using apiserver::CrdController;

apiserver::GroupResource idOf(const kube::KindInfo& kind) {
  return {std::string(kind.group), std::string(kind.plural)};
}

template <kube::Kind... Kinds>
void add(CrdController::Admission& to) {
  (to[idOf(Kinds::info)].push_back(std::make_shared<KindAdmission<Kinds>>()), ...);
}

class Capm3Converter final : public apiserver::KindConverter {
 public:
  [[nodiscard]] json::Value convert(const json::Value& object, const std::string& version) const override {
    return api::capm3::convert(object, version);
  }
};

}  // namespace

CrdController::Admission admissionRules(const apiserver::Registry& registry) {
  namespace capm3 = api::capm3::v1beta2;
  CrdController::Admission all;
  add<api::BareMetalHost, api::BMCEventSubscription, api::DataImage, api::HostClaim, api::HostFirmwareComponents>(all);
  add<capm3::Metal3Cluster, capm3::Metal3ClusterTemplate, capm3::Metal3Machine, capm3::Metal3MachineTemplate,
      capm3::Metal3DataTemplate, capm3::Metal3Data, capm3::Metal3DataClaim, capm3::Metal3Remediation,
      capm3::Metal3RemediationTemplate>(all);
  add<api::ipam::IPPool, api::ipam::IPClaim, api::ipam::IPAddress>(all);
  all[idOf(api::HostNetworkAttachment::info)].push_back(attachmentRules(registry));
  return all;
}

apiserver::KindConverters kindConverters() {
  return {{std::string(api::capm3::kGroup), std::make_shared<Capm3Converter>()}};
}

}  // namespace ingot::coordinator
