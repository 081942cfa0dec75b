#include "cloudinit/network_data.hpp"

#include "cloudinit/network/sections.hpp"
#include "cloudinit/network/services.hpp"

namespace ingot::cloudinit {

std::string renderNetworkData(const api::capm3::v1beta2::NetworkData& wanted, const Snapshot& snapshot) {
  const Field root("networkData");
  Refusals refusals;
  json::Object out{{"links", json::Array()}, {"networks", json::Array()}, {"services", json::Array()}};
  if (wanted.links) out["links"] = network::renderLinks(root.member("links"), *wanted.links, snapshot);
  if (wanted.networks)
    out["networks"] = network::renderNetworks(root.member("networks"), *wanted.networks, {snapshot, refusals});
  if (wanted.services) out["services"] = network::renderServices(root.member("services"), *wanted.services, snapshot);
  std::string text = writeDocument(root, out);
  refusals.raise();
  return text;
}

}  // namespace ingot::cloudinit
