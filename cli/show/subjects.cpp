#include "cli/show/subjects.hpp"

#include "cli/show/machine_rows.hpp"
#include "kube/client/client.hpp"

#include <stdexcept>

namespace ingot::cli {
namespace {

template <class T, Row (*rowOf)(const T&, RowStyle, base::WallTime)>
Row decoded(const json::Value& object, RowStyle style, base::WallTime now) {
  return rowOf(kube::decodeObject<T>(object), style, now);
}

template <class T, Row (*rowOf)(const T&, RowStyle, base::WallTime)>
SubjectInfo entry(std::string_view plural, std::string_view singular, bool namespaced, Row (*heads)(RowStyle)) {
  return {plural, singular, T::info, namespaced, heads, decoded<T, rowOf>};
}

// Of a claim of either group: our address management gives both from one pool.
SubjectInfo addressEntry() {
  using Own = api::ipam::IPAddress;
  using Shared = api::capi_ipam::IPAddress;
  SubjectInfo info = entry<Own, addressRow>("addresses", "address", true, addressHeads);
  info.row = [](const json::Value& object, RowStyle style, base::WallTime now) {
    const bool isShared = json::textAt(object, {"apiVersion"}).starts_with(Shared::info.group);
    if (!isShared) return addressRow(kube::decodeObject<Own>(object), style, now);
    return sharedAddressRow(kube::decodeObject<Shared>(object), style, now);
  };
  info.also = &Shared::info;
  return info;
}

}  // namespace

const SubjectInfo& infoOf(Subject subject) {
  using api::capm3::v1beta2::Metal3Cluster;
  using api::capm3::v1beta2::Metal3Machine;
  static const auto hosts = entry<api::BareMetalHost, hostRow>("hosts", "host", true, hostHeads);
  static const auto agents = entry<api::ProvisioningAgent, agentRow>("agents", "agent", false, agentHeads);
  static const auto machines = entry<Metal3Machine, machineRow>("machines", "machine", true, machineHeads);
  static const auto clusters = entry<Metal3Cluster, clusterRow>("clusters", "cluster", true, clusterHeads);
  static const auto addresses = addressEntry();
  switch (subject) {
    case Subject::hosts: return hosts;
    case Subject::agents: return agents;
    case Subject::machines: return machines;
    case Subject::clusters: return clusters;
    case Subject::addresses: return addresses;
  }
  throw std::logic_error("a subject without a table");
}

}  // namespace ingot::cli
