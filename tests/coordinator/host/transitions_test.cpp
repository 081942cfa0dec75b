// Every row of the transition table (spec/baremetalhost.md §7.2), one test a row.
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::ErrorType;
using host::Refused;
using host::State;

TEST_CASE("a new host with BMC details is registered", "[host][transition]") {
  Bench b(aHost(State::none));
  CHECK(b.pass() == 0s);
  CHECK(b.state() == State::registering);
  CHECK(b.it.status.provisioning.bootMode == "UEFI");
  CHECK(b.it.status.operationHistory.register_.start);
  CHECK(b.script.calls.empty());  // nothing is done before the state is saved
}

TEST_CASE("a new host without BMC details is only discovered", "[host][transition]") {
  Bench b(aHost(State::none).with([](auto& h) { h.spec.bmc = {}; }));
  b.pass();
  CHECK(b.state() == State::unmanaged);
  CHECK(b.it.status.operationalStatus == "discovered");
  CHECK(b.told("Discovered"));
  CHECK(b.pass() == 10min);
}

TEST_CASE("an unmanaged host that gets BMC details is registered", "[host][transition]") {
  Bench b(aHost(State::unmanaged));
  b.pass();
  CHECK(b.state() == State::registering);
}

TEST_CASE("a registered host is inspected", "[host][transition]") {
  Bench b(aHost(State::registering).failed(ErrorType::registration, 3));
  CHECK(b.pass() == 0s);
  CHECK(b.state() == State::inspecting);
  CHECK(b.it.status.errorCount == 0);
  CHECK(b.it.status.operationalStatus == "OK");
  CHECK(b.it.status.operationHistory.inspect.start);
}

TEST_CASE("a registered host with inspection disabled is prepared", "[host][transition]") {
  Bench b(aHost(State::registering).with([](auto& h) { h.spec.inspectionMode = "disabled"; }));
  b.pass();
  CHECK(b.state() == State::preparing);
}

TEST_CASE("an inspected host is prepared, its hardware recorded", "[host][transition]") {
  Bench b(aHost(State::inspecting).failed(ErrorType::inspection, 2));
  b.pass();
  CHECK(b.state() == State::preparing);
  CHECK(b.it.status.hardware->ramMebibytes == 1024);
  CHECK(b.cluster.hardware->ramMebibytes == 1024);
  CHECK(b.it.status.errorCount == 0);
  CHECK(b.script.restarted);  // the failure was known
}

TEST_CASE("a host whose inspection is disabled meanwhile skips it", "[host][transition]") {
  Bench b(aHost(State::inspecting).annotated(api::annotation::inspect, "disabled"));
  b.pass();
  CHECK(b.state() == State::preparing);
  CHECK(b.told("InspectionSkipped"));
  CHECK(b.script.count("inspect") == 0);
}

TEST_CASE("a request for an inspection that is disabled is dropped, not followed in circles", "[host][transition]") {
  for (const State state : {State::available, State::ready, State::inspecting}) {
    INFO(text(state));
    Bench b(aHost(state).annotated(api::annotation::inspect).with([](auto& h) { h.spec.inspectionMode = "disabled"; }));
    b.pass();
    CHECK(b.told("InspectionSkipped"));
    CHECK(b.it.metadata.annotations.empty());
    for (int i = 0; i < 3 && b.pass() == 0s; ++i) continue;
    CHECK(b.pass() == 60s);
    CHECK(b.script.count("inspect") == 0);
  }
}

TEST_CASE("match profile, a state of old versions, leads to preparing", "[host][transition]") {
  Bench b(aHost(State::matchProfile));
  b.pass();
  CHECK(b.state() == State::preparing);
}

TEST_CASE("a prepared host is available", "[host][transition]") {
  Bench b(aHost(State::preparing).failed(ErrorType::preparation, 1));
  b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.it.status.errorCount == 0);
}

TEST_CASE("an available host is inspected again on request", "[host][transition]") {
  for (const State state : {State::available, State::ready}) {
    Bench b(aHost(state).annotated(api::annotation::inspect));
    b.pass();
    CHECK(b.state() == State::inspecting);
  }
}

TEST_CASE("an available host whose settings changed is prepared again", "[host][transition]") {
  Bench b(aHost(State::available).with([](auto& h) {
    h.spec.raid = api::RaidConfig{};
    h.spec.raid->softwareRAIDVolumes.emplace(1, api::SoftwareRaidVolume{.level = "1"});
  }));
  b.pass();
  CHECK(b.state() == State::preparing);
}

TEST_CASE("an available host with an image is provisioned", "[host][transition]") {
  Bench b(aHost(State::available).online().image("http://i/a").failed(ErrorType::powerManagement));
  b.pass();
  CHECK(b.state() == State::provisioning);
  CHECK(b.it.status.errorType.empty());  // an old error must not look like a failed provisioning
  CHECK(b.it.status.lastAttemptedImage == b.it.spec.image);
}

TEST_CASE("an available host that is to stay off is not provisioned", "[host][transition]") {
  Bench b(aHost(State::available).image("http://i/a"));
  CHECK(b.pass() == 60s);
  CHECK(b.state() == State::available);
}

TEST_CASE("an image that changes while it is deployed is never recorded for another one on the disk",
          "[host][transition]") {
  const auto deploying = [](auto change) {
    return aHost(State::provisioning).online().image("http://i/a").with([change](auto& h) {
      h.status.lastAttemptedImage = *h.spec.image;
      change(*h.spec.image);
    });
  };
  for (const auto& change : std::vector<std::function<void(api::Image&)>>{
           [](auto& image) { image.url = "http://i/b"; }, [](auto& image) { image.checksum = "other"; },
           [](auto& image) { image.format = "live-iso"; }}) {
    Bench b(deploying(change));
    b.pass();
    CHECK(b.state() == State::deprovisioning);
    CHECK(b.script.count("provision") == 0);
    CHECK(b.it.status.lastAttemptedImage->url == "http://i/a");
    b.pass();
    b.pass();
    CHECK(b.state() == State::provisioning);
    b.pass();
    CHECK(b.state() == State::provisioned);
    CHECK(b.it.status.provisioning.image == *b.it.spec.image);
  }
  Bench other(deploying([](auto& image) { image.ociAuthSecretName = "pull"; }));  // the same image all the same
  other.pass();
  CHECK(other.state() == State::provisioned);
}

TEST_CASE("a provisioned image completes the provisioning", "[host][transition]") {
  Bench b(aHost(State::provisioning).online().image("http://i/a").with([](auto& h) {
    h.status.provisioningFailCount = 2;
  }));
  b.pass();
  CHECK(b.state() == State::provisioned);
  CHECK(b.it.status.provisioning.image.url == "http://i/a");
  CHECK(b.it.status.provisioningFailCount == 0);
  CHECK(b.it.status.poweredOn);
}

TEST_CASE("a failed provisioning is cleaned up before it is tried again", "[host][transition]") {
  Bench b(aHost(State::provisioning).online().image("http://i/a"));
  b.script.answer("provision", Refused{"no space"});
  CHECK(b.pass() > 1min);
  CHECK(b.state() == State::provisioning);
  CHECK(b.it.status.errorType == "provisioning error");
  b.pass();
  CHECK(b.state() == State::deprovisioning);
  CHECK(b.it.status.provisioningFailCount == 1);
  CHECK(b.it.status.errorType == "provisioning error");
}

TEST_CASE("an image that is withdrawn while it is written is deprovisioned", "[host][transition]") {
  Bench b(aHost(State::provisioning).online());
  b.pass();
  CHECK(b.state() == State::deprovisioning);
  CHECK(b.script.count("provision") == 0);
}

TEST_CASE("a provisioned host whose image changes is deprovisioned", "[host][transition]") {
  Bench b(aHost(State::provisioned).online().image("http://i/b").deployed("http://i/a"));
  b.pass();
  CHECK(b.state() == State::deprovisioning);
}

TEST_CASE("a provisioned host stays so", "[host][transition]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u"));
  b.script.on = true;
  CHECK(b.pass() == 60s);
  CHECK(b.state() == State::provisioned);
  CHECK(b.script.count("adopt") == 1);
}

TEST_CASE("a deprovisioned host is available again and knows no image", "[host][transition]") {
  Bench b(aHost(State::deprovisioning).deployed("u").failed(ErrorType::provisioning, 2));
  b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.it.status.provisioning.image.url.empty());
  CHECK(b.it.status.errorCount == 0);
  CHECK(b.script.restarted);
}

TEST_CASE("an unknown state is an error, not a guess", "[host][transition]") {
  Bench b(aHost(State::available).with([](auto& h) { h.status.provisioning.state = "levitating"; }));
  CHECK_THROWS_WITH(b.pass(), "no handler found for state \"levitating\"");
}

}  // namespace
}  // namespace ingot::tests
