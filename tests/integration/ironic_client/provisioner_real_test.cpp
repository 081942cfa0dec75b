// The provisioner of hosts on the double and on a real Ironic. The node is fake hardware that we make beforehand; the
// provisioner finds it by its name, as after a restart.
#include "coordinator/host/ironic/factory.hpp"
#include "tests/coordinator/progress.hpp"
#include "tests/integration/ironic_client/server.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace ingot::coordinator::host;
using ironic_backend::IronicFactory;

namespace {

struct Host {
  Host(IronicServer& server, std::string name, std::string mac)
      : clock(server.runtime().clock),
        client(server.runtime(), server.transport(), server.settings()),
        factory(server.runtime(), server.transport(), server.settings(), {}),
        data{.name = std::move(name),
             .namespace_ = "ns",
             .uid = "41111111-2222-4333-8444-555555555555",
             .bmcAddress = "redfish://127.0.0.1:1/redfish/v1/Systems/1",
             .credentials = {"admin", base::Secret("secret")},
             .bootMacAddress = std::move(mac)} {}

  base::Clock& clock;
  ironic::Client client;
  IronicFactory factory;
  HostData data;
  RegisterData registerData{.state = api::ProvisioningState::registering,
                            .bootMode = "UEFI",
                            .automatedCleaningMode = "metadata",
                            .cpuArchitecture = "x86_64"};
  std::vector<std::string> events;

  base::Task<std::unique_ptr<Provisioner>> open() {
    return factory.open(data, [this](std::string reason, std::string) { events.push_back(std::move(reason)); });
  }

  base::Task<void> makeNode() {
    static_cast<void>(co_await client.probe());
    json::Object record{{"name", "ns~" + data.name},  {"driver", "fake-hardware"},   {"boot_interface", "fake"},
                        {"deploy_interface", "fake"}, {"inspect_interface", "fake"}, {"management_interface", "fake"},
                        {"power_interface", "fake"},  {"raid_interface", "fake"}};
    static_cast<void>(co_await client.createNode(std::move(record)));
  }

  base::Task<Progress> registered() {
    for (int i = 0; i < 100; ++i) {
      const auto provisioner = co_await open();
      const Registered out = co_await provisioner->registerHost(registerData);
      if (!out.provisionerId.empty()) data.provisionerId = out.provisionerId;
      const auto* work = workOf(out);
      if (work == nullptr) co_return out.progress;
      co_await clock.sleepFor(work->after);
    }
    throw std::runtime_error("registration does not end");
  }

  base::Task<Progress> until(base::Task<Progress> (*operation)(Provisioner&)) {
    for (int i = 0; i < 600; ++i) {
      const auto provisioner = co_await open();
      Progress progress = co_await operation(*provisioner);
      const auto* work = workOf(progress);
      if (work == nullptr) co_return progress;
      co_await clock.sleepFor(std::min<base::Duration>(work->after, std::chrono::seconds(1)));
      co_await factory.lookNow();
    }
    throw std::runtime_error("the operation does not end");
  }
};

ProvisionData image() {
  return {
      .image =
          api::Image{.url = "http://127.0.0.1:1/a.img", .checksum = "abcd", .checksumType = "sha256", .format = "raw"},
      .bootMode = "UEFI"};
}

base::Task<void> life(Host& host) {
  co_await host.makeNode();
  CHECK(isDone(co_await host.registered()));
  CHECK(isDone(co_await host.until([](Provisioner& p) { return p.provision(image()); })));
  CHECK(isDone(
      co_await host.until([](Provisioner& p) { return p.adopt({.state = api::ProvisioningState::provisioned}); })));
  CHECK(isDone(co_await host.until([](Provisioner& p) { return p.powerOff({}, "metadata"); })));
  CHECK(isDone(co_await host.until([](Provisioner& p) { return p.powerOn({}); })));
  CHECK(
      isDone(co_await host.until([](Provisioner& p) { return p.deprovision({.automatedCleaningMode = "metadata"}); })));
  CHECK(isDone(co_await host.until([](Provisioner& p) { return p.remove(); })));
  CHECK_FALSE(co_await host.client.findNode("ns~" + host.data.name));
}

base::Task<void> adoption(Host& host) {
  co_await host.makeNode();
  host.registerData.state = api::ProvisioningState::provisioned;
  CHECK(isDone(co_await host.registered()));
  CHECK(isDone(
      co_await host.until([](Provisioner& p) { return p.adopt({.state = api::ProvisioningState::provisioned}); })));
  CHECK((co_await host.client.findNode(host.data.provisionerId))->state() == ironic::State::active);
  CHECK(isDone(co_await host.until([](Provisioner& p) { return p.remove(); })));
}

void check(const char* name, const char* mac, base::Task<void> (*body)(Host&)) {
  onBoth([&](IronicServer& server, const char* which) {
    INFO("on the " << which);
    Host host(server, name, mac);
    server.run(body(host));
  });
}

}  // namespace

TEST_CASE("the provisioner takes a host through its life") { check("life", "02:00:00:00:0b:01", life); }
TEST_CASE("a host that Ironic forgot is adopted") { check("adoption", "02:00:00:00:0b:02", adoption); }
