// Hosts for tests: aHost(State::available).online().image("http://i/a") reads as what it is.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/host/error_type.hpp"
#include "coordinator/host/state.hpp"

namespace ingot::tests {

// Annotations that several files set.
inline constexpr std::string_view detached = api::annotation::detached;
inline constexpr std::string_view carried = api::annotation::status;
inline constexpr std::string_view details = api::annotation::hardwareDetails;

class HostBuilder {
 public:
  explicit HostBuilder(coordinator::host::State state) {
    host_.metadata.name = "a";
    host_.metadata.namespace_ = "metal";
    host_.metadata.uid = "uid-a";
    host_.metadata.generation = 1;
    host_.metadata.finalizers = {std::string(api::finalizer::host)};
    host_.spec.bmc = {.address = "redfish://10.0.0.1/redfish/v1/Systems/1", .credentialsName = "bmc"};
    host_.spec.automatedCleaningMode = "metadata";
    host_.status.provisioning.state = coordinator::host::text(state);
    host_.status.operationalStatus = "OK";
    host_.status.hardwareProfile = "empty";
  }

  HostBuilder& online(bool on = true) { return host_.spec.online = on, *this; }
  HostBuilder& poweredOn(bool on = true) { return host_.status.poweredOn = on, *this; }
  HostBuilder& image(std::string url) {
    host_.spec.image = api::Image{.url = std::move(url), .checksum = "c"};
    return *this;
  }
  HostBuilder& noImage() { return host_.spec.image.reset(), *this; }
  HostBuilder& deployed(std::string url) {
    host_.status.provisioning.image = api::Image{.url = std::move(url), .checksum = "c"};
    return *this;
  }
  HostBuilder& method(std::string name) { return host_.spec.customDeploy = {.method = std::move(name)}, *this; }
  HostBuilder& deployedMethod(std::string name) {
    host_.status.provisioning.customDeploy = {.method = std::move(name)};
    return *this;
  }
  HostBuilder& annotated(std::string_view name, std::string value = "") {
    host_.metadata.annotations[std::string(name)] = std::move(value);
    return *this;
  }
  HostBuilder& failed(coordinator::host::ErrorType type, int count = 1) {
    host_.status.operationalStatus = "error";
    host_.status.errorType = coordinator::host::text(type);
    host_.status.errorMessage = "it broke";
    host_.status.errorCount = count;
    return *this;
  }
  HostBuilder& deletedAt(base::WallTime when) { return host_.metadata.deletionTimestamp = when, *this; }
  HostBuilder& beingDeleted() { return deletedAt(base::WallTime(std::chrono::hours(24))); }
  template <class Edit>
  HostBuilder& with(Edit edit) {
    edit(host_);
    return *this;
  }

  operator api::BareMetalHost() const { return host_; }
  [[nodiscard]] api::BareMetalHost build() const { return host_; }

 private:
  api::BareMetalHost host_;
};

[[nodiscard]] inline HostBuilder aHost(coordinator::host::State state) { return HostBuilder(state); }

}  // namespace ingot::tests
