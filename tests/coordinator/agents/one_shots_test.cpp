// NMI and AC cycle by annotation: once or not at all, at once or not at all (docs/decisions/0024).
#include "tests/coordinator/agents/agents_only.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto nmi = "ingot.dev/nmi";
constexpr auto acCycle = "ingot.dev/ac-cycle";

struct Ordered : AgentsOnly {
  Ordered() {
    machine().resetTypes = R"("On","ForceOff","GracefulShutdown","ForceRestart","Nmi","FullPowerCycle")";
    rest();
  }
  ~Ordered() { network.beforeRequest = {}; }

  void ask(const std::string& annotation, const std::string& value = "") {
    patchHost("a", fmt::format(R"({{"metadata":{{"annotations":{{"{}":"{}"}}}}}})", annotation, value));
  }
  bool asked(const std::string& annotation) { return host("a")->metadata.annotations.contains(annotation); }
  int sent(const std::string& type) {
    return static_cast<int>(std::ranges::count_if(machine().journal, [&](const std::string& write) {
      return write.find("\"ResetType\":\"" + type + "\"") != std::string::npos;
    }));
  }
  // The last Event of this reason holds these words.
  bool tells(const std::string& reason, const std::string& words, base::Duration limit = 1min) {
    return until(
        [&] {
          const auto texts = eventMessages("metal", reason);
          return !texts.empty() && texts.back().find(words) != std::string::npos;
        },
        limit);
  }
};

}  // namespace

TEST_CASE("an NMI is sent once for its annotation, which is off before") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.pass(10s);
  bool wasAsked = false;
  site.machine().onReset = [&] { wasAsked = site.asked(nmi); };
  site.ask(nmi, base::formatTime(site.loop.clock.wall()));
  CHECK(site.tells("NMISent", "has sent the host an NMI"));
  CHECK_FALSE(wasAsked);
  CHECK_FALSE(site.asked(nmi));
  site.pass(2min);
  CHECK(site.sent("Nmi") == 1);
  CHECK(site.machine().powerState == "On");

  site.ask(nmi);  // a second one, without a time
  CHECK(site.until([&] { return site.sent("Nmi") == 2; }));
  site.pass(1min);
  CHECK(site.sent("Nmi") == 2);
  CHECK(site.eventMessages("metal", "NMIFailed").empty());
}

TEST_CASE("what cannot be done at once is refused with its reason, and is not done later") {
  Ordered site;
  SECTION("the host is off") {
    site.ask(nmi);
    CHECK(site.tells("NMIFailed", "the host is off"));
    site.setOnline("a", true);
  }
  SECTION("it was asked for too long ago") {
    REQUIRE(site.isRunning());
    site.ask(nmi, base::formatTime(site.loop.clock.wall() - 6min));
    CHECK(site.tells("NMIFailed", "and stands for 5 min"));
  }
  SECTION("its value is no time") {
    REQUIRE(site.isRunning());
    site.ask(nmi, "now");
    CHECK(site.tells("NMIFailed", "the annotation's value \"now\" is neither empty nor the time"));
  }
  SECTION("the agent is gone") {
    REQUIRE(site.isRunning());
    site.killAgent("near");
    site.pass(1min);
    site.ask(nmi);
    CHECK(site.tells("NMIFailed", "no agent serves this host"));
    site.startAgent("near");
  }
  SECTION("the BMC does not offer it") {
    REQUIRE(site.isRunning());
    site.pass(10s);
    site.machine().resetTypes = R"("On","ForceOff")";
    site.ask(nmi);
    CHECK(site.tells("NMIFailed", "knows no way to do nmi"));
  }
  site.pass(5min);
  CHECK_FALSE(site.asked(nmi));
  CHECK(site.sent("Nmi") == 0);
  CHECK(site.eventMessages("metal", "NMISent").empty());
}

TEST_CASE("a host that must not be off keeps its input power") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.patchHost("a", R"({"spec":{"disablePowerOff":true}})");
  site.pass(10s);
  const auto before = site.resets("10.0.0.1");
  site.ask(acCycle);
  CHECK(site.tells("ACCycleFailed", "spec.disablePowerOff forbids it"));
  site.pass(1min);
  CHECK(site.resets("10.0.0.1") == before);
}

TEST_CASE("of two orders at once the NMI is carried out, and the other one is refused") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.pass(10s);
  const auto before = site.resets("10.0.0.1");
  site.patchHost("a", R"({"metadata":{"annotations":{"ingot.dev/nmi":"","ingot.dev/ac-cycle":""}}})");
  CHECK(site.tells("NMISent", "has sent the host an NMI"));
  CHECK(site.tells("ACCycleFailed", "about to do something else"));
  site.pass(1min);
  CHECK(site.resets("10.0.0.1") == before + 1);
}

TEST_CASE("how it ended is told, though it could not be saved at first, or is not known") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.pass(10s);
  SECTION("the API is away when an NMI was sent") {
    int failures = 0;
    site.machine().onReset = [&] {
      site.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest& request) {
        if (request.method != "PATCH" || request.target.find("baremetalhosts/a/status") == std::string::npos) return;
        ++failures;
        throw net::HttpError(net::HttpError::Code::reset, "the API is away");
      };
    };
    // something to save in the pass that tells of it
    site.ask(nmi);
    REQUIRE(site.until([&] { return site.sent("Nmi") == 1; }));
    site.patchHost("a", R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"force\":true,\"mode\":\"hard\"}"}}})");
    site.pass(90s);
    CHECK(failures > 0);
    site.network.beforeRequest = {};
    CHECK(site.tells("NMISent", "has sent the host an NMI", 5min));
    CHECK(site.sent("Nmi") == 1);
  }
  SECTION("the BMC has accepted an AC cycle and goes on answering") {
    site.ask(acCycle);
    CHECK(site.tells("ACCycleFailed", "is not known: ", 10min));
    CHECK(site.until([&] { return site.machine().powerState == "On"; }, 5min));
    CHECK(site.sent("FullPowerCycle") == 1);
  }
}

TEST_CASE("an AC cycle ends with the host as it is wanted") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.pass(10s);
  base::MonoTime silentUntil{};
  site.machine().instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (site.loop.clock.now() < silentUntil) return net::HttpResponse{.status = 0};
    if (request.body.find("FullPowerCycle") != std::string::npos) silentUntil = site.loop.clock.now() + 3min;
    return std::nullopt;
  };
  const auto before = site.machine().journal.size();
  site.ask(acCycle);
  CHECK(site.tells("ACCycleDone", "without input power for a moment", 10min));
  CHECK(site.until([&] { return site.machine().powerState == "On" && site.host("a")->status.poweredOn; }, 5min));
  CHECK(site.at("ForceOff", before) < site.at("FullPowerCycle", before));
  CHECK(site.at("FullPowerCycle", before) < site.at("\"On\"", before));  // not before the BMC is back
  CHECK(site.sent("FullPowerCycle") == 1);
}

TEST_CASE("a host that has lost its live ISO with its input power boots from it again") {
  Ordered site;
  site.provision();
  REQUIRE(site.becomes("provisioned"));
  site.pass(10s);
  base::MonoTime silentUntil{};
  site.machine().instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (site.loop.clock.now() < silentUntil) return net::HttpResponse{.status = 0};
    if (request.body.find("FullPowerCycle") == std::string::npos) return std::nullopt;
    silentUntil = site.loop.clock.now() + 3min;
    site.machine().media.clear();
    site.machine().bootEnabled = "Disabled";
    return std::nullopt;
  };
  const auto before = site.machine().journal.size();
  site.ask(acCycle);
  REQUIRE(site.until([&] { return site.at("\"On\"", before) < site.machine().journal.size(); }, 10min));
  CHECK(site.at("/Insert", before) < site.at("\"On\"", before));
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
}

TEST_CASE("a coordinator that dies over an NMI does not send a second one") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.pass(10s);
  SECTION("the annotation could not be taken off: nothing was sent") {
    int refused = 0;
    site.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest& request) {
      if (request.method != "PATCH" || request.body.find(R"("ingot.dev/nmi":null)") == std::string::npos) return;
      ++refused;
      throw net::HttpError(net::HttpError::Code::reset, "the API is away");
    };
    site.ask(nmi);
    REQUIRE(site.until([&] { return refused >= 2; }, 5min));
    CHECK(site.sent("Nmi") == 0);
    site.killCoordinator();
    site.network.beforeRequest = {};
    site.pass(2s);
    site.startCoordinator();
    REQUIRE(site.until([&] { return !site.asked(nmi); }, 5min));
    site.pass(1min);
    CHECK(site.sent("Nmi") <= 1);  // none where the agent had not come back by then
  }
  SECTION("the BMC has taken it") {
    bool taken = false;
    site.machine().onReset = [&] { taken = true; };
    site.ask(nmi);
    REQUIRE(site.until([&] { return taken; }));
    site.killCoordinator();
    site.pass(2s);
    site.startCoordinator();
    site.pass(2min);
    CHECK(site.sent("Nmi") == 1);
  }
}

TEST_CASE("a host in another state than available or provisioned is left alone") {
  Ordered site;
  REQUIRE(site.isRunning());
  site.machine().onReset = [&] { site.machine().obeys = false; };  // it stays in deprovisioning, which wants it off
  site.provision();
  REQUIRE(site.becomes("provisioning"));
  site.ask(nmi);
  CHECK(site.tells("NMIFailed", "the host is provisioning; it is possible once it is available or provisioned"));
  CHECK_FALSE(site.asked(nmi));
  CHECK(site.sent("Nmi") == 0);
}
