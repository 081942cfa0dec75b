// Commands that were sent, and how they ended.
#include "coordinator/agents/command_book.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::PowerAction;
using coordinator::agents::CommandBook;

namespace {

const base::MonoTime now{1000s};

CommandBook with(PowerAction action, wire::Token token = {1, 1, 1}) {
  CommandBook book({});
  book.sent("h", {.agent = "a", .token = token, .action = action, .sentAt = now});
  return book;
}

wire::CommandResult result(wire::Token token, std::string outcome = "done") {
  return {.host = "h", .token = token, .outcome = std::move(outcome)};
}

}  // namespace

TEST_CASE("a command is under way until it ends or patience does; a soft one may take its time") {
  const auto [action, patience] = GENERATE(table<PowerAction, base::Duration>({{PowerAction::on, 150s},
                                                                               {PowerAction::hardOff, 150s},
                                                                               {PowerAction::hardReboot, 300s},
                                                                               {PowerAction::hardRestart, 300s},
                                                                               {PowerAction::softOff, 660s},
                                                                               {PowerAction::softReboot, 660s}}));
  const auto book = with(action);
  CHECK(book.underWay("h", now + patience) != nullptr);
  CHECK(book.underWay("h", now + patience + 1ms) == nullptr);
}

TEST_CASE("only the result of the command under way ends it") {
  auto book = with(PowerAction::on);
  CHECK_FALSE(book.ended(result({1, 1, 2}), now));
  CHECK_FALSE(book.ended(result({2, 1, 1}), now));
  CHECK(book.underWay("h", now) != nullptr);
  CHECK(book.ended(result({1, 1, 1}), now));
  CHECK(book.underWay("h", now) == nullptr);
}

TEST_CASE("a result is taken once, and only while it is news") {
  auto book = with(PowerAction::on);
  book.ended(result({1, 1, 1}, "failed"), now);
  SECTION("at once") {
    CHECK(book.takeEnded("h", now + 1s));
    CHECK_FALSE(book.takeEnded("h", now + 1s));
  }
  SECTION("an old failure is no verdict on a new wish") { CHECK_FALSE(book.takeEnded("h", now + 61s)); }
}

TEST_CASE("after an unknown outcome the host gets time to do what it may have been told") {
  const auto [action, patience] = GENERATE(table<PowerAction, base::Duration>(
      {{PowerAction::on, 5s}, {PowerAction::hardOff, 5s}, {PowerAction::softOff, 660s}}));
  auto book = with(action);
  book.ended(result({1, 1, 1}, "unknown"), now);
  CHECK(book.underWay("h", now + patience - 1s) != nullptr);
  CHECK_FALSE(book.takeEnded("h", now + patience - 1s));
  CHECK(book.underWayAt("a", now + patience - 1s).empty());  // the agent has told all it knows
  SECTION("and no more") { CHECK(book.underWay("h", now + patience) == nullptr); }
  SECTION("or until a reading proves it") {
    book.proved("h");
    CHECK(book.underWay("h", now) == nullptr);
  }
}

TEST_CASE("a restart whose outcome is unknown is told at once: waiting would tell nothing") {
  const auto action = GENERATE(PowerAction::hardReboot, PowerAction::softReboot, PowerAction::hardRestart);
  auto book = with(action);
  book.ended(result({1, 1, 1}, "unknown"), now);
  CHECK(book.takeEnded("h", now));
}

TEST_CASE("what a command of an earlier coordinator came to counts where it matters") {
  struct Row {
    std::string outcome, action;
    bool waits, isNews;
  };
  const auto row = GENERATE(values<Row>({{"unknown", "soft-off", true, false},
                                         {"unknown", "on", true, false},
                                         {"unknown", "soft-reboot", false, true},
                                         {"done", "soft-reboot", false, true},
                                         {"done", "soft-off", false, false},
                                         {"failed", "on", false, false},
                                         {"unknown", "", false, false}}));
  INFO(row.outcome << " " << row.action);
  CommandBook book({});
  auto told = result({1, 1, 1}, row.outcome);
  told.action = row.action;
  book.adopt("a", told, now);
  CHECK((book.underWay("h", now) != nullptr) == row.waits);
  CHECK(book.takeEnded("h", now).has_value() == row.isNews);
}

TEST_CASE("a restart that another coordinator had done counts in place of ours, which the agent refuses") {
  auto done = result({1, 1, 1});
  done.action = "hard-restart";
  auto book = with(PowerAction::hardRestart, {2, 1, 1});
  SECTION("told before our command is refused") {
    book.adopt("a", done, now);
    book.ended(result({2, 1, 1}, "refused"), now);
  }
  SECTION("told after that") {
    book.ended(result({2, 1, 1}, "refused"), now);
    book.adopt("a", done, now);
  }
  const auto ended = book.takeEnded("h", now);
  REQUIRE(ended);
  CHECK(ended->result->outcome == "done");
  CHECK(ended->token == wire::Token{1, 1, 1});
}

TEST_CASE("what another coordinator had done says nothing once ours was carried out") {
  auto before = result({1, 1, 1}, "unknown");
  before.action = "hard-restart";
  auto book = with(PowerAction::hardRestart, {2, 1, 1});
  book.adopt("a", before, now);
  book.ended(result({2, 1, 1}), now);
  CHECK(book.takeEnded("h", now)->token == wire::Token{2, 1, 1});
  CHECK_FALSE(book.takeEnded("h", now));
}

TEST_CASE("when the last command was sent is remembered beyond its end") {
  auto book = with(PowerAction::on);
  book.ended(result({1, 1, 1}), now);
  static_cast<void>(book.takeEnded("h", now));
  CHECK(book.lastSent("h") == now);
  book.forget("h");
  CHECK_FALSE(book.lastSent("h"));
}

TEST_CASE("commands of an agent that lost the host count no more") {
  auto book = with(PowerAction::on);
  book.keepOnly("h", "a");
  CHECK(book.underWayAt("a", now).size() == 1);
  CHECK(book.underWayAt("b", now).empty());
  book.keepOnly("h", "b");
  CHECK(book.underWay("h", now) == nullptr);
}
