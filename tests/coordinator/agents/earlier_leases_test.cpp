// Rights that earlier coordinators may have granted, and who may say that they have ended.
#include "coordinator/agents/earlier_leases.hpp"

#include "coordinator/agents/lease_record.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::EarlierLeases;
using coordinator::agents::recordMove;
using coordinator::agents::RecordMove;

namespace {

const base::MonoTime until{1000s};
const auto before = until - 1ms;

}  // namespace

TEST_CASE("time ends every earlier lease") {
  const EarlierLeases earlier(until);
  CHECK_FALSE(earlier.over("h", before));
  CHECK(earlier.over("h", until));
  CHECK(earlier.overFor("a", until));
}

TEST_CASE("nobody's word counts before it is known who could hold one") {
  EarlierLeases earlier(until);
  CHECK(earlier.settled("a", {}));
  CHECK_FALSE(earlier.over("h", before));
  earlier.onRecord({"a"});
  CHECK(earlier.over("h", before));
}

TEST_CASE("one agent that has not been heard of makes every host wait") {
  EarlierLeases earlier(until);
  earlier.onRecord({"a", "b"});
  earlier.settled("a", {});
  CHECK_FALSE(earlier.over("h", before));
  CHECK(earlier.overFor("a", before));
  CHECK_FALSE(earlier.overFor("b", before));
  SECTION("until it speaks") { earlier.settled("b", {}); }
  SECTION("or a coordinator has seen its leases end") { earlier.onRecord({"a"}); }
  CHECK(earlier.over("h", before));
}

TEST_CASE("a host on which an agent is still at work waits for that agent, whichever it is") {
  EarlierLeases earlier(until);
  earlier.onRecord({"a"});
  earlier.settled("a", {});
  CHECK(earlier.settled("revoked", {"h"}));
  CHECK_FALSE(earlier.settled("revoked", {"h"}));  // no news
  CHECK_FALSE(earlier.over("h", before));
  CHECK(earlier.over("other", before));
  CHECK_FALSE(earlier.overFor("revoked", before));
  CHECK(earlier.settled("revoked", {}));
  CHECK(earlier.over("h", before));
}

TEST_CASE("an agent is written down before it gets rights, and until the last of them has ended") {
  struct Row {
    std::string what;
    bool written, deleted, wanted, mayHold, withdrawing;
    RecordMove move;
    std::string term = "3";
  };
  const auto row = GENERATE(values<Row>({
      {"it has come", false, false, true, false, false, RecordMove::add},
      {"it serves", true, false, true, true, false, RecordMove::none},
      {"it served an earlier coordinator", true, false, true, true, false, RecordMove::add, "2"},
      {"it may still hold a right of an earlier one", true, false, false, true, false, RecordMove::none, "2"},
      {"it is deleted before it got anything", false, true, true, false, false, RecordMove::none},
      {"a stranger", false, false, false, false, false, RecordMove::none},
      {"a stranger at the start", false, false, false, true, false, RecordMove::none},
      {"it is gone, not so its rights", true, false, false, true, false, RecordMove::none},
      {"its object is deleted, it may act yet", true, true, false, true, false, RecordMove::none},
      {"its object is deleted, it is quiet", true, true, false, false, false, RecordMove::remove},
      {"it is gone for long", true, false, false, false, false, RecordMove::remove},
      {"it comes back while that is written", true, false, true, false, true, RecordMove::remove},
  }));
  INFO(row.what);
  api::ProvisioningAgent agent;
  if (row.written) agent.metadata.finalizers.emplace_back(coordinator::agents::leasesFinalizer);
  if (row.written) agent.metadata.annotations[std::string(coordinator::agents::termAnnotation)] = row.term;
  if (row.deleted) agent.metadata.deletionTimestamp = base::WallTime{1s};
  CHECK(recordMove(agent, 3, {row.wanted, row.mayHold}, row.withdrawing) == row.move);
}
