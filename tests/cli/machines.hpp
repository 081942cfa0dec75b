// Machines to decide about: machine("m1").host("node01").condition("Metal3DataReady", "True")
#pragma once

#include "cli/decide/machine_progress.hpp"
#include "tests/cli/hosts.hpp"

namespace ingot::cli::tests {

struct MachineBuilder {
  MachinePicture picture;

  MachineBuilder& condition(std::string type, std::string status, std::string reason = "Because",
                            std::string message = "") {
    picture.machine.status.conditions.push_back({.type = std::move(type),
                                                 .status = std::move(status),
                                                 .lastTransitionTime = noon - std::chrono::minutes(3),
                                                 .reason = std::move(reason),
                                                 .message = std::move(message)});
    return *this;
  }
  MachineBuilder& label(std::string_view name, std::string value) {
    picture.machine.metadata.labels[std::string(name)] = std::move(value);
    return *this;
  }
  // Linked to a host that is there, and the machine's unless it is somebody else's; or to one that is not there.
  MachineBuilder& on(HostBuilder host) {
    if (!host.host.spec.consumerRef) host.usedBy(picture.machine.metadata.name);
    return onFree(host);
  }
  MachineBuilder& onFree(const HostBuilder& host) {
    return link(host.host.metadata.name), picture.host = host.host, *this;
  }
  MachineBuilder& link(const std::string& host) {
    picture.machine.metadata.annotations["metal3.io/BareMetalHost"] = "metal3/" + host;
    return *this;
  }
  MachineBuilder& associated() {
    return condition("AssociateBareMetalHost", "True"), condition("Metal3DataReady", "True");
  }
  MachineBuilder& id() {
    picture.machine.spec.providerID = "metal3://metal3/node01/" + picture.machine.metadata.name;
    return *this;
  }
  MachineBuilder& node(std::string name) {
    picture.owner->status.nodeRef.name = std::move(name);
    return id();
  }
  // By the coordinator, which names no Node.
  MachineBuilder& provisioned() {
    picture.machine.status.initialization.provisioned = true;
    return id();
  }
  // Where Cluster API sees its Machine.
  MachineBuilder& phase(std::string name) { return picture.owner->status.phase = std::move(name), *this; }
  // What Cluster API says of it.
  MachineBuilder& told(std::string type, std::string status, std::string message) {
    picture.owner->status.conditions.push_back({.type = std::move(type),
                                                .status = std::move(status),
                                                .lastTransitionTime = noon - std::chrono::minutes(7),
                                                .reason = "Because",
                                                .message = std::move(message)});
    return *this;
  }
  MachineBuilder& finalizer(std::string name) {
    return picture.machine.metadata.finalizers.push_back(std::move(name)), *this;
  }
  MachineBuilder& deleted() {
    return picture.machine.metadata.deletionTimestamp = noon - std::chrono::minutes(1), *this;
  }
  MachineBuilder& remediated(std::string phase, int retries) {
    picture.remediation.emplace();
    picture.remediation->metadata.name = picture.owner->metadata.name;
    picture.remediation->status.phase = std::move(phase);
    picture.remediation->status.retryCount = retries;
    for (const char* reason : {"WaitingForPowerOff", "WaitingForDrain"})
      picture.remediationEvents.push_back({.reason = reason, .message = "as it says"});
    picture.remediationEvents.front().lastTimestamp = noon - std::chrono::minutes(2);
    picture.remediationEvents.back().eventTime = json::MicroTime{noon - std::chrono::minutes(1)};
    return *this;
  }
  operator const MachinePicture&() const { return picture; }
};

// Owned by a Machine of its name.
inline MachineBuilder machine(const std::string& name) {
  MachineBuilder b;
  auto& metadata = b.picture.machine.metadata;
  metadata.name = name;
  metadata.namespace_ = "metal3";
  metadata.creationTimestamp = noon - std::chrono::minutes(5);
  metadata.ownerReferences = {{.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "Machine", .name = name, .uid = "u"}};
  b.picture.owner.emplace().metadata.name = name;
  return b;
}

}  // namespace ingot::cli::tests
