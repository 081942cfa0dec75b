// Hosts and agents that come from another management cluster (docs/decisions/0034): a leader whose term they do not
// obey makes room for one that they do, and the keys that agents know are neither lost nor taken from anybody.
#include "api/bmh/carried_term.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/agents/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using api::BareMetalHost;
using api::ProvisioningAgent;

namespace {

const kube::ObjectKey kKeys{"default", "ingot-coordinator-keys"};
const kube::ObjectKey kMoving{"default", "ingot-coordinator-keys-move"};
const std::string kMove = "clusterctl.cluster.x-k8s.io/move";

struct MovedPlant : Site {
  MovedPlant() : Site(With::fixture) {
    serveAll("near");
    addHost("a", "10.0.0.1", false);
    if (!until([&] { return settled("a"); })) throw std::runtime_error("the host did not settle");
    pass(5s);
  }
  bool ends() {
    return until([&] { return !coordinatorRuns(); }, 5s);
  }
  // As its election would have it.
  void startNext() {
    killCoordinator();
    term = std::max(term, leastTerm() - 1);
    startCoordinator();
  }
  void label(const std::string& host, const std::string& value) {
    patchHost(host, R"({"metadata":{"labels":{"ingot.dev/term":")" + value + R"("}}})");
  }
  // As a coordinator writes it that agents know by the same key.
  std::string carried(std::int64_t led, const std::string& leaseThere = "77aa88bb-0000") {
    const api::TermSeal seal(*keys().value().find("coordinator.key"));
    return seal.label(api::CarriedTerm::of(led, leaseThere), {"metal", "a"});
  }
  bool serves(std::int64_t inTerm) {
    return until([&] { return box("near").journal.loadTerm() == inTerm && holders("a") == 1; }, 1min);
  }
  template <class T>
  T ask(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  std::optional<kube::Secret> keys() { return ask(user().get<kube::Secret>(kKeys)); }
  std::optional<kube::Secret> moving() { return ask(user().get<kube::Secret>(kMoving)); }
  static std::string textOf(const kube::Secret& secret) {
    return secret.find("coordinator.pub")->reveal() + secret.find("coordinator.key")->reveal();
  }
  // What `clusterctl move` does to a Secret that is there already.
  void writeOver(const wire::KeyPair& others) {
    auto stored = moving().value();
    stored.data["coordinator.pub"] = base::Secret(others.publicKey);
    stored.data["coordinator.key"] = others.secretKey;
    static_cast<void>(ask(user().update(std::move(stored))));
  }
};

}  // namespace

TEST_CASE("a host that was moved here makes room for a leader whom its agents obey") {
  MovedPlant site;
  const std::int64_t led = GENERATE(50, 1);
  site.label("a", site.carried(led));
  REQUIRE(site.ends());
  CHECK(site.said->contains("and this is term 1: another leader begins above it"));
  const auto least = api::CarriedTerm::of(led, "77aa88bb-0000").least(site.lease);
  CHECK(site.leastTerm() == least);
  site.startNext();
  CHECK(site.serves(least));
  CHECK(site.coordinatorRuns());
}

TEST_CASE("a label that says nothing new, or that no coordinator has made, ends no term") {
  MovedPlant site;
  const std::string ours = site.carried(1, site.lease), earlier = site.carried(0, site.lease);
  const auto value = GENERATE_COPY(
      values<std::string>({"0", "9", "painted", "", "2147483000.77aa88bb.0123456789abcdef01234567", ours, earlier}));
  CAPTURE(value);
  site.label("a", value);
  site.pass(30s);
  CHECK(site.coordinatorRuns());
  CHECK(site.leastTerm() == 2);
}

TEST_CASE("an agent that came on record for a term that is not ours makes room for a later leader") {
  MovedPlant site;
  const std::string term(coordinator::agents::termAnnotation);
  ProvisioningAgent agent;
  agent.metadata.name = "far";
  agent.spec.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
  SECTION("moved here with a later one") { agent.metadata.annotations[term] = "9"; }
  SECTION("moved here with the same one, which two would lead with") { agent.metadata.annotations[term] = "1"; }
  SECTION("an operator says so of one of ours") {
    static_cast<void>(site.ask(site.user().patch<ProvisioningAgent>(
        {"", "near"}, json::parse(R"({"metadata":{"annotations":{"ingot.dev/term":"9"}}})"))));
  }
  if (!agent.metadata.annotations.empty()) static_cast<void>(site.ask(site.user().create(agent)));
  REQUIRE(site.ends());
  const auto least = site.leastTerm();
  CHECK(least > 1);
  site.startNext();
  CHECK(site.serves(least));
}

TEST_CASE("an agent that is on record for an earlier term, or one that none can have, makes no difference") {
  MovedPlant site;
  ProvisioningAgent agent;
  agent.metadata.name = "far";
  agent.metadata.annotations["ingot.dev/term"] = GENERATE("0", "2147483644", "nine");
  agent.spec.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
  static_cast<void>(site.ask(site.user().create(agent)));
  site.pass(30s);
  CHECK(site.coordinatorRuns());
  CHECK(site.leastTerm() == 2);
}

TEST_CASE("the coordinator's keys are kept, whatever becomes of their Secrets") {
  MovedPlant site;
  const auto before = MovedPlant::textOf(site.keys().value());
  CHECK(MovedPlant::textOf(site.moving().value()) == before);
  CHECK(site.moving()->metadata.labels.contains(kMove));
  CHECK_FALSE(site.keys()->metadata.labels.contains(kMove));
  const auto key = GENERATE(kKeys, kMoving);
  const bool isLed = GENERATE(true, false);
  const bool isDeleted = GENERATE(true, false);
  CAPTURE(key.name, isLed, isDeleted);
  if (!isLed) site.killCoordinator();
  if (isDeleted)
    static_cast<void>(site.ask(site.user().remove<kube::Secret>(key)));
  else if (isLed || key == kMoving)
    static_cast<void>(
        site.ask(site.user().patch<kube::Secret>(key, json::parse(R"({"data":{"coordinator.key":"bm90aGluZw=="}})"))));
  if (!isLed) site.startNext();
  const auto isBack = [&](const std::optional<kube::Secret>& secret) {
    return secret && secret->find("coordinator.key") != nullptr && MovedPlant::textOf(*secret) == before;
  };
  CHECK(site.until([&] { return isBack(site.keys()) && isBack(site.moving()); }, 30s));
  CHECK(site.coordinatorRuns());
  CHECK(site.until([&] { return site.holders("a") == 1; }, 1min));
}

TEST_CASE("the keys go with a move of all hosts, not with that of a part of them") {
  MovedPlant site;
  REQUIRE(site.moving());
  kube::Namespace space;
  space.metadata.name = "tenant";
  static_cast<void>(site.ask(site.user().create(space)));
  BareMetalHost other;
  other.metadata = {.name = "b", .namespace_ = "tenant"};
  static_cast<void>(site.ask(site.user().create(other)));
  CHECK(site.until([&] { return !site.moving(); }, 5s));
  CHECK(site.keys());
  static_cast<void>(
      site.ask(site.user().patch<BareMetalHost>({"tenant", "b"}, json::parse(R"({"metadata":{"finalizers":null}})"))));
  static_cast<void>(site.ask(site.user().remove<BareMetalHost>({"tenant", "b"})));
  site.pass(1min);
  if (site.ask(site.user().get<BareMetalHost>({"tenant", "b"})))
    static_cast<void>(site.ask(
        site.user().patch<BareMetalHost>({"tenant", "b"}, json::parse(R"({"metadata":{"finalizers":null}})"))));
  CHECK(site.until([&] { return site.moving().has_value(); }, 10s));
}

TEST_CASE("keys that come with a move take the place of ours only where no agent knows ours") {
  MovedPlant site;
  const auto before = MovedPlant::textOf(site.keys().value());
  const auto others = wire::generateKeyPair();
  const bool isLed = GENERATE(true, false);
  CAPTURE(isLed);
  SECTION("an approved agent does") {
    if (GENERATE(false, true)) {
      site.killAgent("near");  // wherever it is now
      site.pass(1min);
    }
    if (!isLed) site.killCoordinator();
    site.writeOver(others);
    if (!isLed) site.startNext();
    REQUIRE(site.until([&] { return MovedPlant::textOf(site.moving().value()) == before; }, 30s));
    CHECK(MovedPlant::textOf(site.keys().value()) == before);
    const auto told = site.eventMessages("default", "CoordinatorKeysNotUsed");
    REQUIRE(told.size() == 1);
    CHECK(told.front().find("and are not used: approved agents know ours; agents that come from there need our key ") !=
          std::string::npos);
    CHECK(told.front().find(others.secretKey.reveal()) == std::string::npos);
    CHECK(site.coordinatorRuns());
  }
  SECTION("one that came along is on record for our key, and has not been here") {
    site.killAgent("near");
    site.removeAgent("near");
    site.pass(1min);
    ProvisioningAgent came;
    came.metadata.name = "came";
    came.metadata.annotations[std::string(coordinator::agents::keyAnnotation)] =
        wire::fingerprint(site.keys()->find("coordinator.pub")->reveal());
    came.spec.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
    came.spec.approved = true;
    came.spec.allHosts = true;
    came.spec.fingerprint = wire::fingerprint(came.spec.publicKey);
    static_cast<void>(site.ask(site.user().create(came)));
    site.writeOver(others);
    CHECK(site.until([&] { return MovedPlant::textOf(site.moving().value()) == before; }, 30s));
    CHECK(MovedPlant::textOf(site.keys().value()) == before);
  }
  SECTION("none does") {
    site.killAgent("near");
    site.removeAgent("near");
    site.pass(1min);
    REQUIRE_FALSE(site.agentObject("near"));
    if (!isLed) site.killCoordinator();
    site.writeOver(others);
    if (!isLed) site.startNext();
    CHECK(site.until([&] { return !site.coordinatorRuns(); }, 30s));
    CHECK(MovedPlant::textOf(site.keys().value()) == others.publicKey + others.secretKey.reveal());
  }
}
