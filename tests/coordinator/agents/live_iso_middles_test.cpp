// In the middle of a boot by an agent beside Ironic, or of an ejection: the host is paused or detached, its password is
// changed, another coordinator leads, its BMC keeps a boot device for one boot only (docs/decisions/0038).
#include "tests/coordinator/agents/live_iso_steps.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto pausing = R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})";
constexpr auto unpausing = R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})";
constexpr auto detaching = R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})";
constexpr auto attaching = R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":null}}})";

// Longer than anything is believed that was done with the machine before.
void leaveForLong(LiveIsoSite& site, const std::string& annotation, const std::string& withoutIt) {
  site.patchHost("a", annotation);
  site.pass(1min);
  const auto writes = site.machine().journal.size();
  const auto requests = site.ironic.journal().size();
  site.pass(12min);
  CHECK(site.machine().journal.size() == writes);
  CHECK(site.ironic.journal().size() == requests);
  site.patchHost("a", withoutIt);
}

void pauseForLong(LiveIsoSite& site) { leaveForLong(site, pausing, unpausing); }

void changePassword(LiveIsoSite& site) {
  site.machine().password = "another";
  site.machine().expireSessions();
  site.setPassword("a", "another");
}

// Whatever comes in the middle of a boot, a machine that is proved to run is not switched off again.
void checkBootSurvives(LiveIsoSite& site, const LiveIsoStep& step, void (*middle)(LiveIsoSite&),
                       base::Duration within = 5min) {
  bootUntil(site, step);
  const bool isProved = site.mark() == "booted";
  const auto offs = site.count("ForceOff");
  middle(site);
  REQUIRE(site.becomes("provisioned", within));
  checkRuns(site);
  if (isProved) CHECK(site.count("ForceOff") == offs);
}

}  // namespace

TEST_CASE("a boot by an agent goes on after a pause of its host at any step") {
  const auto step = liveBootStep(GENERATE(range(0U, liveBootSteps)));
  INFO(step.name);
  LiveIsoSite site;
  checkBootSurvives(site, step, pauseForLong);
}

TEST_CASE("an ejection by an agent goes on after a pause of its host at any step") {
  const auto step = liveEjectStep(GENERATE(range(0U, liveEjectSteps)));
  INFO(step.name);
  LiveIsoSite site;
  ejectUntil(site, step);
  pauseForLong(site);
  REQUIRE(site.becomes("available", 15min));
  checkFree(site);
  CHECK(site.ironic.verbs() == std::vector<std::string>{"deleted"});
}

TEST_CASE("a boot that an agent has proved ends before its host is detached, and its mark comes back with the host") {
  const auto step = liveBootStep(GENERATE(range(6U, liveBootSteps)));
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  site.patchHost("a", detaching);
  REQUIRE(site.until([&] { return site.host("a")->status.operationalStatus == "detached"; }));
  CHECK(site.state("a") == "provisioned");
  REQUIRE(site.until([&] { return !site.ironic.has("metal~a"); }));
  CHECK(site.machine().media == live);
  site.patchHost("a", attaching);
  REQUIRE(site.until([&] { return site.ironic.has("metal~a") && site.nodeState() == ironic::State::active; }));
  CHECK(site.mark() == "booted");
  CHECK(site.machine().powerState == "On");
  CHECK(site.count("\"On\"") == 1);
  site.giveBack();
  REQUIRE(site.becomes("available"));
  checkFree(site);
}

TEST_CASE("a host that is detached in the middle of its boot stays lent as it is until it is attached again") {
  const auto step = liveBootStep(GENERATE(range(0U, 6U)));
  INFO(step.name);
  LiveIsoSite site;
  bootUntil(site, step);
  leaveForLong(site, detaching, attaching);
  REQUIRE(site.becomes("provisioned"));
  checkRuns(site);
}

TEST_CASE("a host that is detached in the middle of its ejection goes on with it when it is attached again") {
  const auto step = liveEjectStep(GENERATE(range(0U, liveEjectSteps)));
  INFO(step.name);
  LiveIsoSite site;
  ejectUntil(site, step);
  site.patchHost("a", detaching);
  site.pass(12min);
  const auto wasDetached = site.host("a")->status.operationalStatus == "detached";
  CHECK(wasDetached == (site.state("a") == "available"));
  if (!wasDetached) CHECK(site.isLent());
  site.patchHost("a", attaching);
  REQUIRE(site.becomes("available", 15min));
  REQUIRE(site.until([&] { return site.ironic.has("metal~a"); }));
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

TEST_CASE("a password that is changed in the middle of a boot by an agent costs time at most") {
  const auto step = liveBootStep(GENERATE(range(0U, liveBootSteps)));
  INFO(step.name);
  LiveIsoSite site;
  checkBootSurvives(site, step, changePassword, 15min);
  CHECK(site.until([&] { return json::textAt(site.node(), {"driver_info", "redfish_password"}) == "another"; }));
}

TEST_CASE("a password that is changed in the middle of an ejection by an agent costs time at most") {
  const auto step = liveEjectStep(GENERATE(range(0U, liveEjectSteps)));
  INFO(step.name);
  LiveIsoSite site;
  ejectUntil(site, step);
  changePassword(site);
  REQUIRE(site.becomes("available", 30min));
  checkFree(site);
}

TEST_CASE("another coordinator leads from each step of a boot and of an ejection on") {
  LiveIsoSite site;
  site.rest();
  site.provision();
  int middles = 0;
  const auto follow = [&](const LiveIsoStep& step, const std::string& end) {
    INFO(step.name);
    REQUIRE(site.until([&] { return step.isReached(site) || site.state("a") == end; }, 10min));
    if (site.state("a") != end) ++middles;
    site.killCoordinator();
    site.startCoordinator();
  };
  for (unsigned at = 0; at < liveBootSteps; ++at) follow(liveBootStep(at), "provisioned");
  CHECK(middles >= 8);
  REQUIRE(site.becomes("provisioned", 15min));
  checkRuns(site);
  site.pass(30s);
  site.forgetJournals();
  site.giveBack();
  middles = 0;
  for (unsigned at = 0; at < liveEjectSteps; ++at) follow(liveEjectStep(at), "available");
  CHECK(middles >= 3);
  REQUIRE(site.becomes("available", 15min));
  checkFree(site);
}

TEST_CASE("a BMC that keeps a boot device for one boot only is given it again at each power-on, beside Ironic too") {
  LiveIsoSite site;
  site.machine().instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH" || request.body.find("Continuous") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 400, .body = R"({"error":{"message":"no such value"}})"};
  };
  const auto step = liveBootStep(GENERATE(as<unsigned>(), 3, 5, liveBootSteps - 1));
  INFO(step.name);
  bootUntil(site, step);
  const auto whatHappens = GENERATE(as<std::string>(), "nothing", "another leads", "a pause");
  INFO(whatHappens);
  if (whatHappens == "another leads") {
    site.killCoordinator();
    site.startCoordinator();
  }
  if (whatHappens == "a pause") pauseForLong(site);
  REQUIRE(site.becomes("provisioned", 15min));
  CHECK(site.machine().bootEnabled == "Once");
  CHECK(site.until([&] { return !site.eventMessages("metal", "BootDeviceNotKept").empty(); }));
  site.pass(10s);
  site.machine().bootEnabled = "Disabled";  // used up
  site.machine().journal.clear();
  site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  REQUIRE(site.until([&] { return site.count("\"On\"") > 0; }));
  CHECK(site.at("\"Once\"") < site.at("\"On\""));
  CHECK(site.machine().media == live);
}
