// The state that most tests about power begin in.
#pragma once

#include "tests/coordinator/agents/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

// A host that is available, off, known to be off, and served by agent "near".
inline void restingHost(Site& site, const std::string& name = "a", const std::string& address = "10.0.0.1") {
  site.serveAll("near");
  site.addHost(name, address, false);
  REQUIRE(site.until([&] { return site.settled(name); }));
  site.pass(std::chrono::seconds(5));  // the agent has its right back from Ironic
}

}  // namespace ingot::tests
