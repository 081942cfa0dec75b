// Who may act, and until when others must believe it (docs/architecture.md).
#include "coordinator/agents/lease_book.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::LeaseBook;

namespace {

const base::MonoTime start{1000s};
constexpr auto ttl = 15s, margin = 2s;

LeaseBook book(bool earlier = false) { return {{ttl, margin}, 7, start, earlier}; }

}  // namespace

TEST_CASE("without an earlier coordinator everything is quiet") { CHECK(book().quiet("h", start)); }

TEST_CASE("after a change of coordinator a host is quiet when every lease that could exist has run out") {
  const auto leases = book(true);
  CHECK_FALSE(leases.quiet("h", start + ttl + margin - 1ms));
  CHECK(leases.quiet("h", start + ttl + margin));
}

TEST_CASE("no agent stands on record: nothing to wait for") {
  auto leases = book(true);
  leases.earlier().onRecord({});
  CHECK(leases.quiet("h", start));
}

TEST_CASE("once every agent on record obeys this coordinator alone, a host is quiet that none of them acts on") {
  auto leases = book(true);
  leases.earlier().onRecord({"key-a"});
  CHECK_FALSE(leases.quiet("h", start));
  leases.earlier().settled("key-a", {"other"});
  CHECK(leases.quiet("h", start));
  CHECK_FALSE(leases.quiet("other", start));
  leases.grant("h", "a", false, start);  // read only
  CHECK(leases.quiet("h", start));
}

TEST_CASE("an agent may act as long as we gave it a right that may last") {
  auto leases = book();
  CHECK_FALSE(leases.mayHoldLease("a", start));
  leases.grant("h", coordinator::agents::holderName("a", 2), true, start);
  CHECK(leases.mayHoldLease("a", start + 1h));
  CHECK_FALSE(leases.mayHoldLease("b", start));
  leases.revoke("h");
  CHECK(leases.mayHoldLease("a", start + ttl + margin - 1ms));
  CHECK_FALSE(leases.mayHoldLease("a", start + ttl + margin));
}

TEST_CASE("a granted host is not quiet, however long ago that was, until it is revoked") {
  auto leases = book();
  leases.grant("h", "a", true, start);
  CHECK_FALSE(leases.quiet("h", start + 1h));
  leases.revoke("h");
  CHECK_FALSE(leases.quiet("h", start + ttl + margin - 1ms));
  CHECK(leases.quiet("h", start + ttl + margin));
}

TEST_CASE("a renewal moves the moment from which a revoked host is quiet") {
  auto leases = book();
  leases.grant("h", "a", true, start);
  CHECK(leases.renew("a", start + 10s).size() == 1);
  leases.revoke("h");
  CHECK_FALSE(leases.quiet("h", start + 10s + ttl + margin - 1ms));
  CHECK(leases.renew("a", start + 11s).empty());  // what is revoked is not renewed
  CHECK(leases.quiet("h", start + 10s + ttl + margin));
}

TEST_CASE("idle makes a host quiet at once, if it is about this grant and from its holder") {
  struct Row {
    std::string agent;
    wire::Token grant;
    bool quiet;
  };
  const auto row = GENERATE(Row{"a", {7, 1, 0}, true}, Row{"a", {7, 2, 0}, true}, Row{"a", {7, 0, 0}, false},
                            Row{"a", {6, 1, 0}, false}, Row{"b", {7, 1, 0}, false});
  auto leases = book();
  leases.grant("h", "a", true, start);
  leases.revoke("h");
  leases.idle("h", row.agent, row.grant, false);
  CHECK(leases.quiet("h", start + 1s) == row.quiet);
}

TEST_CASE("an idle that overtakes a grant says nothing") {
  auto leases = book();
  leases.grant("h", "a", true, start);
  CHECK_FALSE(leases.idle("h", "a", {7, 1, 0}, false));
  CHECK_FALSE(leases.quiet("h", start + 1s));
}

TEST_CASE("the right is taken from the same holder: quiet when it says so or when the old lease is over") {
  auto leases = book();
  leases.grant("h", "a", true, start);
  leases.grant("h", "a", false, start + 5s);
  CHECK_FALSE(leases.quiet("h", start + 6s));
  CHECK(leases.quiet("h", start + ttl + margin));
  CHECK(leases.idle("h", "a", {7, 2, 0}, true));
  CHECK(leases.quiet("h", start + 6s));
}

TEST_CASE("under a new coordinator only the agent that held the right can make a host quiet early") {
  auto leases = book(true);
  leases.grant("h", "a", false, start + 1s);
  SECTION("it held it") {
    CHECK(leases.idle("h", "a", {7, 1, 0}, true));
    CHECK(leases.quiet("h", start + 1s));
  }
  SECTION("it did not: another agent may have it still") {
    leases.idle("h", "a", {7, 1, 0}, false);
    CHECK_FALSE(leases.quiet("h", start + ttl + margin - 1ms));
    CHECK(leases.quiet("h", start + ttl + margin));
  }
}

TEST_CASE("a host is forgotten only once quiet") {
  auto leases = book();
  leases.grant("h", "a", true, start);
  leases.revoke("h");
  leases.drop("h", start + 1s);
  CHECK(leases.find("h"));
  leases.drop("h", start + ttl + margin);
  CHECK_FALSE(leases.find("h"));
}

TEST_CASE("every grant and every command has a token of its own, growing") {
  auto leases = book();
  const auto first = leases.grant("h", "a", true, start);
  const auto command = leases.nextCommand("h");
  const auto next = leases.nextCommand("h");
  const auto second = leases.grant("h", "a", true, start);
  CHECK(first < command);
  CHECK(command < next);
  CHECK(next < second);
  CHECK(leases.grant("other", "a", true, start) > second);
}
