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
  CHECK(parts.last<wire::Revoke>()->lease == std::numeric_limits<std::int64_t>::max());
  CHECK(parts.facts.find(parts.uid(0)) == nullptr);
}
