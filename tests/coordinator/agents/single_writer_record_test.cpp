// What every test with a Site relies on: whoever breaks the rule of the single writer is on record.
#include "ironic-client/client.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using Lines = std::vector<std::string>;

// Host "a" is at rest, and agent "near" may act on it.
void hostInAgentsHands(Site& site) {
  restingHost(site);
  REQUIRE(site.until([&] { return site.holders("a") == 1; }, 1min));
  REQUIRE(site.workBegun > 0);  // its node was made manageable, and available
  REQUIRE(site.broken.empty());
}

}  // namespace

TEST_CASE("work that Ironic begins while an agent might act on the machine is on record") {
  Site site;
  hostInAgentsHands(site);
  const int before = site.workBegun;
  ironic::Settings settings;
  settings.endpoint = "http://ironic:6385/v1";
  ironic::Client operators(site.runtime, site.network, settings);
  site.loop.run(operators.changePower(site.host("a")->status.provisioning.ID, ironic::PowerTarget::on, std::nullopt));
  CHECK(site.workBegun == before + 1);
  CHECK(std::exchange(site.broken, {}) == Lines{"Ironic began \"power on\" on a while 1 agents might act on it"});
}

TEST_CASE("a reset that an agent asks a BMC for while Ironic owns the machine is on record") {
  Site site;
  hostInAgentsHands(site);
  site.bmc("10.0.0.1").onReset();
  CHECK(site.broken.empty());  // the machine is the agent's
  site.ironic.put("metal~a", ironic::State::cleanWait);
  site.bmc("10.0.0.1").onReset();
  CHECK(std::exchange(site.broken, {}) ==
        Lines{"an agent changed a while Ironic owned it: it is in the state \"clean wait\""});
}
