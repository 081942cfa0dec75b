// What the Kubernetes API refuses for good (403, 422) is shown, and holds up nobody who can do without it.
#include "tests/coordinator/host/bench.hpp"

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

}  // namespace
}  // namespace ingot::tests
