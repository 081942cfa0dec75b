// A refusal of the Kubernetes API that lasts (403, 422) is shown, and stops no host that can do without the object.
#include "tests/coordinator/host/bench.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;

TEST_CASE("config data that the API refuses is shown, and tried again in growing pauses", "[host][config]") {
  struct Row {
    std::string key;
    std::function<void(api::BareMetalHost&)> names;
  };
  const Row row = GENERATE(values<Row>({
      {"userData", [](auto& h) { h.spec.userData = api::SecretReference{.name = "s"}; }},
      {"metaData", [](auto& h) { h.spec.metaData = api::SecretReference{.name = "s"}; }},
      {"networkData", [](auto& h) { h.spec.networkData = api::SecretReference{.name = "s"}; }},
  }));
  const auto code = GENERATE(kube::Error::Code::forbidden, kube::Error::Code::invalid);
  Bench b(aHost(State::available).online().image("u").with(row.names));
  b.cluster.add("s", {{"value", "x"}});
  b.cluster.claimsRefused = code;
  CHECK(b.pass() >= 1min);
  CHECK(b.it.status.errorType == "provisioning error");
  CHECK(b.it.status.errorMessage == row.key + " secret metal/s cannot be read and labelled: refused");
  CHECK(b.told("ProvisioningError"));
  CHECK(b.pass() >= 2min);
  b.cluster.claimsRefused.reset();
  b.pass();
  CHECK(b.state() == State::provisioning);
}

TEST_CASE("the ramdisk's network data and a pull secret that the API refuses are shown", "[host][config]") {
  Bench ramdisk(aHost(State::inspecting).with([](auto& h) { h.spec.preprovisioningNetworkDataName = "s"; }));
  ramdisk.cluster.add("s", {{"networkData", "{}"}});
  ramdisk.cluster.claimsRefused = kube::Error::Code::forbidden;
  CHECK(ramdisk.pass() >= 1min);
  CHECK(ramdisk.it.status.errorMessage ==
        "failed to read preprovisioningNetworkData: networkData secret metal/s cannot be read and labelled: refused");

  Bench pull(aHost(State::provisioning).online().image("oci://r/i").with([](auto& h) {
    h.spec.image->ociAuthSecretName = "s";
  }));
  pull.cluster.add("s", {});
  pull.cluster.claimsRefused = kube::Error::Code::forbidden;
  pull.pass();
  CHECK(pull.it.status.errorMessage == "auth secret \"s\" cannot be read and labelled: refused");
}

TEST_CASE("HardwareData that may not be written is shown, and written later without another inspection",
          "[host][inspect]") {
  Bench b(aHost(State::inspecting));
  b.cluster.hardwareRefused = kube::Error::Code::forbidden;
  CHECK(b.pass() >= 1min);
  CHECK(b.it.status.errorType == "inspection error");
  CHECK(b.it.status.errorMessage == "the HardwareData cannot be written: refused");
  CHECK(b.told("InspectionError"));
  b.cluster.hardwareRefused.reset();
  b.pass();
  CHECK(b.state() == State::preparing);
  CHECK(b.cluster.hardware);
}

TEST_CASE("an answer of any length leaves a status that the API takes, and an Event", "[host][controller]") {
  World w;
  w.create(aHost(State::none).online().image("http://i/a"));
  REQUIRE(w.reaches("provisioned"));
  w.settle(5s);
  std::string text;
  while (text.size() < 100000) text += "straße ";
  w.script.alwaysFail("register", text);
  w.settle(2min);
  CHECK(w.get().status.errorType == "registration error");
  CHECK(w.get().status.errorMessage.size() > 32000);
  CHECK(w.get().status.errorMessage.size() <= 32768);
  for (const auto& event : w.events()) CHECK(event.message.size() <= 1024);
  CHECK(std::ranges::count(w.eventReasons(), "RegistrationError") == 1);
}

}  // namespace
}  // namespace ingot::tests
