// Hosts to decide about: host("available").online().poweredOn()
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/names.hpp"

namespace ingot::cli::tests {

inline const base::WallTime noon = *base::parseTime("2026-01-01T12:00:00Z");

struct HostBuilder {
  api::BareMetalHost host;

  HostBuilder& online(bool yes = true) { return host.spec.online = yes, *this; }
  HostBuilder& powered(bool on) { return host.status.poweredOn = on, *this; }
  HostBuilder& condition(std::string type, std::string status, base::WallTime since = {}) {
    host.status.conditions.push_back(
        {.type = std::move(type), .status = std::move(status), .lastTransitionTime = since, .reason = "Because"});
    return *this;
  }
  HostBuilder& annotation(std::string_view name, std::string value = "") {
    return host.metadata.annotations[std::string(name)] = std::move(value), *this;
  }
  HostBuilder& label(std::string_view name, std::string value) {
    return host.metadata.labels[std::string(name)] = std::move(value), *this;
  }
  // As a release leaves it.
  HostBuilder& keptFor(std::string owner) {
    host.spec.consumerRef = api::ObjectReference{
        .kind = "Cluster", .namespace_ = "metal3", .name = "c1", .apiVersion = "cluster.x-k8s.io/v1beta2"};
    return label("infrastructure.cluster.x-k8s.io/node-reuse", std::move(owner));
  }
  HostBuilder& image(std::string url = "http://images.example/a") {
    return host.spec.image = api::Image{.url = std::move(url)}, *this;
  }
  HostBuilder& failed(std::string type, std::string message, int count = 1) {
    host.status.operationalStatus = "error";
    host.status.errorType = std::move(type);
    host.status.errorMessage = std::move(message);
    host.status.errorCount = count;
    return *this;
  }
  HostBuilder& usedBy(const std::string& machine) {
    host.spec.consumerRef = api::ObjectReference{.kind = "Metal3Machine",
                                                 .namespace_ = "metal3",
                                                 .name = machine,
                                                 .apiVersion = "infrastructure.cluster.x-k8s.io/v1beta2"};
    return *this;
  }
  HostBuilder& deleted() { return host.metadata.deletionTimestamp = base::WallTime{}, *this; }
  operator const api::BareMetalHost&() const { return host; }
};

// On, and wanted so. One that is provisioned runs the image that it should.
inline HostBuilder host(std::string state) {
  HostBuilder b;
  b.host.metadata.name = "node01";
  b.host.metadata.namespace_ = "metal3";
  b.host.status.provisioning.state = std::move(state);
  b.host.spec.bmc = {.address = "redfish://192.0.2.1", .credentialsName = "bmc"};
  if (b.host.status.provisioning.state == "provisioned") {
    b.image();
    b.host.status.provisioning.image.url = b.host.spec.image->url;
  }
  return b.online().powered(true);
}

}  // namespace ingot::cli::tests
