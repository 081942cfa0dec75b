// A machine with everything a template may refer to.
#pragma once

#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"

namespace ingot::cloudinit {

struct MachineBench {
  api::capm3::v1beta2::Metal3Data data;
  kube::ObjectMeta machine, metal3Machine;
  api::BareMetalHost host;
  PoolAddresses pools;

  MachineBench() {
    data.metadata.name = "data-7";
    data.metadata.namespace_ = "metal3";
    data.spec.index = 7;
    machine.name = "machine-a";
    machine.namespace_ = "metal3";
    machine.labels = {{"rack", "r12"}};
    metal3Machine.name = "m3m-a";
    metal3Machine.namespace_ = "metal3";
    metal3Machine.annotations = {{"mac", "52-54-00-AA-bb-01"}, {"pool", "green"}};
    host.metadata.name = "host-3";
    host.metadata.namespace_ = "metal3";
    host.spec.bootMACAddress = "52:54:00:00:00:09";
    host.status.hardware.emplace();
    host.status.hardware->nics.push_back({.name = "eth0", .mac = "52:54:00:00:00:01"});
    pools["green"] = {.address = "192.168.0.14", .prefix = 24, .gateway = "192.168.0.1", .dnsServers = {"8.8.8.8"}};
    pools["six"] = {.address = "fd00::14", .prefix = 64, .gateway = "fd00::1"};
    pools["bare"] = {.address = "10.0.0.7"};
  }

  [[nodiscard]] Snapshot snapshot() const {
    return {.data = data, .machine = &machine, .metal3Machine = &metal3Machine, .host = &host, .pools = pools};
  }
  [[nodiscard]] std::string metaData(std::string_view wanted) const {
    return renderMetaData(json::decode<api::capm3::v1beta2::MetaData>(json::parse(wanted)), snapshot());
  }
  [[nodiscard]] std::string networkData(std::string_view wanted) const {
    return renderNetworkData(json::decode<api::capm3::v1beta2::NetworkData>(json::parse(wanted)), snapshot());
  }
  // "" when it is rendered.
  [[nodiscard]] std::string metaDataComplaint(std::string_view wanted) const {
    try {
      static_cast<void>(metaData(wanted));
      return "";
    } catch (const RenderError& error) {
      return error.what();
    }
  }
  [[nodiscard]] std::string networkDataComplaint(std::string_view wanted) const {
    try {
      static_cast<void>(networkData(wanted));
      return "";
    } catch (const RenderError& error) {
      return error.what();
    }
  }
};

}  // namespace ingot::cloudinit
