// Two hosts of one BMC that an agent boots from live ISOs beside Ironic (docs/decisions/0038, 0018).
#include "tests/coordinator/agents/live_iso_steps.hpp"
#include "tests/coordinator/agents/two_systems.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string otherIso = "http://images/other.iso";

struct TwoHosts : LiveIsoSite {
  TwoHosts() {
    systemAt["10.0.0.2"] = "10.0.0.1/redfish/v1/Systems/2";
    addBmc("10.0.0.2").hasMedia = true;
    other().serial = "S2";
    both = std::make_unique<TwoSystems>(machine(), other());
    network.serve("https://10.0.0.1:443", *both);
    rest();
    addHost("b", "10.0.0.2", false);
    REQUIRE(until([&] { return settled("b"); }));
    patchHost("b", R"({"metadata":{"annotations":{"ingot.dev/boot-by":"agent"}}})");
    pass(5s);
    forgetJournals();
    other().journal.clear();
  }
  ~TwoHosts() {
    killAgent("near");
    killCoordinator();
    network.serve("https://10.0.0.1:443", machine());
  }
  FakeRedfish& other() { return bmc("10.0.0.2"); }
  void provisionOther() {
    patchHost("b", fmt::format(R"({{"spec":{{"online":true,"image":{{"url":"{}","format":"live-iso"}}}}}})", otherIso));
  }
  bool otherBecomes(const std::string& wanted) {
    return until([&] { return state("b") == wanted; }, 10min);
  }
  void checkOtherRuns() {
    CHECK(other().media == otherIso);
    CHECK(other().powerState == "On");
    CHECK(ironic.state("metal~b") == ironic::State::active);
  }
  [[nodiscard]] std::ptrdiff_t timesOtherSwitched(const std::string& word) {
    return std::ranges::count_if(other().journal,
                                 [&](const auto& write) { return write.find(word) != std::string::npos; });
  }
  std::unique_ptr<TwoSystems> both;
};

}  // namespace

TEST_CASE("two hosts of one BMC are booted from their live ISOs at a time, and given back") {
  TwoHosts site;
  site.provision();
  site.provisionOther();
  REQUIRE(site.becomes("provisioned"));
  REQUIRE(site.otherBecomes("provisioned"));
  CHECK(site.machine().media == live);
  CHECK(site.machine().powerState == "On");
  CHECK(site.nodeState() == ironic::State::active);
  site.checkOtherRuns();
  CHECK(site.count("\"On\"") == 1);
  CHECK(site.timesOtherSwitched("\"On\"") == 1);
  site.pass(10s);
  site.giveBack();
  site.patchHost("b", R"({"spec":{"online":false,"image":null}})");
  REQUIRE(site.becomes("available"));
  REQUIRE(site.otherBecomes("available"));
  checkFree(site);
  CHECK(site.other().media.empty());
  CHECK(site.other().powerState == "Off");
}

TEST_CASE("what is done to one host of a BMC in the middle of the other's boot leaves that alone") {
  TwoHosts site;
  site.provisionOther();
  REQUIRE(site.otherBecomes("provisioned"));
  site.pass(10s);
  const auto step = liveBootStep(GENERATE(as<unsigned>(), 1, 3, 5, 7));
  const auto what = GENERATE(as<std::string>(), "deleted", "given back", "rebooted", "another leads");
  INFO(step.name << ", " << what);
  site.ironic.clearJournal();
  site.provision();
  REQUIRE(site.until([&] { return step.isReached(site); }, 5min));
  const auto offs = site.count("ForceOff");
  if (what == "deleted") site.removeHost("b");
  if (what == "given back") site.patchHost("b", R"({"spec":{"online":false,"image":null}})");
  if (what == "rebooted")
    site.patchHost("b", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\"}"}}})");
  if (what == "another leads") {
    site.killCoordinator();
    site.startCoordinator();
  }
  REQUIRE(site.becomes("provisioned", 15min));
  CHECK(site.machine().media == live);
  CHECK(site.machine().powerState == "On");
  CHECK(site.nodeState() == ironic::State::active);
  if (what != "another leads") CHECK(site.count("ForceOff") == offs);
  site.pass(2min);
  if (what == "rebooted" || what == "another leads") {
    site.checkOtherRuns();
    CHECK(site.timesOtherSwitched("\"On\"") == (what == "rebooted" ? 2 : 1));
  } else {
    CHECK(site.other().media.empty());
    CHECK(site.other().powerState == "Off");
  }
}
