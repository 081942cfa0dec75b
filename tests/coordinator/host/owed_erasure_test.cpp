// A backend that has left the disks of a host to an agent, and a coordinator that has no agents (docs/decisions/0022).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::State;

TEST_CASE("a coordinator without agents gives no host back whose disks are owed to one", "[host]") {
  Bench b(aHost(State::deprovisioning).deployed("u"));
  b.it.spec.automatedCleaningMode = "metadata";
  b.script.owesErasure = true;
  b.pass();
  CHECK(b.state() == State::deprovisioning);
  CHECK(b.it.status.errorMessage.find("Ironic has left the disks of this host to an agent") != std::string::npos);
  CHECK(b.script.count("deprovision") == 0);
  CHECK(b.script.count("takeBack") == 0);

  b.it.spec.automatedCleaningMode = "disabled";
  b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.script.count("takeBack") == 1);
}

}  // namespace
}  // namespace ingot::tests
