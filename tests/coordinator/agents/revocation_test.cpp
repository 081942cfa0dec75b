// What an operator takes from a living agent is gone: rights, passwords, sessions. Only the coordinator is told.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto bmcAddress = "10.0.0.1";

// An agent that serves host "a", which is on, and has a session at its BMC.
void servedHost(Site& site) {
  restingHost(site);
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  REQUIRE(site.resets(bmcAddress) == 1);
  REQUIRE(site.until([&] { return site.holders("a") == 1; }, 1min));  // Ironic's record may have needed a moment
}

// Every request that reaches a BMC from now on: only agents speak to it here.
std::shared_ptr<int> requestsTo(FakeRedfish& bmc) {
  auto count = std::make_shared<int>(0);
  bmc.instead = [count](const net::ServerRequest&) -> std::optional<net::HttpResponse> {
    ++*count;
    return std::nullopt;
  };
  return count;
}

}  // namespace

TEST_CASE("a revoked approval wipes everything that a living agent has") {
  Site site;
  servedHost(site);
  auto& agent = site.box("near").life->agent;
  const std::string how = GENERATE(as<std::string>{}, "revoked", "deleted");
  INFO(how);
  const auto logouts = site.bmc(bmcAddress).logouts.size();
  if (how == "revoked") site.changeAgent("near", R"({"approved":false})");
  if (how == "deleted") site.removeAgent("near");
  REQUIRE(site.until([&] { return site.holders("a") == 0 && agent.hosts() == 0; }, 5s));
  REQUIRE(site.until([&] { return !agent.approved(); }, 5s));  // it is told, too
  site.pass(2s);
  CHECK_FALSE(agent.keepsCredentials());
  CHECK(site.bmc(bmcAddress).logouts.size() == logouts + 1);

  const auto requests = requestsTo(site.bmc(bmcAddress));
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 2min));
  CHECK(site.resets(bmcAddress) == 1);  // Ironic did it
  site.pass(1min);
  CHECK(*requests == 0);  // neither polls nor commands
  CHECK(site.holders("a") == 0);
}

TEST_CASE("an approval that is given again brings rights and passwords back") {
  Site site;
  servedHost(site);
  auto& agent = site.box("near").life->agent;
  site.changeAgent("near", R"({"approved":false})");
  REQUIRE(site.until([&] { return !agent.approved() && !agent.keepsCredentials(); }, 10s));
  site.changeAgent("near", R"({"approved":true})");
  REQUIRE(site.until([&] { return site.holders("a") == 1; }, 1min));
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return site.settled("a"); }, 30s));
  CHECK(site.resets(bmcAddress) == 2);
}

TEST_CASE("a command that is under way when the approval is revoked is not repeated by anybody") {
  Site site;
  restingHost(site);
  auto& bmc = site.bmc(bmcAddress);
  bmc.obeys = false;  // the server takes its time
  site.setOnline("a", true);
  REQUIRE(site.until([&] { return site.resets(bmcAddress) == 1; }, 30s));
  site.changeAgent("near", R"({"approved":false})");
  REQUIRE(site.until([&] { return site.holders("a") == 0; }, 5s));
  bmc.powerState = "On";  // it follows in the end
  REQUIRE(site.until([&] { return site.host("a")->status.poweredOn; }, 15min));
  site.pass(1min);
  CHECK(site.resets(bmcAddress) == 1);
  CHECK_FALSE(site.box("near").life->agent.keepsCredentials());
  CHECK(site.box("near").journal.repeated == 0);
}

TEST_CASE("an agent whose link is cut when its approval is revoked loses its rights with its lease") {
  Site site;
  servedHost(site);
  auto& agent = site.box("near").life->agent;
  site.cut("near");
  site.changeAgent("near", R"({"approved":false})");
  site.pass(16s);
  CHECK(site.holders("a") == 0);
  site.setOnline("a", false);
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }, 5min));
  CHECK(site.resets(bmcAddress) == 1);
  site.mend("near");
  REQUIRE(site.until([&] { return agent.hosts() == 0 && !agent.approved() && !agent.keepsCredentials(); }, 15s));
}
