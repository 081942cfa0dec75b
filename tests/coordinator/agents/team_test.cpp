// What remediation takes for proof that a host is off: what the agent that serves it has read last.
#include "coordinator/agents/team.hpp"
#include "tests/coordinator/agents/fleet.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::agents::Team;

class NoBackend final : public coordinator::host::PowerBackend {
 public:
  base::Task<std::optional<bool>> poweredOn() override { co_return std::nullopt; }
  base::Task<coordinator::host::Progress> powerOn(coordinator::host::PowerOn) override {
    co_return coordinator::host::Done{};
  }
  base::Task<coordinator::host::Progress> powerOff(coordinator::host::PowerOff, std::string) override {
    co_return coordinator::host::Done{};
  }
  base::Task<bool> hasPowerFailure() override { co_return false; }
};

struct TeamSite : Fleet {
  TeamSite() : Fleet(1, {}, false) {
    team.start(vital);
    clock.advance(5s);
  }
  ~TeamSite() { run(vital.close()); }

  [[nodiscard]] std::optional<Team::Reading> last() const { return team.lastReading(uid(0)); }

  void tell(const std::string& power, std::int64_t leasesLater = 0, const std::string& raw = "") {
    const wire::Token& token = lastGrant.value().token;
    say(wire::Facts{.host = uid(0),
                    .seq = ++facts,
                    .term = token.term,
                    .lease = token.lease + leasesLater,
                    .stampMs = stamp(),
                    .power = power,
                    .rawPower = raw,
                    .powerAgeMs = 0});
    clock.advance(100ms);
  }

  void switchOff() {
    const auto host = hosts.find({"metal", "host-0"});
    NoBackend backend;
    static_cast<void>(
        run(team.power().turnOff({.namespace_ = "metal",
                                  .name = "host-0",
                                  .uid = host->metadata.uid,
                                  .bmcAddress = host->spec.bmc.address,
                                  .wish = {.uid = host->metadata.uid, .generation = host->metadata.generation}},
                                 backend, {.mode = coordinator::host::RebootMode::hard})));
    clock.advance(100ms);
  }

  int facts = 0;
  base::VitalTasks vital{runtime.executor, runtime.log};
  Team team{{.runtime = runtime,
             .client = *client,
             .hosts = hosts,
             .secrets = secrets,
             .secretUsers = secretUsers,
             .events = events,
             .link = *link,
             .ironic = nullptr,
             .wake = [](const kube::ObjectKey&) {},
             .term = term,
             .timing = {}}};
};

}  // namespace

TEST_CASE("a host that is going down is not off, and one that comes up not on") {
  TeamSite site;
  site.approve();
  site.clock.advance(10s);
  site.tell("Off", 0, "Off");
  REQUIRE(site.last());
  CHECK(site.last()->power == bmc::Power::off);
  site.tell("Off", 0, "PoweringOff");
  CHECK(site.last()->power == bmc::Power::unknown);
  site.tell("On", 0, "PoweringOn");
  CHECK(site.last()->power == bmc::Power::unknown);
  site.tell("On", 0, "On");
  CHECK(site.last()->power == bmc::Power::on);
}

TEST_CASE("what was read under a grant that was never given is not believed") {
  TeamSite site;
  site.approve();
  site.clock.advance(30s);
  REQUIRE(site.lastGrant);
  site.tell("On");
  REQUIRE(site.last());
  CHECK(site.last()->power == bmc::Power::on);
  site.tell("Off", 1000);
  CHECK(site.last()->power == bmc::Power::on);
  site.tell("Off");
  CHECK(site.last()->power == bmc::Power::off);
}

TEST_CASE("an agent has read nothing of a host that it does not serve, or has not looked at yet", "[agents]") {
  TeamSite site;
  CHECK_FALSE(site.last());
  site.approve();
  site.clock.advance(10s);
  REQUIRE(site.lastGrant);
  CHECK_FALSE(site.last());
  site.tell("Off");
  REQUIRE(site.last());
  CHECK(site.last()->power == bmc::Power::off);
  CHECK(site.clock.now() - site.last()->at < 1s);
}

TEST_CASE("what an agent read before or during a command proves nothing", "[agents]") {
  TeamSite site;
  site.approve();
  site.clock.advance(10s);
  site.tell("On");
  CHECK(site.last()->power == bmc::Power::on);
  site.switchOff();
  REQUIRE(site.lastCommand);
  CHECK(site.lastCommand->action == "hard-off");
  CHECK(site.last()->power == bmc::Power::unknown);
  site.tell("Off");
  CHECK(site.last()->power == bmc::Power::unknown);
}

}  // namespace ingot::tests
