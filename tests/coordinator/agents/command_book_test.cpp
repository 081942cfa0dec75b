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
  CHECK_FALSE(book.ended("a", result({1, 1, 2}), now));
  CHECK_FALSE(book.ended("a", result({2, 1, 1}), now));
  CHECK(book.underWay("h", now) != nullptr);
  CHECK(book.ended("a", result({1, 1, 1}), now));
  CHECK(book.underWay("h", now) == nullptr);
}

TEST_CASE("one agent does not end the command of another") {
  auto book = with(PowerAction::hardRestart);
  CHECK_FALSE(book.ended("b", result({1, 1, 1}), now));
  CHECK(book.underWay("h", now) != nullptr);
  CHECK_FALSE(book.takeEnded("h", now));
}

TEST_CASE("a command is open at its agent until that has told its end, whoever serves the host by then") {
  auto book = with(PowerAction::softOff);
  CHECK(book.isOpen("h", "a", {1, 1, 1}));
  CHECK_FALSE(book.isOpen("h", "b", {1, 1, 1}));
  CHECK_FALSE(book.isOpen("h", "a", {1, 1, 2}));
  book.handOver("h", "b", now);
  CHECK(book.isOpen("h", "a", {1, 1, 1}));
  book.ended("a", result({1, 1, 1}, "running"), now);
  CHECK(book.isOpen("h", "a", {1, 1, 1}));
  book.ended("a", result({1, 1, 1}), now);
  CHECK_FALSE(book.isOpen("h", "a", {1, 1, 1}));
  for (std::int64_t command = 1; command <= 1000; ++command)
    book.sent("h", {.agent = "a", .token = {2, 1, command}, .action = PowerAction::on, .sentAt = now});
  CHECK_FALSE(book.isOpen("h", "a", {2, 1, 1}));  // nobody keeps so many
  CHECK(book.isOpen("h", "a", {2, 1, 990}));
}

TEST_CASE("what is told late of an earlier coordinator's command lasts no longer for that") {
  auto told = result({1, 1, 1}, GENERATE("running", "unknown"));
  told.action = "soft-off";
  told.askedAgoMs = GENERATE(-1, 1000);
  CommandBook book({});
  book.adopt("a", told, now + 10min, now);
  CHECK(book.underWay("h", now + 660s - 1ms) != nullptr);
  CHECK(book.underWay("h", now + 661s) == nullptr);
  CHECK(book.lastSent("h") == now);

  book.sent("h", {.agent = "a", .token = {2, 1, 1}, .action = PowerAction::on, .sentAt = now + 12min});
  book.ended("a", result({2, 1, 1}), now + 12min);
  REQUIRE(book.takeEnded("h", now + 12min));
  book.adopt("a", told, now + 13min, now);
  CHECK(book.lastSent("h") == now + 12min);  // a reading from before ours proves nothing still
}

TEST_CASE("a result is taken once, and only while it is news") {
  auto book = with(PowerAction::on);
  book.ended("a", result({1, 1, 1}, "failed"), now);
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
  book.ended("a", result({1, 1, 1}, "unknown"), now);
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
  book.ended("a", result({1, 1, 1}, "unknown"), now);
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
                                         {"running", "soft-off", true, false},
                                         {"running", "hard-restart", true, false},
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
    book.ended("a", result({2, 1, 1}, "refused"), now);
  }
  SECTION("told after that") {
    book.ended("a", result({2, 1, 1}, "refused"), now);
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
  book.ended("a", result({2, 1, 1}), now);
  CHECK(book.takeEnded("h", now)->token == wire::Token{2, 1, 1});
  CHECK(book.restartRecorded("h")->token == wire::Token{2, 1, 1});
  CHECK_FALSE(book.takeEnded("h", now));
}

TEST_CASE("a hard change that a reading long after does not show is worth a word") {
  struct Row {
    PowerAction action;
    bmc::Power seen;
    base::Duration after;
    bool late;
    std::string vendor = "dell";
  };
  const auto row = GENERATE(values<Row>({{PowerAction::on, bmc::Power::off, 15s, true},
                                         {PowerAction::on, bmc::Power::off, 14s, false},
                                         {PowerAction::on, bmc::Power::off, 24s, false, "lenovo"},
                                         {PowerAction::on, bmc::Power::off, 25s, true, "lenovo"},
                                         {PowerAction::hardOff, bmc::Power::on, 15s, true, "lenovo"},
                                         {PowerAction::on, bmc::Power::on, 15s, false},
                                         {PowerAction::on, bmc::Power::unknown, 15s, false},
                                         {PowerAction::hardOff, bmc::Power::on, 15s, true},
                                         {PowerAction::softOff, bmc::Power::on, 15s, false},
                                         {PowerAction::hardRestart, bmc::Power::off, 15s, false}}));
  const coordinator::agents::SentCommand command{.agent = "a", .token = {}, .action = row.action, .sentAt = now};
  CHECK(coordinator::agents::isLate(command, row.seen, now + row.after, row.vendor) == row.late);
}

TEST_CASE("when the last command was sent is remembered beyond its end") {
  auto book = with(PowerAction::on);
  book.ended("a", result({1, 1, 1}), now);
  static_cast<void>(book.takeEnded("h", now));
  CHECK(book.lastSent("h") == now);
  book.forget("h");
  CHECK_FALSE(book.lastSent("h"));
}

TEST_CASE("how long an unknown outcome is waited for counts from when the BMC was asked, where the agent knows") {
  const auto [action, patience] =
      GENERATE(table<PowerAction, base::Duration>({{PowerAction::on, 5s}, {PowerAction::softOff, 660s}}));
  auto told = result({1, 1, 1}, "unknown");
  told.action = std::string(bmc::toText(action));
  told.askedAgoMs = 4000;
  CommandBook book({});
  const bool ours = GENERATE(true, false);
  if (ours) {
    book = with(action);
    book.ended("a", told, now);
  } else {
    book.adopt("a", told, now);
  }
  CHECK(book.underWay("h", now + patience - 4001ms) != nullptr);
  CHECK(book.underWay("h", now + patience - 4000ms) == nullptr);
}

TEST_CASE("a command that another coordinator sent, and that is being carried out, ends like one of ours") {
  auto told = result({1, 1, 1}, "running");
  told.action = "hard-restart";
  CommandBook book({});
  book.adopt("a", told, now);
  CHECK_FALSE(book.ended("a", result({1, 1, 2}), now));
  CHECK(book.ended("a", told, now));  // told again
  CHECK(book.underWay("h", now) != nullptr);
  CHECK(book.ended("a", result({1, 1, 1}), now));
  CHECK(book.takeEnded("h", now)->action == PowerAction::hardRestart);
}

TEST_CASE("a command that ran while ours was refused is over when it ends") {
  auto told = result({1, 1, 1}, "running");
  told.action = "on";
  auto book = with(PowerAction::on, {2, 1, 1});
  book.adopt("a", told, now);
  told.outcome = "done";
  book.adopt("a", told, now);
  book.ended("a", result({2, 1, 1}, "refused"), now);
  CHECK(book.underWay("h", now) == nullptr);
}

TEST_CASE("a host that goes to another agent may still do what the last one asked of it") {
  struct Row {
    PowerAction action;
    base::Duration waits;
  };
  const auto row =
      GENERATE(values<Row>({{PowerAction::on, 5s}, {PowerAction::softOff, 640s}, {PowerAction::hardRestart, 0s}}));
  auto book = with(row.action);
  book.handOver("h", "a", now);
  CHECK(book.underWayAt("a", now).size() == 1);
  const auto then = now + 20s;
  book.handOver("h", "b", then);
  CHECK(book.underWayAt("a", then).empty());
  CHECK(book.underWayAt("b", then).empty());
  CHECK((book.underWay("h", then) != nullptr) == (row.waits > 0s));
  CHECK(book.underWay("h", then + row.waits) == nullptr);
  CHECK(book.goesDown("h", then) == (row.action == PowerAction::softOff));
  SECTION("unless the last one tells that it did not ask") {
    book.ended("a", result({1, 1, 1}, "refused"), then);
    CHECK(book.underWay("h", then) == nullptr);
    CHECK(book.takeEnded("h", then)->result->outcome == "refused");
  }
  SECTION("a restart is not done twice") {
    if (row.action == PowerAction::hardRestart) CHECK(book.takeEnded("h", then)->result->outcome == "unknown");
  }
}

TEST_CASE("how a restart ended is told until it is on record, and no agent can bring it up again") {
  const auto outcome = GENERATE(as<std::string>{}, "done", "unknown");
  auto book = with(PowerAction::hardRestart);
  auto ending = result({1, 1, 1}, outcome);
  ending.action = "hard-restart";
  book.ended("a", ending, now);
  CHECK(book.awaitsRecord("h", {1, 1, 1}));
  CHECK(book.takeEnded("h", now + 1s));
  CHECK(book.takeEnded("h", now + 10min));
  CHECK(book.restartRecorded("h")->agent == "a");
  CHECK_FALSE(book.takeEnded("h", now + 10min));
  book.adopt("a", ending, now + 11min);  // it had not heard that we know
  CHECK_FALSE(book.takeEnded("h", now + 11min));
  CHECK_FALSE(book.awaitsRecord("h", {1, 1, 1}));
}

TEST_CASE("a restart that was refused or failed is told once") {
  auto book = with(PowerAction::softReboot);
  book.ended("a", result({1, 1, 1}, GENERATE(as<std::string>{}, "refused", "failed")), now);
  CHECK_FALSE(book.awaitsRecord("h", {1, 1, 1}));
  CHECK(book.takeEnded("h", now));
  CHECK_FALSE(book.takeEnded("h", now));
  CHECK_FALSE(book.restartRecorded("h"));
}
