#include "coordinator/host/power_plan.hpp"

#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

HostBuilder provisioned() { return aHost(State::provisioned).image("u").deployed("u"); }

TEST_CASE("what happens to the power follows from wish, record and reading", "[host][power]") {
  struct Row {
    std::string_view why;
    api::BareMetalHost host;
    std::optional<bool> seen;
    PowerMove move;
    RebootMode mode = RebootMode::soft;
  };
  constexpr auto hard = RebootMode::hard;
  const auto reboot = api::annotation::reboot;
  const Row rows[] = {
      {"unknown: nothing is done on a guess", provisioned().online(), std::nullopt, PowerMove::wait},
      {"seen on, recorded off", provisioned().online(), true, PowerMove::record},
      {"as wanted", provisioned().online().poweredOn(), true, PowerMove::none},
      {"wanted on", provisioned().online(), false, PowerMove::turnOn},
      {"wanted off", provisioned().poweredOn(), true, PowerMove::turnOff},
      {"off is fine", provisioned(), false, PowerMove::none},
      {"reboot: off first", provisioned().online().poweredOn().annotated(reboot), true, PowerMove::turnOff},
      {"reboot hard", provisioned().online().poweredOn().annotated(reboot, R"({"mode":"hard"})"), true,
       PowerMove::turnOff, hard},
      {"reboot: now off, so on again", provisioned().online().annotated(reboot), false, PowerMove::dropReboot},
      {"held off by a client", provisioned().online().annotated("reboot.metal3.io/x"), false, PowerMove::none},
      {"after a failure the plug is pulled", provisioned().poweredOn().failed(ErrorType::powerManagement), true,
       PowerMove::turnOff, hard},
  };
  for (const Row& row : rows) {
    INFO(row.why);
    const PowerPlan plan = planPower(row.host, State::provisioned, row.seen);
    CHECK(plan.move == row.move);
    CHECK(plan.mode == row.mode);
  }
}

TEST_CASE("an available host is rebooted only by force", "[host][power]") {
  const auto asked = aHost(State::available).online().poweredOn().annotated(api::annotation::reboot);
  CHECK(planPower(asked, State::available, true).move == PowerMove::none);
  const auto forced =
      aHost(State::available).online().poweredOn().annotated(api::annotation::reboot, R"({"force":true})");
  CHECK(planPower(forced, State::available, true).move == PowerMove::turnOff);
}

}  // namespace
}  // namespace ingot::tests
