// Hosts and agents that come from another management cluster (docs/decisions/0034): a leader whose term they do not
// obey makes room for one that they do, and the keys that agents know are neither lost nor taken from anybody.
#include "api/bmh/carried_term.hpp"
#include "coordinator/agents/lease_record.hpp"
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
const std::string kMove = "clusterctl.cluster.x-k8s.io/move";

struct Plant : Site {
  Plant() : Site(With::fixture) {
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
  bool serves(std::int64_t inTerm) {
    return until([&] { return box("near").journal.loadTerm() == inTerm && holders("a") == 1; }, 1min);
  }
  template <class T>
  T ask(base::Task<T> task) {
    return loop.run(std::move(task));
  }
  std::optional<kube::Secret> keys() { return ask(user().get<kube::Secret>(kKeys)); }
  static std::string textOf(const kube::Secret& secret) {
    return secret.find("coordinator.pub")->reveal() + secret.find("coordinator.key")->reveal();
  }
  // What `clusterctl move` does to a Secret that is there already.
  void writeOver(const wire::KeyPair& others) {
    auto stored = keys().value();
    stored.data["coordinator.pub"] = base::Secret(others.publicKey);
    stored.data["coordinator.key"] = others.secretKey;
    static_cast<void>(ask(user().update(std::move(stored))));
  }
};

}  // namespace

TEST_CASE("a host that was moved here makes room for a leader whom its agents obey") {
  Plant site;
  const auto moved = GENERATE(values<std::string>({"50.77aa88bb", "1.77aa88bb"}));
  site.label("a", moved);
  REQUIRE(site.ends());
  CHECK(site.said->contains("and this is term 1: another leader begins above it"));
  const auto least = api::CarriedTerm::on(site.host("a")->metadata)->least("");
  CHECK(site.leastTerm() == least);
  site.startNext();
  CHECK(site.serves(least));
  CHECK(site.coordinatorRuns());
}

TEST_CASE("a label that says nothing new ends no term") {
  Plant site;
  const auto value = GENERATE(values<std::string>({"0", "1", "painted", ""}));
  site.label("a", value);
  site.pass(30s);
  CHECK(site.coordinatorRuns());
}

TEST_CASE("an agent that came on record for a term that is not ours makes room for a later leader") {
  Plant site;
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

TEST_CASE("an agent that is on record for an earlier term makes no difference") {
  Plant site;
  ProvisioningAgent agent;
  agent.metadata.name = "far";
  agent.metadata.annotations["ingot.dev/term"] = "0";
  agent.spec.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID";
  static_cast<void>(site.ask(site.user().create(agent)));
  site.pass(30s);
  CHECK(site.coordinatorRuns());
}

TEST_CASE("the Secret with the coordinator's keys goes with a move, and is kept") {
  Plant site;
  const auto before = site.keys().value();
  CHECK(before.metadata.labels.contains(kMove));
  SECTION("one without the label gets it") {
    static_cast<void>(site.ask(
        site.user().patch<kube::Secret>(kKeys, json::parse(R"({"metadata":{"labels":{")" + kMove + R"(":null}}})"))));
    CHECK(site.until([&] { return site.keys()->metadata.labels.contains(kMove); }, 5s));
  }
  SECTION("deleted, it is made again with the same keys") {
    static_cast<void>(site.ask(site.user().remove<kube::Secret>(kKeys)));
    CHECK(site.until([&] { return site.keys().has_value(); }, 5s));
  }
  SECTION("emptied, it gets them back") {
    static_cast<void>(
        site.ask(site.user().patch<kube::Secret>(kKeys, json::parse(R"({"data":{"coordinator.key":null}})"))));
    CHECK(site.until([&] { return site.keys()->find("coordinator.key") != nullptr; }, 5s));
  }
  CHECK(site.keys()->metadata.labels.contains(kMove));
  CHECK(Plant::textOf(*site.keys()) == Plant::textOf(before));
  CHECK(site.coordinatorRuns());
  CHECK(site.holders("a") == 1);
}

TEST_CASE("keys of another coordinator take the place of ours only where no agent knows ours") {
  Plant site;
  const auto before = Plant::textOf(site.keys().value());
  const auto others = wire::generateKeyPair();
  SECTION("an approved agent does") {
    if (GENERATE(false, true)) {
      site.killAgent("near");  // wherever it is now
      site.pass(1min);
    }
    site.writeOver(others);
    REQUIRE(site.until([&] { return Plant::textOf(site.keys().value()) == before; }, 5s));
    const auto told = site.eventMessages("default", "CoordinatorKeysReplaced");
    REQUIRE(told.size() == 1);
    CHECK(told.front().find(": ours were put back; agents that come from there need our key ") != std::string::npos);
    CHECK(told.front().find(others.secretKey.reveal()) == std::string::npos);
    CHECK(site.coordinatorRuns());
  }
  SECTION("none does") {
    site.killAgent("near");
    site.removeAgent("near");
    site.pass(1min);
    REQUIRE_FALSE(site.agentObject("near"));
    site.writeOver(others);
    CHECK(site.ends());
    CHECK(Plant::textOf(site.keys().value()) != before);
  }
}
