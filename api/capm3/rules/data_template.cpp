#include "api/capm3/admission.hpp"

namespace ingot::api::capm3 {

namespace {

void checkHostInterfaces(const v1beta2::MetaData& metaData, FieldErrors& errors) {
  for (std::size_t i = 0; i < metaData.fromHostInterfaces.size(); ++i) {
    const auto& item = metaData.fromHostInterfaces[i];
    const bool fromBootMac = item.fromBootMAC.value_or(false);
    auto field = fmt::format("spec.metaData.fromHostInterfaces.{}.interface", i);
    if (fromBootMac && !item.interface.empty()) {
      errors.invalid(std::move(field), item.interface, "interface must be empty when fromBootMAC is true");
    } else if (!fromBootMac && item.interface.empty()) {
      errors.required(std::move(field), "interface must be specified when fromBootMAC is false");
    }
  }
}

template <class Family>
void checkPools(const std::vector<v1beta2::StaticNetwork<Family>>& networks, std::string_view list,
                FieldErrors& errors) {
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto& network = networks[i];
    const bool named = !network.fromPoolRef.name.empty() || !network.ipAddressFromIPPool.empty() ||
                       !network.fromPoolAnnotation.object.empty();
    if (named) continue;
    errors.required(fmt::format("spec.networkData.networks.{}.{}.fromPoolRef.name", list, i),
                    "fromPoolRef needs to contain a reference to an IPPool");
  }
}

std::vector<std::string> warningsOf(const v1beta2::Metal3DataTemplate& data) {
  if (data.spec.clusterName.empty()) return {};
  return {
      "spec.clusterName is deprecated and will be removed in a future release. It is no longer used by the "
      "controllers."};
}

template <class Part>
void checkSame(std::string field, const Part& before, const Part& after, FieldErrors& errors) {
  if (before != after) errors.invalidObject(std::move(field), json::encode(after), "cannot be modified");
}

}  // namespace

Verdict admitCreate(const v1beta2::Metal3DataTemplate& data) {
  Verdict out{.warnings = warningsOf(data)};
  if (data.spec.metaData) checkHostInterfaces(*data.spec.metaData, out.fields);
  if (data.spec.networkData && data.spec.networkData->networks) {
    checkPools(data.spec.networkData->networks->ipv4, "ipv4", out.fields);
    checkPools(data.spec.networkData->networks->ipv6, "ipv6", out.fields);
  }
  return out;
}

Verdict admitUpdate(const v1beta2::Metal3DataTemplate& before, const v1beta2::Metal3DataTemplate& after) {
  Verdict out{.warnings = warningsOf(after)};
  checkSame("spec.MetaData", before.spec.metaData, after.spec.metaData, out.fields);
  checkSame("spec.NetworkData", before.spec.networkData, after.spec.networkData, out.fields);
  return out;
}

}  // namespace ingot::api::capm3
