// The steps of a boot by an agent beside Ironic, and of an ejection: something else happens in the middle of them.
#pragma once

#include "tests/coordinator/agents/live_iso_site.hpp"

namespace ingot::tests {

struct LiveIsoStep {
  std::string name;
  std::function<bool(LiveIsoSite&)> isReached;

  static LiveIsoStep written(const std::string& word) {
    return {"the BMC was told " + word, [word](LiveIsoSite& site) { return site.count(word) > 0; }};
  }
  static LiveIsoStep nodeIs(ironic::State state) {
    return {"the node is " + std::string(json::textOf(state)),
            [state](LiveIsoSite& site) { return site.nodeState() == state; }};
  }
  static LiveIsoStep marked(const std::string& mark) {
    return {"the node is marked " + mark, [mark](LiveIsoSite& site) { return site.mark() == mark; }};
  }
  static LiveIsoStep lent() {
    return {"the node is lent", [](LiveIsoSite& site) { return site.isLent(); }};
  }
};

inline constexpr unsigned liveBootSteps = 10, liveEjectSteps = 4;

inline LiveIsoStep liveBootStep(unsigned at) {
  const std::vector<LiveIsoStep> steps{LiveIsoStep::marked("lent"),
                                       LiveIsoStep::lent(),
                                       LiveIsoStep::written("/Eject"),
                                       LiveIsoStep::written("/Insert"),
                                       LiveIsoStep::written("BootSourceOverride"),
                                       LiveIsoStep::written("\"On\""),
                                       LiveIsoStep::marked("booted"),
                                       LiveIsoStep::nodeIs(ironic::State::manageable),
                                       LiveIsoStep::nodeIs(ironic::State::adopting),
                                       LiveIsoStep::nodeIs(ironic::State::active)};
  return steps.at(at);
}

inline LiveIsoStep liveEjectStep(unsigned at) {
  const std::vector<LiveIsoStep> steps{LiveIsoStep::lent(), LiveIsoStep::written("ForceOff"),
                                       LiveIsoStep::written("/Eject"), LiveIsoStep::nodeIs(ironic::State::deleting)};
  return steps.at(at);
}

inline void bootUntil(LiveIsoSite& site, const LiveIsoStep& step) {
  site.rest();
  site.provision();
  REQUIRE(site.until([&] { return step.isReached(site); }, 5min));
}

inline void ejectUntil(LiveIsoSite& site, const LiveIsoStep& step) {
  site.run();
  site.giveBack();
  REQUIRE(site.until([&] { return step.isReached(site); }, 5min));
}

inline void checkRuns(LiveIsoSite& site) {
  CHECK(site.machine().media == live);
  CHECK(site.machine().bootEnabled == "Continuous");
  CHECK(site.machine().powerState == "On");
  CHECK(site.nodeState() == ironic::State::active);
  CHECK_FALSE(site.isLent());
  CHECK(site.mark() == "booted");
  CHECK(site.ironic.verbs() == std::vector<std::string>{"manage", "adopt"});
}

inline void checkFree(LiveIsoSite& site) {
  CHECK(site.machine().media.empty());
  CHECK(site.machine().powerState == "Off");
  CHECK_FALSE(site.isLent());
  CHECK(site.mark().empty());
}

}  // namespace ingot::tests
