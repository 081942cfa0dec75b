// Which agent serves which host, with which right.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// The agent says that it has let go of what it was granted last.
void sayIdle(Parts& parts) {
  const auto revoked = parts.last<wire::Revoke>().value();
  parts.say(wire::Idle{.host = revoked.host, .term = revoked.term, .lease = revoked.lease});
  parts.clock.settle();
}

}  // namespace

TEST_CASE("an approved agent is granted the BMC's address and credentials, and then the right to act") {
  Parts parts;
  parts.serve();
  const auto grant = parts.last<wire::Grant>().value();
  CHECK(grant.host == parts.uid(0));
  CHECK(grant.address == "redfish://10.0.0.1/redfish/v1/Systems/1");
  CHECK(grant.username == "admin");
  CHECK(grant.password.reveal() == "secret");
  CHECK(grant.mayAct);
  CHECK(parts.grants.serves(parts.uid(0)));
  CHECK(parts.grants.serverOf(parts.uid(0)).name == "near");
  CHECK(parts.grants.usesPresentAccess(parts.uid(0)));
}

TEST_CASE("nothing is granted that is the same as before, however often a host is reviewed") {
  Parts parts;
  parts.serve();
  const int granted = parts.count<wire::Grant>();
  parts.pass(30s);
  CHECK(parts.count<wire::Grant>() == granted);
}

TEST_CASE("Ironic gets the BMC when the agent has said that it let go") {
  Parts parts;
  parts.serve();
  CHECK_FALSE(parts.grants.acquireBmc(parts.uid(0)));
  parts.clock.settle();
  CHECK(parts.last<wire::Revoke>()->host == parts.uid(0));
  CHECK_FALSE(parts.last<wire::Revoke>()->forget);
  CHECK_FALSE(parts.grants.canCommand(parts.uid(0)));
  CHECK(parts.grants.serverToAsk(parts.uid(0)) == nullptr);
  CHECK(parts.grants.serves(parts.uid(0)));  // it goes on reading
  sayIdle(parts);
  CHECK(parts.grants.acquireBmc(parts.uid(0)));

  parts.pass(60s);  // the request takes its time
  CHECK_FALSE(parts.grants.canCommand(parts.uid(0)));
  parts.grants.releaseBmc(parts.uid(0));
  parts.pass(2s);
  CHECK_FALSE(parts.grants.canCommand(parts.uid(0)));
  parts.pass(3s);
  CHECK(parts.grants.canCommand(parts.uid(0)));
}

TEST_CASE("Ironic gets the BMC of an agent that has fallen silent when its lease has run out") {
  Parts parts;
  parts.serve();
  CHECK_FALSE(parts.grants.acquireBmc(parts.uid(0)));
  parts.clock.advance(10s);
  CHECK_FALSE(parts.grants.acquireBmc(parts.uid(0)));
  parts.clock.advance(parts.timing.lease.ttl + parts.timing.lease.margin);
  CHECK(parts.grants.acquireBmc(parts.uid(0)));
}

TEST_CASE("what rests on a host's access goes with it, what rests on its BMC with that, all of it with the host") {
  Parts parts;
  parts.serve();
  parts.changes.clear();
  SECTION("another password") {
    parts.run(
        parts.client->patch<kube::Secret>({"metal", "host-0-bmc"}, json::parse(R"({"data":{"password":"b3RoZXI="}})")));
    parts.pass(3s);
    CHECK(parts.changes == std::vector<std::string>{"access"});
    CHECK(parts.last<wire::Grant>()->password.reveal() == "other");
  }
  SECTION("another address, which takes a host that is detached") {
    parts.changeAddress("redfish://10.9.9.9/redfish/v1/Systems/1");
    parts.pass(3s);
    CHECK(parts.changes == std::vector<std::string>{"access", "address"});
  }
  SECTION("another label") {
    parts.patchHost(0, R"({"metadata":{"labels":{"rack":"a"}}})");
    parts.pass(3s);
    CHECK(parts.changes.empty());
  }
  SECTION("the host is gone") {
    const auto uid = parts.uid(0);
    parts.run(parts.client->remove<api::BareMetalHost>({"metal", "host-0"}));
    parts.pass(2s);
    CHECK(parts.changes.front() == "gone");
    CHECK(parts.last<wire::Revoke>()->forget);
    CHECK_FALSE(parts.grants.isThere(uid));
  }
}

TEST_CASE("power is read every five seconds, and behind IPMI, where that is a process each time, every thirty") {
  Parts parts;
  parts.serve();
  CHECK(parts.last<wire::Grant>()->powerPollMs == 5'000);
  parts.changeAddress("ipmi://10.9.9.9");
  parts.pass(3s);
  CHECK(parts.last<wire::Grant>()->powerPollMs == 30'000);
  CHECK(parts.last<wire::Grant>()->sensorPollMs == 300'000);
}

TEST_CASE("behind IPMI power is read a sixth as often, but for who asks for more than half a minute anyway") {
  using coordinator::agents::powerIntervalBehind;
  CHECK(powerIntervalBehind("redfish://10.0.0.1", 5'000) == 5'000);
  CHECK(powerIntervalBehind("ipmi://10.0.0.1", 500) == 3'000);
  CHECK(powerIntervalBehind("ipmi://10.0.0.1", 10'000) == 30'000);
  CHECK(powerIntervalBehind("ipmi://10.0.0.1", 60'000) == 60'000);
}

TEST_CASE("a host that Ironic may switch is read often behind IPMI, too") {
  Parts parts;
  parts.serve();
  parts.changeAddress("ipmi://10.9.9.9");
  parts.pass(3s);
  static_cast<void>(parts.grants.acquireBmc(parts.uid(0)));
  parts.pass(1s);
  CHECK(parts.last<wire::Grant>()->powerPollMs == 5'000);
  parts.grants.releaseBmc(parts.uid(0));
  parts.pass(30s);
  CHECK(parts.last<wire::Grant>()->powerPollMs == 30'000);
}

TEST_CASE("a request to Ironic that waits does not end one that is under way") {
  coordinator::agents::IronicRequests requests(3s);
  const auto at = [](base::Duration time) { return base::MonoTime{} + time; };
  requests.asked("a", true, at(0s));
  requests.asked("a", false, at(1s));
  CHECK(requests.mayAct("a", at(60s)));
  requests.answered("a", at(60s));
  CHECK(requests.mayAct("a", at(62s)));
  CHECK_FALSE(requests.mayAct("a", at(63s)));
  requests.asked("b", false, at(0s));
  CHECK(requests.mayAct("b", at(2s)));
  CHECK_FALSE(requests.mayAct("b", at(3s)));
  requests.asked("c", true, at(0s));  // whose answer never came
  CHECK(requests.mayAct("c", at(9min)));
  CHECK_FALSE(requests.mayAct("c", at(10min)));
}
