// What happens before a state's own work (spec/baremetalhost.md §7.1, §7.5, §8.1).
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::ErrorType;
using host::Refused;
using host::State;
using host::Working;

TEST_CASE("a registration under way keeps the host where it is, with the node's id saved", "[host][registration]") {
  Bench b(aHost(State::registering));
  b.it.status.provisioning.ID.clear();
  b.script.answer("register", Working{3s});
  CHECK(b.pass() == 3s);
  CHECK(b.state() == State::registering);
  CHECK(b.it.status.provisioning.ID == "node-1");
}

TEST_CASE("a refused registration is shown, counted and tried afresh after the back-off", "[host][registration]") {
  Bench b(aHost(State::registering));
  b.script.answer("register", Refused{"wrong password"});
  b.script.answer("register", Refused{"wrong password"});
  CHECK(b.pass() > 1min);
  CHECK(b.it.status.errorMessage == "wrong password");
  CHECK(b.told("RegistrationError"));
  CHECK(b.pass() > 2min);
  CHECK(b.it.status.errorCount == 2);
  CHECK(b.script.restarted);
}

TEST_CASE("new credentials are verified before a provisioned host's work goes on", "[host][registration]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u").failed(ErrorType::powerManagement));
  b.access->secretVersion = "2";
  CHECK(b.pass() == 0s);
  CHECK(b.script.registered.credentialsChanged);
  CHECK(b.it.status.goodCredentials.credentialsVersion == "2");
  CHECK(b.it.status.triedCredentials.credentialsVersion == "2");
  CHECK(b.it.status.errorType.empty());
  CHECK(b.told("BMCAccessValidated"));
  CHECK(b.it.status.operationHistory.register_.end);
  CHECK(b.script.count("adopt") == 0);  // saved first
  CHECK(b.state() == State::provisioned);
}

TEST_CASE("credentials that do not work leave the last good ones on record", "[host][registration]") {
  Bench b(aHost(State::provisioned).online().image("u").deployed("u"));
  b.access->secretVersion = "2";
  b.script.answer("register", Refused{"refused"});
  b.pass();
  CHECK(b.it.status.goodCredentials.credentialsVersion == "1");
  CHECK(b.it.status.triedCredentials.credentialsVersion == "2");
}

TEST_CASE("new credentials that the backend has not taken are told again, and not called verified",
          "[host][registration]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u"));
  b.script.on = true;
  b.access->secretVersion = "2";
  b.script.credentialsTold = false;
  b.pass();
  CHECK(b.script.count("adopt") == 1);  // the host's own work goes on
  b.script.answer("register", Refused{"conflict"});
  b.pass();
  CHECK(b.it.status.triedCredentials.credentialsVersion == "1");
  CHECK(b.it.status.goodCredentials.credentialsVersion == "1");
  CHECK_FALSE(b.told("BMCAccessValidated"));

  b.script.credentialsTold = true;
  b.pass();
  CHECK(b.script.registered.credentialsChanged);
  CHECK(b.it.status.triedCredentials.credentialsVersion == "2");
  CHECK(b.it.status.goodCredentials.credentialsVersion == "2");
  CHECK(b.told("BMCAccessValidated"));
}

TEST_CASE("the Secret that was used before is let go once the new one works", "[host][registration]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u"));
  b.access = host::BmcAccess{"other", "7", {"admin", base::Secret("secret")}};
  b.script.answer("register", Refused{"refused"});
  b.pass();
  b.cluster.former = {"former"};
  CHECK(b.cluster.released.empty());
  b.pass();
  CHECK(b.it.status.goodCredentials.credentials->name == "other");
  CHECK(b.cluster.released == std::set<std::string>{"former"});
}

TEST_CASE("power that nobody may look at is not called known", "[host][registration]") {
  Bench b(aHost(State::provisioned).online().poweredOn().image("u").deployed("u"));
  const auto known = [&] { return kube::findCondition(b.it.status.conditions, "PowerStateKnown")->status; };
  b.script.on = true;
  b.pass();
  REQUIRE(known() == "True");
  b.script.answer("register", Refused{"the BMC refused the password"});
  b.pass();
  CHECK(known() == "Unknown");
  CHECK(b.it.status.poweredOn);
  b.pass();
  b.pass();
  CHECK(known() == "True");
}

TEST_CASE("what Ironic says is shown without the secrets in it", "[host][registration]") {
  Bench b(aHost(State::registering));
  b.script.answer("register", Refused{"login as admin/hunter22 at https://admin:hunter22@10.0.0.1 failed"});
  b.pass();
  CHECK(b.it.status.errorMessage == "login as admin/*** at https://***@10.0.0.1 failed");
  b.script.throws["register"] = "PATCH with hunter22 refused";
  CHECK_THROWS_WITH(b.pass(), "failed to validate BMC access: PATCH with *** refused");
}

TEST_CASE("a registration error is over when the backend has no objection, told or not", "[host][registration]") {
  Bench b(aHost(State::provisioning).online().image("u").failed(ErrorType::registration));
  b.access->secretVersion = "2";
  b.script.credentialsTold = false;
  b.script.answer("provision", Working{10s});
  b.pass();
  CHECK(b.state() == State::provisioning);  // and no failure of the deployment
  CHECK(b.it.status.errorType.empty());
}

TEST_CASE("a node that was made anew gets its settings again", "[host][registration]") {
  Bench b(aHost(State::preparing));
  b.it.status.provisioning.raid.emplace().softwareRAIDVolumes.emplace(1, api::SoftwareRaidVolume{.level = "1"});
  b.script.provisionerId = "node-2";
  CHECK(b.pass() == 0s);
  CHECK(b.it.status.provisioning.ID == "node-2");
  CHECK_FALSE(b.it.status.provisioning.raid->softwareRAIDVolumes);
}

TEST_CASE("what is deployed is told to the backend for adoption", "[host][registration]") {
  const auto told = [](HostBuilder builder) {
    Bench b(builder);
    b.pass();
    return b.script.registered.currentImage ? b.script.registered.currentImage->url : "";
  };
  CHECK(told(aHost(State::available).image("new")).empty());
  CHECK(told(aHost(State::provisioning).online().image("new")) == "new");
  CHECK(told(aHost(State::provisioned).image("new").deployed("old")) == "old");
}

TEST_CASE("the ramdisk's network data and the cards that were found go to the backend", "[host][registration]") {
  Bench b(aHost(State::inspecting).with([](auto& h) {
    h.spec.preprovisioningNetworkDataName = "net";
    h.status.hardware.emplace().nics.push_back({.mac = "00:11:22:33:44:55", .pxe = true});
  }));
  CHECK(b.pass().value() <= 12s);
  CHECK(b.it.status.errorMessage ==
        "failed to read preprovisioningNetworkData: networkData secret metal/net does not exist");
  b.cluster.add("net", {{"networkData", "links: []"}});
  b.pass();
  CHECK(b.script.registered.preprovisioningNetworkData.reveal() == "links: []");
  CHECK(b.script.registered.nics.size() == 1);
}

TEST_CASE("an unknown profile is the user's mistake", "[host][registration]") {
  Bench b(aHost(State::registering));
  b.it.status.hardwareProfile.clear();
  b.it.spec.hardwareProfile = "levitating";
  b.pass();
  CHECK(b.it.status.errorMessage == "no hardware profile named \"levitating\"");
}

TEST_CASE("a backend that cannot be asked changes nothing", "[host][registration]") {
  Bench b(aHost(State::available));
  b.script.throws["register"] = "connection refused";
  const auto before = b.it;
  CHECK_THROWS_WITH(b.pass(), "failed to validate BMC access: connection refused");
}

TEST_CASE("a host waits for a slot before it is inspected, provisioned or deprovisioned", "[host][capacity]") {
  Bench b(aHost(State::registering));
  b.script.capacity = false;
  CHECK(b.pass() >= 1min);
  CHECK(b.state() == State::registering);
  CHECK(b.it.status.operationalStatus == "delayed");
  CHECK(b.pass() >= 1min);
  b.script.capacity = true;
  CHECK(b.pass() == 0s);
  CHECK(b.it.status.operationalStatus == "OK");
  b.pass();
  CHECK(b.state() == State::inspecting);
}

TEST_CASE("a wait for a slot does not wipe the error from before it", "[host][capacity]") {
  Bench b(aHost(State::inspecting).failed(ErrorType::inspection, 2));
  b.script.capacity = false;
  b.pass();
  CHECK(b.it.status.operationalStatus == "delayed");
  b.script.capacity = true;
  CHECK(b.pass() == 0s);
  CHECK(b.it.status.operationalStatus == "error");
  CHECK(b.it.status.errorMessage == "it broke");
  CHECK(b.it.status.errorCount == 2);
  b.script.answer("inspect", host::Working{10s});
  b.pass();
  CHECK(b.script.restarted);  // the inspection is known to have failed, and begun again
}

TEST_CASE("a host at work whose slot is gone waits where it is", "[host][capacity]") {
  Bench b(aHost(State::provisioning).online().image("u"));
  b.script.capacity = false;
  b.pass();
  CHECK(b.state() == State::provisioning);
  CHECK(b.it.status.operationalStatus == "delayed");
  CHECK(b.script.count("provision") == 0);
}

}  // namespace
}  // namespace ingot::tests
