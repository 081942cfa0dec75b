// A live ISO booted by an agent beside Ironic, when somebody dies in the middle of it, or changes his mind: whoever
// comes back finds what was done from Ironic's record and from the machine (docs/decisions/0038).
#include "tests/coordinator/agents/live_iso_steps.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Where no agent serves: what came to be is Ironic's, and no trace of a loan is left.
void checkIronics(LiveIsoSite& site) {
  CHECK(site.machine().powerState == "On");
  CHECK_FALSE(site.isLent());
  CHECK(site.mark().empty());
}

}  // namespace

TEST_CASE("a boot by an agent goes on after the death of the coordinator at any step") {
  const auto at = GENERATE(range(0U, 10U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  const bool isProved = site.mark() == "booted";
  const auto offs = site.count("ForceOff");
  site.killCoordinator();
  site.pass(30s);
  site.startCoordinator();
  REQUIRE(site.becomes("provisioned"));
  checkRuns(site);
  if (isProved) CHECK(site.count("ForceOff") == offs);  // what was proved is not begun anew
}

TEST_CASE("a boot by an agent goes on after the death of the agent at any step") {
  const auto at = GENERATE(range(0U, 10U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  site.killAgent("near");
  site.pass(30s);
  site.startAgent("near");
  REQUIRE(site.becomes("provisioned", 10min));
  checkRuns(site);
}

TEST_CASE("a host that an agent has booted is given back after a death at any step") {
  const auto at = GENERATE(range(0U, 4U));
  const bool isAgent = GENERATE(false, true);
  const auto step = liveEjectStep(at);
  INFO(step.name);
  LiveIsoSite site;
  ejectUntil(site, step);
  isAgent ? site.killAgent("near") : site.killCoordinator();
  site.pass(30s);
  isAgent ? site.startAgent("near") : site.startCoordinator();
  REQUIRE(site.becomes("available", 15min));
  checkFree(site);
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
}

TEST_CASE("Ironic may be away, or its answer be lost, at any request of a boot by an agent") {
  using Kind = FakeFault::Kind;
  const auto kind = GENERATE(Kind::refused, Kind::lostAnswer, Kind::status);
  using Request = std::pair<std::string, std::string>;
  const auto request = GENERATE(values<Request>({{"PATCH", "/v1/nodes/"},
                                                 {"PUT", "/maintenance"},
                                                 {"PUT", "/states/power"},
                                                 {"DELETE", "/maintenance"},
                                                 {"PUT", "/states/provision"}}));
  INFO(request.first << " " << request.second << ", " << static_cast<int>(kind));
  LiveIsoSite site;
  site.rest();
  site.ironic.failNext(request.first, request.second, {.kind = kind}, kind == Kind::lostAnswer ? 1 : 4);
  site.provision();
  REQUIRE(site.becomes("provisioned", 15min));
  CHECK(site.machine().media == live);
  CHECK(site.nodeState() == ironic::State::active);
  CHECK_FALSE(site.isLent());
  site.pass(10min);
  CHECK(site.machine().powerState == "On");
  CHECK(site.count("\"On\"") == 1);
}

TEST_CASE("an image that changes while an agent boots another is booted in its place") {
  const auto at = GENERATE(range(1U, 9U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  const std::string other = "http://images/other.iso";
  site.provision(other);
  REQUIRE(site.until(
      [&] { return site.state("a") == "provisioned" && site.host("a")->status.provisioning.image.url == other; },
      15min));
  CHECK(site.machine().media == other);
  CHECK(site.machine().powerState == "On");
  CHECK(json::textAt(site.node(), {"instance_info", "boot_iso"}) == other);
  CHECK(site.nodeState() == ironic::State::active);
  CHECK_FALSE(site.isLent());
}

TEST_CASE("a host that is deleted, or not wanted any more, while its agent boots it is off and free") {
  const auto at = GENERATE(range(0U, 10U));
  const bool isDeleted = GENERATE(false, true);
  const auto step = liveBootStep(at);
  INFO(step.name << (isDeleted ? ", deleted" : ""));
  LiveIsoSite site;
  bootUntil(site, step);
  if (isDeleted) {
    site.removeHost("a");
    REQUIRE(site.goes(30min));
    CHECK_FALSE(site.ironic.has("metal~a"));
    CHECK(site.machine().media.empty());
    CHECK(site.machine().powerState == "Off");
  } else {
    site.giveBack();
    REQUIRE(site.becomes("available", 30min));
    checkFree(site);
  }
}

TEST_CASE("an agent that is gone for good in the middle of a boot is named; without the annotation Ironic boots") {
  const auto at = GENERATE(range(0U, 6U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  site.killAgent("near");
  REQUIRE(site.fails("annotation ingot.dev/boot-by asks for an agent: no agent serves this host"));
  site.pass(10min);
  CHECK(site.state("a") == "provisioning");
  site.withdraw();
  REQUIRE(site.becomes("provisioned", 10min));
  checkIronics(site);
  CHECK(site.ironic.verbs() == std::vector<std::string>{"active"});
}

TEST_CASE("an agent that is gone for good once its boot is proved is missed by nobody") {
  const auto at = GENERATE(range(6U, 10U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  site.ironic.lock("metal~a");  // for as long as it takes to notice that the agent is gone
  site.killAgent("near");
  site.pass(5min);
  site.ironic.lock("metal~a", false);
  REQUIRE(site.becomes("provisioned", 10min));
  checkRuns(site);
}

TEST_CASE("an annotation that is taken away while an agent boots leads to Ironic, or ends what is proved already") {
  const auto at = GENERATE(range(0U, 10U));
  const auto step = liveBootStep(at);
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  const bool isProved = site.mark() == "booted";
  site.withdraw();
  REQUIRE(site.becomes("provisioned", 10min));
  CHECK(site.machine().powerState == "On");
  CHECK_FALSE(site.isLent());
  if (isProved)
    checkRuns(site);
  else
    CHECK(site.nodeState() == ironic::State::active);
}

TEST_CASE("a host whose agent is gone for good is given back by Ironic once the annotation is gone") {
  const bool isAdopted = GENERATE(true, false);
  LiveIsoSite site;
  if (isAdopted) {
    site.run();
  } else {
    site.rest();
    site.provision();
    REQUIRE(site.until([&] { return site.count("/Insert") > 0; }, 5min));
  }
  site.killAgent("near");
  site.pass(2min);
  site.giveBack();
  REQUIRE(site.fails("without the annotation Ironic does it"));
  site.pass(10min);
  CHECK(site.state("a") == "deprovisioning");
  site.withdraw();
  REQUIRE(site.becomes("available", 15min));
  checkFree(site);
  const std::vector<std::string> tearDown{"deleted"}, byWayOfActive{"manage", "adopt", "deleted"};
  CHECK(site.ironic.verbs() == (isAdopted ? tearDown : byWayOfActive));
}

TEST_CASE("a deletion waits for the agent that is to eject what it has booted") {
  const bool isGone = GENERATE(true, false);
  LiveIsoSite site;
  site.run();
  isGone ? site.killAgent("near") : site.setMaintenance("hands in the machine");
  site.removeHost("a");
  site.pass(15min);
  CHECK(site.state("a") == "deprovisioning");
  CHECK(site.machine().media == live);
  CHECK(site.fails(isGone ? "asks for an agent: no agent serves this host" : "in Ironic (hands in the machine)"));
  CHECK(site.machine().powerState == "On");
  isGone ? site.startAgent("near") : site.setMaintenance("");
  REQUIRE(site.goes(1h));
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("a node that Ironic cannot adopt is told of, taken back and booted once more") {
  LiveIsoSite site;
  site.rest();
  site.ironic.breakNext("metal~a", ironic::Verb::adopt, "the boot interface says no");
  site.provision();
  REQUIRE(site.fails("Host adoption failed: the boot interface says no"));
  REQUIRE(site.becomes("provisioned", 1h));
  CHECK(site.machine().media == live);
  CHECK(site.nodeState() == ironic::State::active);
  CHECK_FALSE(site.isLent());
}

TEST_CASE("a BMC that takes no image is told of, and its node is not left in maintenance") {
  LiveIsoSite site;
  site.rest();
  site.machine().instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.target.find("/Insert") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no licence for virtual media"}})"};
  };
  site.provision();
  REQUIRE(site.fails("no licence for virtual media", 30min));
  CHECK(site.host("a")->status.errorMessage.find("without the annotation Ironic does it") != std::string::npos);
  site.giveBack();
  REQUIRE(site.becomes("available", 1h));
  checkFree(site);
}

TEST_CASE("a maintenance that somebody ends while an agent boots is begun again, and costs no power") {
  LiveIsoSite site;
  site.rest();
  site.provision();
  REQUIRE(site.until([&] { return site.count("/Insert") > 0; }, 5min));
  site.setMaintenance("");
  REQUIRE(site.becomes("provisioned", 10min));
  checkRuns(site);
}

TEST_CASE("a coordinator that knows nothing of agents says so, and leaves the machine alone") {
  LiveIsoSite site;
  site.rest();
  site.killAgent("near");
  site.killCoordinator();
  site.startCoordinator();
  site.pass(2min);
  site.provision();
  REQUIRE(site.fails("asks for an agent: no agent serves this host"));
  CHECK_FALSE(site.isLent());
  CHECK(site.machine().journal.empty());
}
