// The Ironic provisioner over the double, driven as the host controller drives it: one open() a pass.
#pragma once

#include "coordinator/host/ironic/factory.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/progress.hpp"
#include "tests/support/fake_ironic.hpp"
#include "tests/support/loop.hpp"

namespace ingot::tests {

namespace backend = coordinator::host::ironic_backend;
using HostState = api::ProvisioningState;
using coordinator::host::Inspected;
using coordinator::host::Progress;
using coordinator::host::Provisioner;
using coordinator::host::ProvisionerError;
using coordinator::host::RegisterData;
using coordinator::host::Registered;

struct World {
  explicit World(FakeIronicOptions options = {}, backend::Settings settings = {})
      : ironic(loop.runtime, std::move(options)), factory(loop.runtime, net, endpoint(), std::move(settings)) {
    net.serve("http://ironic:6385", ironic);
    host = {.name = "h",
            .namespace_ = "ns",
            .uid = "11111111-2222-4333-8444-555555555555",
            .bmcAddress = "redfish://10.0.0.1/redfish/v1/Systems/1",
            .credentials = {"admin", base::Secret("secret")},
            .bootMacAddress = "02:00:00:00:00:0A"};
    registerData = {.state = HostState::registering,
                    .bootMode = "UEFI",
                    .automatedCleaningMode = "metadata",
                    .cpuArchitecture = "x86_64"};
  }

  [[nodiscard]] static ironic::Settings endpoint() {
    ironic::Settings out;
    out.endpoint = "http://ironic:6385/v1";
    return out;
  }

  // One operation in one pass.
  template <class Operation>
  auto pass(Operation operation) {
    auto provisioner = loop.run(factory.open(
        host, [this](std::string reason, std::string message) { events.push_back(reason + ": " + message); }));
    return loop.run(operation(*provisioner));
  }

  Registered registerOnce(bool credentialsChanged = false, bool restart = false) {
    RegisterData data = registerData;
    data.credentialsChanged = credentialsChanged;
    data.restartOnFailure = restart;
    auto out = pass([&](Provisioner& p) { return p.registerHost(data); });
    if (!out.provisionerId.empty()) host.provisionerId = out.provisionerId;
    return out;
  }

  // Again and again, waiting as told, until it is done or refused. At most an hour.
  template <class Operation>
  auto untilDone(Operation operation) {
    const auto limit = loop.clock.now() + std::chrono::hours(1);
    while (true) {
      auto answer = pass(operation);
      const auto* work = workOf(answer);
      if (work == nullptr) return answer;
      if (loop.clock.now() > limit) throw std::runtime_error("not done after an hour");
      loop.clock.advance(std::max<base::Duration>(work->after, std::chrono::milliseconds(1)));
    }
  }

  Progress registered() {
    const auto out = untilDone([&](Provisioner& p) { return p.registerHost(registerData); });
    host.provisionerId = out.provisionerId;
    return out.progress;
  }

  [[nodiscard]] std::string nodeText(std::string_view key) { return json::textAt(ironic.record("ns~h"), {key}); }

  // A node of this host, directly in `state`.
  void given(ironic::State state, std::string lastError = "") {
    json::Object info{{"redfish_address", "https://10.0.0.1"},
                      {"redfish_system_id", "/redfish/v1/Systems/1"},
                      {"redfish_username", "admin"},
                      {"redfish_password", "secret"}};
    host.provisionerId =
        ironic.add({{"name", "ns~h"},
                    {"driver", "redfish"},
                    {"driver_info", std::move(info)},
                    {"automated_clean", true},
                    {"power_state", "power off"},
                    {"properties", json::Object{{"capabilities", "boot_mode:uefi"}, {"cpu_arch", "x86_64"}}}});
    ironic.put("ns~h", state, std::move(lastError));
  }

  Loop loop;
  net::Loopback net{loop.runtime};
  FakeIronic ironic;
  backend::IronicFactory factory;
  coordinator::host::HostData host;
  RegisterData registerData;
  std::vector<std::string> events;
};

inline coordinator::host::InspectData inspection(std::string mode, coordinator::host::InspectData data) {
  data.bootMode = "UEFI";
  data.cpuArchitecture = "x86_64";
  data.inspectionMode = std::move(mode);
  return data;
}

inline auto inBand(coordinator::host::InspectData flags = {}) { return inspection("agent", std::move(flags)); }
inline auto outOfBand(coordinator::host::InspectData flags = {}) { return inspection("fast", std::move(flags)); }

inline coordinator::host::ProvisionData diskImage(std::string url = "http://images/a.qcow2") {
  return {.image = api::Image{.url = std::move(url), .checksum = "abcd", .checksumType = "sha256", .format = "qcow2"},
          .bootMode = "UEFI"};
}

}  // namespace ingot::tests
