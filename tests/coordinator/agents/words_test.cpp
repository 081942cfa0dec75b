// What people read when something is wrong with an agent or a BMC: docs/common-errors.md quotes these texts.
#include "tests/coordinator/agents/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::vector<kube::Event> eventsOf(Site& site, const std::string& reason) {
  const auto client = kube::connect(site.runtime, site.network, {.server = "https://api.test"});
  auto events = site.loop.run(client->list<kube::Event>({.namespace_ = "default"}));
  std::erase_if(events, [&](const kube::Event& event) { return event.reason != reason; });
  return events;
}

}  // namespace

TEST_CASE("an agent that nobody has approved is told how that is done") {
  Site site;
  auto said = std::make_shared<base::MemorySink>();
  WatchedJournal journal;
  base::Runtime runtime{site.runtime.executor, site.runtime.clock, site.runtime.random, base::Log(said, "agent")};
  AgentLife agent(runtime, site.wires.agent(std::string(40, 'n')), site.network, journal, "new-one", "boot-n");
  site.pass(10s);
  CHECK(said->contains("approve it with: ingotctl agents approve new-one"));
  site.loop.run(agent.tasks.close());
}

TEST_CASE("an Event names the agent whose name came with another key, and that key") {
  Site site;
  site.serveAll("near");
  WatchedJournal journal;
  AgentLife impostor(site.runtime, site.wires.agent(std::string(40, 'x')), site.network, journal, "near", "boot-x");
  site.pass(10s);
  const auto events = eventsOf(site, "KeyMismatch");
  REQUIRE(events.size() == 1);
  CHECK(events.front().message ==
        fmt::format("an agent that calls itself near came with another key ({}) and was refused",
                    wire::fingerprint(std::string(40, 'x'))));
  site.loop.run(impostor.tasks.close());
}

TEST_CASE("a system that the BMC does not have is named, and a corrected BMC is found at once") {
  Site site;
  site.serveAll("near");
  site.addBmc("10.0.0.1").instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/Systems/1") return std::nullopt;
    return net::HttpResponse{.status = 404};
  };
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.host("a") && site.host("a")->status.errorType == "registration error"; }));
  CHECK_THAT(site.host("a")->status.errorMessage, Catch::Contains("https://10.0.0.1/redfish/v1/Systems/1: HTTP 404"));
  site.bmc("10.0.0.1").instead = nullptr;
  CHECK(site.until([&] { return site.settled("a"); }, 15min));
}

TEST_CASE("a BMC that cannot be reached is named where power is said to be unknown") {
  Site site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  REQUIRE(site.until([&] { return site.settled("a"); }));
  site.bmc("10.0.0.1").instead = [](const auto&) { return net::HttpResponse{.status = 0}; };
  REQUIRE(site.until([&] { return site.powerKnown("a") == "Unknown"; }, 1min));
  for (const auto& condition : site.host("a")->status.conditions) {
    if (condition.type != "PowerStateKnown") continue;
    CHECK(condition.reason == "NoFreshReading");
    CHECK_THAT(condition.message, Catch::Contains("10.0.0.1"));
  }
  site.bmc("10.0.0.1").instead = nullptr;
  CHECK(site.until([&] { return site.settled("a"); }, 15min));
}
