#include "agent/journal.hpp"

#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using agent::Journal;
using agent::MemoryJournal;
using namespace std::chrono_literals;

TEST_CASE("a command is begun once, and never after a newer one") {
  MemoryJournal store;
  Journal journal(store);
  CHECK(journal.begin("u1", {1, 1, 2}, "on"));
  CHECK_FALSE(journal.begin("u1", {1, 1, 2}, "on"));
  CHECK_FALSE(journal.begin("u1", {1, 1, 1}, "hard-off"));
  CHECK(journal.begin("u1", {2, 1, 1}, "hard-off"));
  CHECK(journal.begin("u2", {1, 1, 1}, "on"));  // every host has its own
}

TEST_CASE("the highest token survives a restart") {
  MemoryJournal store;
  {
    CHECK(Journal(store).begin("u1", {4, 2, 7}, "on"));
  }
  Journal again(store);
  CHECK(again.highest("u1") == wire::Token{4, 2, 7});
  CHECK_FALSE(again.begin("u1", {4, 2, 7}, "on"));
}

TEST_CASE("a command that a crash cut short before the BMC was asked is refused: it can be given again") {
  MemoryJournal store;
  {
    CHECK(Journal(store).begin("u1", {1, 1, 1}, "hard-off"));
  }
  const auto left = Journal(store).unacknowledged();
  REQUIRE(left.size() == 1);
  CHECK(left[0].outcome == "refused");
  CHECK(left[0].errorCode == "not-asked");
  CHECK_FALSE(Journal(store).begin("u1", {1, 1, 1}, "hard-off"));
}

TEST_CASE("a command that a crash cut short is reported as unknown, until it is acknowledged") {
  MemoryJournal store;
  {
    Journal journal(store);
    CHECK(journal.begin("u1", {1, 1, 1}, "hard-off"));
    CHECK(journal.recordRequest("u1", {.boot = "m1", .now = base::MonoTime{100s}}));
  }
  {
    const auto left = Journal(store).unacknowledged();
    REQUIRE(left.size() == 1);
    CHECK(left[0].outcome == "unknown");
    CHECK(left[0].action == "hard-off");
    CHECK(left[0].token == wire::Token{1, 1, 1});
  }
  Journal again(store);
  REQUIRE(again.unacknowledged().size() == 1);
  again.acknowledge("u1", {1, 1, 1});
  CHECK(Journal(store).unacknowledged().empty());
}

TEST_CASE("a command that cannot be journalled is not begun") {
  MemoryJournal store;
  Journal journal(store);
  store.failing = true;
  CHECK_THROWS_AS(journal.begin("u1", {1, 1, 1}, "on"), base::Error);
  store.failing = false;
  CHECK(journal.begin("u1", {1, 1, 1}, "on"));  // nothing of the failed try was kept
}

TEST_CASE("a disk that is full keeps no agent from starting, and none from what it decided then") {
  MemoryJournal store;
  {
    Journal journal(store);
    REQUIRE(journal.begin("u1", {1, 1, 1}, "on"));
    CHECK(journal.recordRequest("u1", {"m1", base::MonoTime{100s}}));
    REQUIRE(journal.begin("u2", {1, 1, 1}, "on"));
    journal.finish({.host = "u2", .token = {1, 1, 1}, .outcome = "done"});
  }
  store.failing = true;
  Journal journal(store);
  CHECK_THAT(journal.trouble(), Catch::Contains("no space left"));
  CHECK(journal.unacknowledged().size() == 2);
  CHECK(journal.unacknowledged()[0].outcome == "unknown");
  CHECK_THROWS_AS(journal.begin("u1", {1, 1, 2}, "on"), base::Error);
  store.failing = false;
  CHECK(Journal(store).trouble().empty());
}

TEST_CASE("a result whose acknowledgement cannot be recorded is told again") {
  MemoryJournal store;
  Journal journal(store);
  REQUIRE(journal.begin("u1", {1, 1, 1}, "on"));
  journal.finish({.host = "u1", .token = {1, 1, 1}, .outcome = "done"});
  store.failing = true;
  CHECK_THROWS_AS(journal.acknowledge("u1", {1, 1, 1}), base::Error);
  CHECK(journal.unacknowledged().size() == 1);
  store.failing = false;
  journal.acknowledge("u1", {1, 1, 1});
  CHECK(Journal(store).unacknowledged().empty());
}

TEST_CASE("what became of a command that is in doubt") {
  MemoryJournal store;
  Journal journal(store);
  REQUIRE(journal.begin("u1", {1, 1, 2}, "on"));
  CHECK_FALSE(journal.resolve("u1", {1, 1, 2}));  // it is being carried out
  journal.finish({.host = "u1", .token = {1, 1, 2}, .outcome = "done"});
  CHECK(journal.resolve("u1", {1, 1, 2})->outcome == "done");
  journal.acknowledge("u1", {1, 1, 2});
  CHECK(journal.resolve("u1", {1, 1, 2})->outcome == "unknown");  // told before
  CHECK(journal.resolve("u1", {1, 1, 1})->outcome == "unknown");

  CHECK(journal.resolve("u1", {1, 1, 3})->errorCode == "not-received");
  CHECK_FALSE(Journal(store).begin("u1", {1, 1, 3}, "on"));  // and never will be, even after a crash
  CHECK(journal.begin("u1", {1, 1, 4}, "on"));
}

TEST_CASE("the highest term of all hosts is known after a restart") {
  MemoryJournal store;
  Journal journal(store);
  CHECK(journal.highestTerm() == 0);
  REQUIRE(journal.begin("u1", {3, 1, 1}, "on"));
  REQUIRE(journal.begin("u2", {5, 1, 1}, "on"));
  CHECK(Journal(store).highestTerm() == 5);
}

TEST_CASE("a term that was heard of is not forgotten, and never falls") {
  tests::Loop loop;
  MemoryJournal store;
  {
    Journal journal(store);
    loop.run(journal.raiseTerm(7));
    loop.run(journal.raiseTerm(6));
    CHECK(journal.term() == 7);
  }
  Journal again(store);
  CHECK(again.term() == 7);
  CHECK(again.highestTerm() == 7);
  store.failing = true;
  CHECK_THROWS_AS(loop.run(again.raiseTerm(8)), base::Error);
  CHECK(again.term() == 7);
}

TEST_CASE("how long ago a BMC was asked is known within one boot of the machine") {
  MemoryJournal store;
  {
    Journal journal(store);
    REQUIRE(journal.begin("u1", {1, 1, 1}, "on"));
    CHECK(journal.recordRequest("u1", {"m1", base::MonoTime{100s}}));
  }
  const Journal again(store);
  const auto left = again.unacknowledged();
  REQUIRE(left.size() == 1);
  const auto ago = [&](const std::string& boot, base::MonoTime now) {
    return again.withAge(left[0], {boot, now}).askedAgoMs;
  };
  CHECK(ago("m1", base::MonoTime{118s}) == 3000);  // it may have left a lease later than it was recorded
  CHECK(ago("m1", base::MonoTime{103s}) == 0);
  CHECK(ago("m2", base::MonoTime{118s}) == -1);
  CHECK(ago("m1", base::MonoTime{99s}) == -1);
  CHECK(ago("", base::MonoTime{118s}) == -1);
  auto other = left[0];
  other.token.seq = 9;
  CHECK(again.withAge(other, {"m1", base::MonoTime{118s}}).askedAgoMs == -1);
}

TEST_CASE("the word that the BMC was asked is taken back when it could not be made durable") {
  MemoryJournal store;
  Journal journal(store);
  REQUIRE(journal.begin("u1", {1, 1, 1}, "on"));
  REQUIRE(journal.recordRequest("u1", {"m1", base::MonoTime{100s}}));
  CHECK_FALSE(journal.recordRequest("u1", {"m1", base::MonoTime{101s}}));  // that is recorded already
  journal.takeBackRequest("u1");
  CHECK_FALSE(journal.hasSent("u1"));
  CHECK(Journal(store).unacknowledged()[0].errorCode == "not-asked");
}

TEST_CASE("how long ago a request left counts from when it did, not from when it was recorded") {
  MemoryJournal store;
  Journal journal(store);
  REQUIRE(journal.begin("u1", {1, 1, 1}, "on"));
  REQUIRE(journal.recordRequest("u1", {"m1", base::MonoTime{100s}}));
  journal.noteSent("u1", {"m1", base::MonoTime{106s}});
  const wire::CommandResult unknown{.host = "u1", .token = {1, 1, 1}, .outcome = "unknown"};
  CHECK(journal.withAge(unknown, {"m1", base::MonoTime{107s}}).askedAgoMs == 1000);
}
