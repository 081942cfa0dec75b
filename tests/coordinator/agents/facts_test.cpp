// Whom the coordinator believes what it says of which host.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::Power;
using coordinator::agents::Facts;

TEST_CASE("a reading of the agent that serves the host is believed until it is old") {
  Parts parts;
  parts.serve();
  parts.woken.clear();
  parts.tell(parts.reading(1, "On"));
  CHECK(parts.facts.power(parts.uid(0)) == Power::on);
  CHECK(parts.woken == std::vector<std::string>{"host-0"});
  CHECK(parts.taken == Facts::Taken::whole);
  parts.pass(15s);
  CHECK(parts.facts.power(parts.uid(0)) == Power::on);
  parts.woken.clear();
  parts.pass(10s);
  CHECK(parts.facts.power(parts.uid(0)) == Power::unknown);
  parts.facts.wakeExpired();
  CHECK(parts.woken == std::vector<std::string>{"host-0"});
}

TEST_CASE("a reading behind IPMI is believed for four of its longer intervals, too") {
  Parts parts;
  parts.serve();
  parts.changeAddress("ipmi://10.9.9.9");
  parts.pass(3s);
  parts.tell(parts.reading(1, "On"));
  parts.pass(100s);
  CHECK(parts.facts.power(parts.uid(0)) == Power::on);
  parts.pass(25s);
  CHECK(parts.facts.power(parts.uid(0)) == Power::unknown);
}

TEST_CASE("a gap has the coordinator ask for everything") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  CHECK(parts.count<wire::SnapshotRequest>() == 0);
  parts.tell(parts.reading(3, "Off"));
  CHECK(parts.taken == Facts::Taken::gap);
  CHECK(parts.count<wire::SnapshotRequest>() == 1);
}

TEST_CASE("what was learnt under a grant that was never given is not believed") {
  Parts parts;
  parts.serve();
  auto facts = parts.reading(1, "On");
  facts.lease += 1;
  parts.tell(facts);
  CHECK(parts.facts.find(parts.uid(0)) == nullptr);
}

TEST_CASE("what was learnt with another account is not believed after it") {
  Parts parts;
  parts.serve();
  const auto before = parts.reading(1, "On");
  parts.run(
      parts.client->patch<kube::Secret>({"metal", "host-0-bmc"}, json::parse(R"({"data":{"username":"b3RoZXI="}})")));
  parts.pass(3s);
  parts.tell(before);
  CHECK(parts.facts.find(parts.uid(0)) == nullptr);
  CHECK(parts.facts.power(parts.uid(0)) == Power::unknown);
}

TEST_CASE("an agent that tells of a host that is not its own is told to forget it") {
  Parts parts;
  parts.serve();
  parts.run(parts.client->patch<api::ProvisioningAgent>({"", "near"}, json::parse(R"({"spec":{"drain":true}})")));
  parts.pass(3s);
  const int before = parts.count<wire::Revoke>();
  parts.tell(parts.reading(1, "On"));
  REQUIRE(parts.count<wire::Revoke>() == before + 1);
  CHECK(parts.last<wire::Revoke>()->forget);
  CHECK(parts.last<wire::Revoke>()->lease == parts.last<wire::Grant>()->token.lease);
  CHECK(parts.facts.find(parts.uid(0)) == nullptr);
}

namespace {

wire::StillFresh stillFresh(const Parts& parts, std::int64_t seq) {
  const auto grant = parts.last<wire::Grant>().value().token;
  return {.stampMs = parts.stamp(),
          .facts = {{.host = parts.uid(0),
                     .seq = seq,
                     .term = grant.term,
                     .lease = grant.lease,
                     .powerAgeMs = 0,
                     .healthAgeMs = 0}}};
}

}  // namespace

TEST_CASE("what holds still is believed for longer, and no host is looked at for it") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  parts.woken.clear();
  for (int i = 0; i < 10; ++i) {
    parts.pass(10s);
    parts.say(stillFresh(parts, 1));
    parts.clock.settle();
    CHECK(parts.taken == Facts::Taken::whole);
  }
  CHECK(parts.facts.power(parts.uid(0)) == Power::on);
  CHECK(parts.woken.empty());
  CHECK(parts.count<wire::SnapshotRequest>() == 0);
}

TEST_CASE("what holds still and was never told has the coordinator ask for everything") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  parts.say(stillFresh(parts, 2));
  parts.clock.settle();
  CHECK(parts.taken == Facts::Taken::gap);
  CHECK(parts.last<wire::SnapshotRequest>().value().host == parts.uid(0));
}

TEST_CASE("what holds still says nothing of another account or another machine") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  const auto before = stillFresh(parts, 1);
  parts.changeAddress("redfish://10.0.0.77/redfish/v1/Systems/1");
  parts.pass(3s);
  const auto grants = parts.count<wire::Grant>();
  parts.pass(5s);
  parts.say(before);
  parts.clock.settle();
  CHECK(parts.facts.power(parts.uid(0)) == Power::unknown);
  parts.pass(2s);
  CHECK(parts.count<wire::Grant>() > grants);  // the agent seems not to have got it
}

TEST_CASE("an agent that says what holds still of a host that it does not serve is told so") {
  Parts parts;
  parts.serve();
  auto fresh = stillFresh(parts, 1);
  fresh.facts[0].host = "somebody else's";
  parts.say(fresh);
  parts.clock.settle();
  CHECK(parts.last<wire::Revoke>().value().host == "somebody else's");
}

TEST_CASE("what holds still under a grant of which nothing was told is asked for, and proves no power") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  parts.pass(25s);
  auto fresh = stillFresh(parts, 1);
  ++fresh.facts[0].lease;
  parts.say(fresh);
  parts.clock.settle();
  CHECK(parts.facts.power(parts.uid(0)) == Power::unknown);
  CHECK(parts.count<wire::SnapshotRequest>() == 1);
}

TEST_CASE("a batch that no agent of ours would send costs no answer for each of its hosts") {
  Parts parts;
  parts.serve();
  wire::StillFresh fresh{.stampMs = parts.stamp()};
  fresh.facts.resize(wire::mostFreshFacts + 1);
  for (std::size_t i = 0; i < fresh.facts.size(); ++i) fresh.facts[i].host = fmt::format("{}", i);
  parts.say(fresh);
  parts.clock.settle();
  CHECK(parts.count<wire::Revoke>() == 0);
}

TEST_CASE("of a host that it lost an agent is told the last lease that it may have held, and none to come") {
  Parts parts;
  parts.serve();
  parts.tell(parts.reading(1, "On"));
  const auto fresh = stillFresh(parts, 1);
  parts.patchHost(0, R"({"metadata":{"annotations":{"ingot.dev/agent":"another"}}})");
  parts.pass(20s);
  parts.say(fresh);
  parts.clock.settle();
  const auto revoke = parts.last<wire::Revoke>().value();
  CHECK(revoke.lease >= fresh.facts[0].lease);
  CHECK(revoke.lease < 100);
}
