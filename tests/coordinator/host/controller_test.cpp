// The host controller against a whole API.
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::Refused;
using host::State;

api::BareMetalHost wanted() { return aHost(State::none).online().image("http://i/a").build(); }

const std::vector<std::string> upToProvisioned = {"",          "registering",  "inspecting", "preparing",
                                                  "available", "provisioning", "provisioned"};

TEST_CASE("a manifest becomes a provisioned host, every state visible, in few writes", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle();
  CHECK(w.statesSeen() == upToProvisioned);
  CHECK(w.writes <= 10);
  const auto host = w.get();
  CHECK(host.status.provisioning.image.url == "http://i/a");
  CHECK(host.status.poweredOn);
  CHECK(host.status.operationalStatus == "OK");
  CHECK(host.spec.architecture == "x86_64");
  CHECK(w.hardware()->spec.hardware->ramMebibytes == 1024);
  CHECK(w.hardware()->metadata.ownerReferences.front().controller == true);
  CHECK(w.eventReasons().size() <= 4);
}

TEST_CASE("a provisioned host at rest is not written to", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle();
  const int before = w.writes;
  w.settle(30min);
  CHECK(w.writes == before);
}

TEST_CASE("taking the image away leads back to available, deleting leaves nothing", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.patch(R"({"spec":{"image":null,"online":false}})");
  REQUIRE(w.reaches("available"));
  CHECK(w.get().status.provisioning.image.url.empty());
  w.remove();
  REQUIRE(w.vanishes());
  CHECK(w.script.calls.back() == "remove");
  CHECK(w.secret("bmc").value_or(kube::Secret{}).metadata.finalizers.empty());
  w.settle(1min);
  CHECK_FALSE(w.hardware());
}

TEST_CASE("the BMC Secret is claimed: labelled, owned without control, held", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  const auto secret = *w.secret("bmc");
  CHECK(secret.metadata.labels.at("environment.metal3.io") == "baremetal");
  REQUIRE(secret.metadata.ownerReferences.size() == 1);
  CHECK_FALSE(secret.metadata.ownerReferences.front().controller);
  CHECK_FALSE(secret.metadata.ownerReferences.front().blockOwnerDeletion);
  CHECK(secret.metadata.finalizers == std::vector<std::string>{std::string(api::finalizer::secret)});
}

TEST_CASE("a changed password is noticed at once", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle();
  w.editSecret("bmc", "password", "rotated");
  w.settle(1s);
  CHECK(w.backends.password == "rotated");
  CHECK(w.get().status.goodCredentials.credentialsVersion == w.secret("bmc")->metadata.resourceVersion);
}

TEST_CASE("a label on the BMC's Secret is no new password", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle();
  const int before = w.writes;
  w.labelSecret("bmc", "cluster.x-k8s.io/cluster-name");
  w.patch(R"({"metadata":{"annotations":{"a":"b"}}})");
  w.settle();
  CHECK(w.writes == before);
  CHECK(std::ranges::count(w.eventReasons(), "BMCAccessValidated") == 1);
  w.patch(R"({"spec":{"image":null}})");
  REQUIRE(w.reaches("available"));
  CHECK(std::ranges::count(w.eventReasons(), "BMCAccessValidated") == 1);
  // On record with what is to be said anyway: the next process knows no earlier versions.
  CHECK(w.get().status.goodCredentials.credentialsVersion == w.secret("bmc")->metadata.resourceVersion);
  CHECK(w.get().status.triedCredentials.credentialsVersion == w.secret("bmc")->metadata.resourceVersion);
}

TEST_CASE("a change of the spec that means nothing is acknowledged, not at once", "[host][controller]") {
  World w;
  w.create(aHost(State::none).online().build());
  REQUIRE(w.reaches("available"));
  w.settle(1min);
  const int before = w.writes;
  w.patch(R"({"spec":{"consumerRef":{"name":"m1"}}})");
  w.settle(2s);
  w.patch(R"({"spec":{"description":"x"}})");
  w.settle(2s);
  CHECK(w.writes == before);
  w.settle(3s);
  CHECK(w.writes == before + 1);
  const auto host = w.get();
  for (const auto& condition : host.status.conditions)
    if (condition.type != "PowerStateKnown") CHECK(condition.observedGeneration == host.metadata.generation);
}

TEST_CASE("a Secret that is given up for another one is the user's again", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.createSecret("newer", {{"username", "admin"}, {"password", "other"}});
  w.patch(R"({"spec":{"bmc":{"credentialsName":"newer"}}})");
  w.settle(5s);
  CHECK(w.backends.password == "other");
  CHECK(w.secret("bmc")->metadata.finalizers.empty());
  CHECK(w.secret("newer")->metadata.finalizers.size() == 1);
}

TEST_CASE("a host without its Secret says so and heals when it appears", "[host][controller]") {
  World w;
  auto host = wanted();
  host.spec.bmc.credentialsName = "late";
  w.create(host);
  REQUIRE(w.reaches("registering"));
  w.settle(30s);
  CHECK(w.get().status.errorType == "registration error");
  w.createSecret("late", {{"username", "a"}, {"password", "b"}});
  CHECK(w.reaches("provisioned", 1min));
  CHECK(w.get().status.errorType.empty());
}

TEST_CASE("a host that waits for user data goes on as soon as its Secret is there", "[host][controller][config]") {
  const bool labelled = GENERATE(true, false);  // without our label no watch shows it: it is polled
  World w;
  w.editSecret("bmc", "password", "hunter22");  // "secret" would be masked in every message
  auto host = wanted();
  host.spec.userData = api::SecretReference{.name = "user"};
  w.create(host);
  REQUIRE(w.reaches("available"));
  w.settle(1min);
  CHECK(w.state() == "available");
  CHECK(w.get().status.errorMessage == "userData secret metal/user does not exist");
  CHECK(std::ranges::count(w.eventReasons(), "ProvisioningError") == 1);
  w.createSecret("user", {{"userData", "#cloud-config"}}, labelled);
  w.settle(labelled ? base::Duration(1s) : base::Duration(12s));
  CHECK(w.state() == "provisioned");
  CHECK(w.get().status.operationalStatus == "OK");
  CHECK(w.script.userData == "#cloud-config");
}

TEST_CASE("config data that another controller has made are read, and not written to", "[host][controller][config]") {
  const bool controlled = GENERATE(true, false);
  World w;
  w.createSecret("user", {{"userData", "#cloud-config"}}, false,
                 {{.apiVersion = "bootstrap.cluster.x-k8s.io/v1beta2",
                   .kind = "KubeadmConfig",
                   .name = "m1",
                   .uid = "u1",
                   .controller = controlled}});
  auto host = wanted();
  host.spec.userData = api::SecretReference{.name = "user"};
  w.create(host);
  REQUIRE(w.reaches("provisioned"));
  CHECK(w.script.userData == "#cloud-config");
  CHECK(w.secret("user")->metadata.labels.contains("environment.metal3.io") == !controlled);
}

TEST_CASE("a Secret that gets the missing key wakes the host that waits for it", "[host][controller][config]") {
  World w;
  auto host = wanted();
  host.spec.userData = api::SecretReference{.name = "user"};
  w.createSecret("user", {{"other", "x"}});
  w.create(host);
  REQUIRE(w.reaches("available"));
  w.settle(1min);
  REQUIRE(w.get().status.errorMessage == "Secret user does not contain key userData");
  w.editSecret("user", "userData", "x");
  w.settle(1s);
  CHECK(w.state() == "provisioned");
}

TEST_CASE("without credentials nobody reads the power, and nothing heals a power failure", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.script.powerFailure = true;
  w.settle(2min);
  w.editSecret("bmc", "password", "");
  w.settle(5s);
  const auto& conditions = w.get().status.conditions;
  const auto* known = kube::findCondition(conditions, "PowerStateKnown");
  CHECK(known->status == "Unknown");
  CHECK_THAT(known->message, Catch::Contains("Missing BMC connection details 'password'"));
  CHECK(kube::findCondition(conditions, "Manageable")->reason == "PowerFailure");
  CHECK(w.get().status.poweredOn);

  w.script.powerFailure = false;
  w.editSecret("bmc", "password", "again");
  w.settle(5s);
  CHECK(kube::isTrue(w.get().status.conditions, "PowerStateKnown"));
  CHECK(kube::isTrue(w.get().status.conditions, "Manageable"));
}

TEST_CASE("a paused host is not touched at all", "[host][controller]") {
  World w;
  w.create(aHost(State::none).online().annotated(api::annotation::paused));
  w.settle(1min);
  CHECK(w.get().metadata.finalizers.empty());
  CHECK(w.writes == 0);
  w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
  CHECK(w.reaches("available"));
}

TEST_CASE("a failure is retried after its back-off, not at once by our own write", "[host][controller]") {
  World w;
  w.script.answer("register", Refused{"wrong password"});
  w.create(wanted());
  w.settle(50s);
  CHECK(w.statesSeen() == std::vector<std::string>{"", "registering"});
  CHECK(w.script.count("register") == 1);
  CHECK(w.get().status.errorCount == 1);
  CHECK(w.reaches("provisioned", 2min));
}

TEST_CASE("the backend's return ends every wait", "[host][controller]") {
  World w;
  w.backends.ready = false;
  w.create(wanted());
  w.settle(5s);
  CHECK(w.state().empty());
  w.backends.ready = true;
  w.backends.tell(host::BackendReturned{});
  CHECK(w.reaches("provisioned", 5s));
}

TEST_CASE("power is not called known for long while the backend is away", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle(5s);
  const auto known = [&] {
    const auto host = w.get();
    return kube::findCondition(host.status.conditions, "PowerStateKnown")->status;
  };
  REQUIRE(known() == "True");
  w.backends.ready = false;
  w.settle(100s);
  CHECK(known() == "True");  // it may be back in a moment
  w.settle(3min);
  CHECK(known() == "Unknown");
  CHECK(w.get().status.poweredOn);
  w.backends.ready = true;
  w.backends.tell(host::BackendReturned{});
  w.settle(1s);
  CHECK(known() == "True");
}

TEST_CASE("the power of a detached host is nobody's business, whoever is away", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.patch(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
  w.settle(5s);
  const auto before = w.get();
  REQUIRE(before.status.operationalStatus == "detached");
  w.backends.ready = false;
  w.settle(30min);
  CHECK(w.get().metadata.resourceVersion == before.metadata.resourceVersion);
}

TEST_CASE("a slot that becomes free wakes the host that waits for it", "[host][controller]") {
  World w;
  w.script.capacity = false;
  w.create(wanted());
  w.settle(5s);
  REQUIRE(w.get().status.operationalStatus == "delayed");
  w.script.capacity = true;
  w.backends.tell(host::NodeChanged{"node-of-another"});  // which has gone to rest
  w.settle(1s);
  CHECK(w.state() == "provisioned");
}

TEST_CASE("news of a node wakes its host", "[host][controller]") {
  World w;
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  w.settle();
  w.script.on = false;  // somebody pulled the cord
  w.backends.tell(host::NodeChanged{"node-1"});
  w.settle(1s);
  CHECK(w.script.count("powerOn") == 1);
}

TEST_CASE("a provisioning that fails is cleaned up and tried again", "[host][controller]") {
  World w;
  w.script.answer("provision", Refused{"image not found"});
  w.create(wanted());
  REQUIRE(w.reaches("provisioned"));
  CHECK(w.script.count("deprovision") == 1);
  CHECK(w.get().status.provisioningFailCount == 0);
}

TEST_CASE("a deletion is not held up by a Secret that is gone", "[host][controller]") {
  World w;
  auto host = wanted();
  host.spec.bmc.credentialsName = "never";
  w.create(host);
  REQUIRE(w.reaches("registering"));
  w.settle(20s);
  w.remove();
  CHECK(w.vanishes());
}

// The state that a host must end in, however often the coordinator was killed.
void checkEnd(World& w) {
  const auto host = w.get();
  CHECK(host.status.provisioning.image.url == "http://i/a");
  CHECK(host.status.operationalStatus == "OK");
  CHECK(host.status.poweredOn);
  CHECK(host.metadata.finalizers.size() == 1);
  CHECK(w.hardware().has_value());
  CHECK(w.secret("bmc")->metadata.finalizers.size() == 1);
}

TEST_CASE("killed at any write, the next coordinator ends in the same place", "[host][controller][crash]") {
  for (int at = 0;; ++at) {
    INFO("killed at write " << at);
    World w;
    w.dieAtWrite = at;
    w.create(wanted());
    static_cast<void>(w.reaches("provisioned"));
    if (!w.dead) {  // every write has had its turn
      CHECK(at >= 8);
      break;
    }
    w.kill();
    w.start();
    REQUIRE(w.reaches("provisioned"));
    w.settle();
    checkEnd(w);
  }
}

TEST_CASE("killed at any write of its deletion, a host still leaves nothing behind", "[host][controller][crash]") {
  for (int at = 0;; ++at) {
    INFO("killed at write " << at);
    World w;
    w.create(wanted());
    REQUIRE(w.reaches("provisioned"));
    w.settle();
    w.dieAtWrite = w.writes + at;
    w.remove();
    static_cast<void>(w.vanishes(5min));
    if (!w.dead) {
      CHECK(at >= 5);
      break;
    }
    w.kill();
    w.start();
    REQUIRE(w.vanishes());
    CHECK(w.script.calls.back() == "remove");
  }
}

TEST_CASE("killed after any effect whose answer was lost, the host ends in the same place",
          "[host][controller][crash]") {
  for (const std::string effect : {"register", "inspect", "prepare", "provision"}) {
    INFO("killed after " << effect);
    World w;
    w.script.throws[effect] = "the process died before the answer came";
    w.create(wanted());
    REQUIRE(w.loop.clock.advanceUntil([&] { return w.script.count(effect) > 0; }, 1h));
    w.kill();
    w.script.throws.clear();
    w.start();
    REQUIRE(w.reaches("provisioned"));
    w.settle();
    checkEnd(w);
  }
}

}  // namespace
}  // namespace ingot::tests
