// A data template and a machine with its host for tests.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/names.hpp"
#include "api/ipam/ip_pool.hpp"
#include "coordinator/data/references.hpp"
#include "json/value.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::tests {

using api::BareMetalHost;
using api::capi::Cluster;
using coordinator::data::Machine;
using coordinator::data::Metal3Data;
using coordinator::data::Metal3DataClaim;
using coordinator::data::Metal3DataTemplate;
using coordinator::data::Metal3Machine;
using Texts = std::vector<std::string>;

inline const std::string kClusterLabel{api::capm3::label::clusterName};

// Meta data with an index and a name, no networks, no pools.
inline constexpr const char* kPlain = R"({"metaData": {
  "indexes": [{"key": "idx", "step": 1}], "objectNames": [{"key": "name", "object": "machine"}]}})";

// Meta and network data with an address from IPPool prov.
inline constexpr const char* kWithPool = R"({
  "metaData": {"indexes": [{"key": "idx", "step": 1}],
               "ipAddressesFromPool": [{"key": "ip", "name": "prov", "apiGroup": "ipam.metal3.io", "kind": "IPPool"}]},
  "networkData": {
    "links": {"ethernets": [{"id": "eth0", "type": "phy", "mtu": 1500, "macAddress": {"fromHostInterface": "nic0"}}]},
    "networks": {"ipv4": [{"id": "p", "link": "eth0", "ipAddressFromIPPool": "prov",
                           "routes": [{"network": "0.0.0.0", "prefix": 0, "gateway": {"fromIPPool": "prov"}}]}]}}})";

inline Metal3DataTemplate dataTemplate(const char* spec, std::string name = "dt") {
  Metal3DataTemplate out;
  out.metadata = {.name = std::move(name), .namespace_ = "metal"};
  out.spec = json::decode<api::capm3::v1beta2::Metal3DataTemplateSpec>(json::parse(spec));
  return out;
}

inline Cluster clusterC1(bool paused = false) {
  Cluster cluster;
  cluster.metadata = {.name = "c1", .namespace_ = "metal"};
  cluster.spec.paused = paused;
  cluster.spec.infrastructureRef = {.apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = "c1"};
  return cluster;
}

inline Machine machineNamed(std::string name) {
  Machine machine;
  machine.metadata = {.name = name, .namespace_ = "metal"};
  machine.metadata.labels[kClusterLabel] = "c1";
  machine.spec.clusterName = "c1";
  machine.spec.bootstrap.dataSecretName = "boot";
  machine.spec.infrastructureRef = {
      .apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Machine", .name = std::move(name)};
  return machine;
}

inline Metal3Machine metalMachine(const Machine& owner, std::string dataTemplate = "dt") {
  Metal3Machine metal;
  metal.metadata = {.name = owner.metadata.name, .namespace_ = "metal"};
  metal.metadata.labels = owner.metadata.labels;
  metal.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/host-" + owner.metadata.name;
  metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
  metal.spec.customDeploy.method = "install";
  metal.spec.dataTemplate = {.name = std::move(dataTemplate), .namespace_ = "metal"};
  return metal;
}

inline BareMetalHost hostOf(const std::string& machine) {
  BareMetalHost host;
  host.metadata = {.name = "host-" + machine, .namespace_ = "metal"};
  host.spec.consumerRef = {
      .kind = "Metal3Machine", .namespace_ = "metal", .name = machine, .apiVersion = Metal3Machine::info.apiVersion()};
  host.spec.bootMACAddress = "00:11:22:33:44:55";
  return host;
}

inline api::ipam::IPPool poolNamed(std::string name, std::string start, std::string end) {
  api::ipam::IPPool pool;
  pool.metadata = {.name = name, .namespace_ = "metal"};
  pool.spec.pools = {{.start = std::move(start), .end = std::move(end)}};
  pool.spec.prefix = 24;
  pool.spec.gateway = "10.0.0.1";
  pool.spec.namePrefix = std::move(name);
  return pool;
}

}  // namespace ingot::tests
