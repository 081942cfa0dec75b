// An agent that is killed at any step of any of its works: around each request to the BMC, each write of its journal
// and each word to the coordinator, and between two requests.
#include "tests/coordinator/agents/deadly.hpp"

#include <set>

using namespace ingot;
using namespace ingot::tests;

namespace {

using Steps = std::set<Step>;
const Steps onRequests{Step::unsent, Step::obeyed, Step::between};
const Steps told{Step::unsent, Step::obeyed, Step::between, Step::untold, Step::told};
const Steps all{Step::unsent, Step::obeyed, Step::between, Step::unwritten, Step::written, Step::untold, Step::told};

struct Work {
  std::string name;
  Steps steps;  // at which it can die
  std::function<void(Deadly&)> prepare;
  std::function<void(Deadly&)> begin;
  std::function<bool(Deadly&)> isDone;
  std::function<void(Deadly&, const std::optional<Moment>& death)> judge;
};

void doNothing(Deadly&) {}

// Each wish costs as many resets as without a death, and no command is begun twice.
std::function<void(Deadly&, const std::optional<Moment>&)> costs(int resets) {
  return [resets](Deadly& site, const auto&) {
    site.pass(1min);
    CHECK(site.resetsSince() == resets);
  };
}

// At most once: of an order whose outcome nobody knows the user is told.
void once(Deadly& site, const std::optional<Moment>& death) {
  site.pass(5min);
  const int done = site.protocol == "ipmi" ? site.resetsSince() : site.count("Nmi") + site.count("FullPowerCycle");
  CHECK(done <= 1);
  if (!death) CHECK(done == 1);
  CHECK(site.isKnown("On"));
}

bool isRestarted(Deadly& site) { return !site.isAnnotated("reboot.metal3.io") && site.isKnown("On"); }
void askForRestart(Deadly& site) { site.annotate("reboot.metal3.io", R"({"mode":"hard","force":true})"); }

void checkNews(Deadly& site, const std::optional<Moment>&) {
  site.pass(5min);
  CHECK(site.news() == 3);  // each once
}

void beginInspection(Deadly& site) {
  site.addHost("a", "10.0.0.1", false);
  site.patchHost("a", R"({"metadata":{"annotations":{"inspect.metal3.io":null}}})");
}

void checkBoot(Deadly& site, const std::optional<Moment>& death) {
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
  CHECK(site.machine().powerState == "On");
  CHECK(site.underRunningHost == 0);
  // It begins anew at most once, and never resets a host that runs from what was inserted.
  CHECK(site.count("/Insert") <= (death ? 2 : 1));
  CHECK(site.machine().journal.back().find("ForceOff") == std::string::npos);
}

void occupy(Deadly& site) {
  site.log(2);
  site.settle(
      R"({"metadata":{"annotations":{"ingot.dev/cleaning-depth":"crypto","ingot.dev/cleaning-steps":"clear-sel",)"
      R"("inspect.metal3.io":null}},"spec":{"automatedCleaningMode":"metadata"}})");
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.pass(10s);
}

void checkErasure(Deadly& site, const std::optional<Moment>& death) {
  // Of a request whose answer nobody has heard nobody knows that it was obeyed, and twice does no harm (0022).
  const bool isUnheard = death && death->step == Step::obeyed && death->what.find("/erase") != std::string::npos;
  CHECK(site.drives.erasures() == (isUnheard ? 3 : 2));
  for (const auto& drive : site.drives.drives) CHECK_FALSE(drive.erasures.empty());
  CHECK_FALSE(site.drives.lostPower);
  CHECK(site.count("/clear") >= 1);
  CHECK(site.certificates().size() == 1);
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
}

std::vector<Work> worksOf(const std::string& protocol) {
  const auto online = [](bool on) { return [on](Deadly& site) { site.setOnline("a", on); }; };
  const auto isKnown = [](const std::string& power) { return [power](Deadly& site) { return site.isKnown(power); }; };
  const auto order = [](const std::string& name) { return [name](Deadly& site) { site.annotate(name, ""); }; };
  const auto isToldOf = [](const std::string& what) {  // NMISent, NMIFailed
    return [what](Deadly& site) {
      return std::ranges::any_of(site.eventReasons("metal"), [&](const auto& it) { return it.starts_with(what); });
    };
  };
  const auto settle = [](Deadly& site) { site.settle(); };
  const auto settleOn = [](Deadly& site) { site.settleOn(); };
  std::vector<Work> works{
      {"power on", all, settle, online(true), isKnown("On"), costs(1)},
      {"power off", all, settleOn, online(false), isKnown("Off"), costs(1)},
      {"restart", all, settleOn, askForRestart, isRestarted, costs(2)},
      {"NMI", all, settleOn, order("ingot.dev/nmi"), isToldOf("NMI"), once},
      {"logs", told,
       [](Deadly& site) {
         site.log(1);
         site.settleOn();
         site.pass(10min);
         REQUIRE(site.news() == 0);  // history
       },
       [](Deadly& site) { site.log(4); }, [](Deadly& site) { return site.news() >= 3; }, checkNews}};
  if (protocol == "ipmi") return works;
  works.push_back({"AC cycle", all, settleOn, order("ingot.dev/ac-cycle"), isToldOf("ACCycle"), once});
  works.push_back(
      {"inspection", told, doNothing, beginInspection, [](Deadly& site) { return site.state("a") == "available"; },
       [](Deadly& site, const auto&) { CHECK(site.host("a")->status.hardware.value().storage.size() == 2); }});
  works.push_back({"boot", all, settle, [](Deadly& site) { site.provision(); },
                   [](Deadly& site) { return site.state("a") == "provisioned"; }, checkBoot});
  works.push_back({"erasure and clean-up", all, occupy, [](Deadly& site) { site.giveBack(); },
                   [](Deadly& site) { return site.state("a") == "available"; }, checkErasure});
  return works;
}

// Does the work with that death; the moments that it has.
std::vector<Moment> doWork(const std::string& protocol, const Work& work, const std::optional<Moment>& death) {
  INFO(protocol << ", " << work.name << ": " << (death ? death->text() : "no death"));
  Deadly site(protocol);
  work.prepare(site);
  site.watch(death);
  work.begin(site);
  if (death) REQUIRE(site.dies());
  REQUIRE(site.until([&] { return work.isDone(site); }, 1h));
  site.pass(5s);
  const auto moments = site.deaths.seen;
  work.judge(site, death);
  CHECK(site.box("near").journal.repeated == 0);
  return moments;
}

}  // namespace

TEST_CASE("an agent may die at any step of any work: it ends the same, and nothing is done twice that must not be",
          "[deaths]") {
  const std::string protocol = GENERATE("redfish", "ipmi");
  for (const auto& work : worksOf(protocol)) {
    const auto moments = doWork(protocol, work, std::nullopt);
    Steps covered;
    for (const auto& moment : moments) {
      doWork(protocol, work, moment);
      covered.insert(moment.step);
    }
    INFO(protocol << ", " << work.name);
    CHECK(covered == work.steps);
  }
}
