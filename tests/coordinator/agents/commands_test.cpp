// Power commands: who is given them, and whose word counts for what came of them.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Power;
using bmc::PowerAction;

namespace {

void answer(Parts& parts, const std::string& outcome) {
  const auto command = parts.last<wire::Command>().value();
  parts.say(
      wire::CommandResult{.host = command.host, .token = command.token, .outcome = outcome, .action = command.action});
  parts.clock.settle();
}

}  // namespace

TEST_CASE("nobody is commanded who has no right to act") {
  Parts parts;
  CHECK_FALSE(parts.commands.send(parts.uid(0), PowerAction::on));
  parts.serve();
  static_cast<void>(parts.grants.acquireBmc(parts.uid(0)));
  CHECK_FALSE(parts.commands.send(parts.uid(0), PowerAction::on));
  CHECK(parts.count<wire::Command>() == 0);
}

TEST_CASE("a command is under way until its agent tells how it ended, and its end is told once") {
  Parts parts;
  parts.serve();
  REQUIRE(parts.commands.send(parts.uid(0), PowerAction::on));
  parts.clock.settle();
  CHECK(parts.last<wire::Command>()->action == "on");
  REQUIRE(parts.commands.underWay(parts.uid(0)) != nullptr);
  answer(parts, "done");
  CHECK(parts.commands.underWay(parts.uid(0)) == nullptr);
  CHECK(parts.last<wire::Acknowledge>()->token == parts.last<wire::Command>()->token);
  const auto ended = parts.commands.takeEnded(parts.uid(0));
  REQUIRE(ended);
  CHECK(ended->action == PowerAction::on);
  CHECK_FALSE(parts.commands.takeEnded(parts.uid(0)));
}

TEST_CASE("power that was read before the last command proves nothing, nor does power that is on its way") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "Off"));
  CHECK(parts.commands.provedPower(parts.uid(0)) == Power::off);
  parts.clock.advance(1s);
  REQUIRE(parts.commands.send(parts.uid(0), PowerAction::on));
  CHECK(parts.facts.power(parts.uid(0)) == Power::off);
  CHECK(parts.commands.powerSince(parts.uid(0)) == Power::unknown);
  parts.clock.advance(1s);
  parts.tell(parts.reading(2, "Off", "PoweringOff"));
  CHECK(parts.commands.powerSince(parts.uid(0)) == Power::off);
  CHECK(parts.commands.provedPower(parts.uid(0)) == Power::unknown);
}

TEST_CASE("a connection that comes back has what is under way asked after") {
  Parts parts;
  parts.serve();
  REQUIRE(parts.commands.send(parts.uid(0), PowerAction::hardOff));
  parts.commands.askAfter(*parts.conversation.of("near"), "near");
  parts.clock.settle();
  REQUIRE(parts.last<wire::CommandQuery>());
  CHECK(parts.last<wire::CommandQuery>()->token == parts.last<wire::Command>()->token);
}

TEST_CASE("a result of a command that this agent was not given changes nothing, and is acknowledged for good") {
  Parts parts;
  parts.serve();
  REQUIRE(parts.commands.send(parts.uid(0), PowerAction::on));
  parts.clock.settle();
  auto token = parts.last<wire::Command>()->token;
  token.term += 1;
  parts.say(wire::CommandResult{.host = parts.uid(0), .token = token, .outcome = "done", .action = "on"});
  parts.clock.settle();
  CHECK(parts.last<wire::Acknowledge>()->token == token);
  CHECK(parts.commands.underWay(parts.uid(0)) != nullptr);
  CHECK_FALSE(parts.commands.takeEnded(parts.uid(0)));
}
