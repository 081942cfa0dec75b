// Passwords: read once for agent and Ironic, tried by the agent first.
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a Secret that is changed to a wrong password is told within ten seconds, and healed by the next change") {
  Site site;
  restingHost(site);
  if (GENERATE(false, true)) {
    site.setOnline("a", true);  // in the middle of a command
    REQUIRE(site.until([&] { return site.resets("10.0.0.1") == 1; }, 30s));
  }
  site.setPassword("a", "wrong");
  CHECK(site.until([&] { return site.host("a")->status.errorType == "registration error"; }, 10s));
  CHECK(site.host("a")->status.errorMessage.find("refused the user name or password") != std::string::npos);
  const int logins = site.bmc("10.0.0.1").logins;
  site.pass(50s);
  CHECK(site.bmc("10.0.0.1").logins == logins);
  site.setPassword("a", "s3cret");
  CHECK(site.until([&] { return site.settled("a"); }, 20s));
}

TEST_CASE("white space around a password is no part of it, for the agent as for Ironic") {
  Site site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false, "\v s3cret\f\n");
  REQUIRE(site.until([&] { return site.settled("a"); }));
}

TEST_CASE("facts learnt with the old password prove nothing of the new one: Ironic hears only of one that works") {
  Site site;
  restingHost(site);  // its power is known, to the second, by the password that is about to be replaced
  const auto before = static_cast<std::ptrdiff_t>(site.ironic.journal().size());
  const auto told = [&] {
    const auto& all = site.ironic.journal();
    return std::any_of(all.begin() + before, all.end(), [](const auto& call) { return call.method == "PATCH"; });
  };
  site.setPassword("a", "wrong");
  site.pass(1min);
  CHECK(site.bmc("10.0.0.1").logins == 2);
  CHECK_FALSE(told());
  site.bmc("10.0.0.1").password = "changed";
  site.setPassword("a", "changed");
  REQUIRE(site.until([&] { return site.settled("a"); }, 2min));
  CHECK(told());
}

TEST_CASE("a Secret that lacks a password is no reason to try an empty one") {
  Site site;
  restingHost(site);
  const int logins = site.bmc("10.0.0.1").logins;
  site.setPassword("a", "");
  site.pass(30s);
  CHECK(site.bmc("10.0.0.1").logins == logins);
  CHECK(site.host("a")->status.errorMessage.find("password") != std::string::npos);
}

TEST_CASE("a password that an operator takes out of the Secret is taken from the agent, and its right with it") {
  Site site;
  restingHost(site);
  auto& agent = site.box("near").life->agent;
  REQUIRE(site.until([&] { return site.holders("a") == 1; }, 1min));
  site.setPassword("a", "");
  REQUIRE(site.until([&] { return site.holders("a") == 0 && agent.hosts() == 0; }, 15s));
  site.pass(2s);
  CHECK_FALSE(agent.keepsCredentials());
  const int logins = site.bmc("10.0.0.1").logins;
  site.pass(1min);
  CHECK(site.bmc("10.0.0.1").logins == logins);
  CHECK(agent.hosts() == 0);

  site.setPassword("a", "s3cret");
  CHECK(site.until([&] { return site.settled("a") && site.holders("a") == 1; }, 1min));
  site.setOnline("a", true);
  CHECK(site.until([&] { return site.settled("a"); }, 30s));
  CHECK(site.resets("10.0.0.1") == 1);
  CHECK(site.broken.empty());
}

TEST_CASE("a Secret that is without a password for a moment costs the agent no session") {
  Site site;
  restingHost(site);
  REQUIRE(site.until([&] { return site.holders("a") == 1; }, 1min));
  const auto logouts = site.bmc("10.0.0.1").logouts.size();
  site.setPassword("a", "");
  site.pass(2s);
  site.setPassword("a", "s3cret");
  CHECK(site.until([&] { return site.settled("a"); }, 20s));
  CHECK(site.box("near").life->agent.hosts() == 1);
  CHECK(site.bmc("10.0.0.1").logouts.size() == logouts);
}
