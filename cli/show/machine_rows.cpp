#include "cli/show/machine_rows.hpp"

#include "api/capm3/host_link.hpp"
#include "api/capm3/machine_words.hpp"
#include "cli/decide/machine_progress.hpp"
#include "cli/words/duration.hpp"

#include <algorithm>

namespace ingot::cli {
namespace {

using api::capm3::v1beta2::Metal3Cluster;
using api::capm3::v1beta2::Metal3Machine;
namespace condition = api::capm3::condition;

Row headsOf(RowStyle style, Row heads, Row wide) {
  Row all;
  if (style.withNamespace) all.emplace_back("NAMESPACE");
  append(all, std::move(heads));
  if (style.wide) append(all, std::move(wide));
  return all;
}

Row rowOf(RowStyle style, const kube::ObjectMeta& metadata, Row cells, Row wide) {
  Row row;
  if (style.withNamespace) row.push_back(metadata.namespace_);
  row.push_back(metadata.name);
  append(row, std::move(cells));
  if (style.wide) append(row, std::move(wide));
  return row;
}

std::string hostNameOf(const Metal3Machine& machine) {
  const auto host = api::capm3::linkedHostOf(machine.metadata);
  return host ? host->name : "";
}

std::string addressOf(const Metal3Machine& machine) {
  const auto& all = machine.status.addresses;
  const auto found = std::ranges::find_if(
      all, [](const auto& each) { return each.type == "InternalIP" || each.type == "ExternalIP"; });
  return found == all.end() ? "" : found->address;
}

}  // namespace

Row machineHeads(RowStyle style) {
  return headsOf(style, {"NAME", "CLUSTER", "HOST", "ADDRESS", "READY", "WAITS FOR", "AGE"}, {"PROVIDERID", "MESSAGE"});
}

Row machineRow(const Metal3Machine& machine, RowStyle style, base::WallTime now) {
  const auto* open = firstOpen(machine.status.conditions, {condition::host, condition::data, condition::metaData});
  return rowOf(style, machine.metadata,
               {clusterNameOf(machine.metadata), hostNameOf(machine), addressOf(machine),
                yesNo(machine.status.initialization.provisioned.value_or(false)), open == nullptr ? "" : open->reason,
                ageText(machine.metadata.creationTimestamp, now)},
               {machine.spec.providerID, open == nullptr ? "" : open->message});
}

Row clusterHeads(RowStyle style) {
  return headsOf(style, {"NAME", "CLUSTER", "ENDPOINT", "READY", "WAITS FOR", "AGE"}, {"MESSAGE"});
}

Row clusterRow(const Metal3Cluster& cluster, RowStyle style, base::WallTime now) {
  const auto& endpoint = cluster.spec.controlPlaneEndpoint;
  const auto* open = firstOpen(cluster.status.conditions, {"BaremetalInfrastructureReady", "Ready"});
  return rowOf(
      style, cluster.metadata,
      {clusterNameOf(cluster.metadata), endpoint.host.empty() ? "" : fmt::format("{}:{}", endpoint.host, endpoint.port),
       yesNo(cluster.status.initialization.provisioned.value_or(false)), open == nullptr ? "" : open->reason,
       ageText(cluster.metadata.creationTimestamp, now)},
      {open == nullptr ? "" : open->message});
}

Row addressHeads(RowStyle style) {
  return headsOf(style, {"NAME", "ADDRESS", "POOL", "CLAIM", "AGE"}, {"PREFIX", "GATEWAY"});
}

Row addressRow(const api::ipam::IPAddress& address, RowStyle style, base::WallTime now) {
  return rowOf(
      style, address.metadata,
      {address.spec.address, address.spec.pool.name, address.spec.claim.name,
       ageText(address.metadata.creationTimestamp, now)},
      {address.spec.prefix == 0 ? "" : std::to_string(address.spec.prefix), address.spec.gateway.value_or("")});
}

Row sharedAddressRow(const api::capi_ipam::IPAddress& address, RowStyle style, base::WallTime now) {
  const auto& spec = address.spec;
  return rowOf(style, address.metadata,
               {spec.address, spec.poolRef.name, spec.claimRef.name, ageText(address.metadata.creationTimestamp, now)},
               {spec.prefix.value_or(0) == 0 ? "" : std::to_string(*spec.prefix), spec.gateway});
}

}  // namespace ingot::cli
