// What is refused on the spot, or never comes to an end, does not hold a deletion for ever either.
#include "coordinator/host/held_deletions.hpp"

#include "tests/coordinator/host/leaving.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::State;
using host::Working;

HostBuilder provisionedAndDeleted() {
  return aHost(State::provisioned).online().poweredOn().image("u").deployed("u").beingDeleted();
}

void neverEnds(Bench& b, const std::string& call, const Working& work) {
  for (int i = 0; i < 1000; ++i) b.script.answer(call, work);
}

const Working locked{.after = 3s, .obstacle = "the node is locked"};

TEST_CASE("what Ironic refuses on the spot holds a deletion for ten minutes at most", "[host][delete]") {
  Bench b(provisionedAndDeleted());
  b.script.on = true;
  SECTION("an undeploy") {
    b.script.throws["deprovision"] = "HTTP 403 for hunter22";
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "DeprovisioningSkipped: deleted without deprovisioning, its disks were not cleaned: HTTP 403"));
    CHECK_FALSE(wasTold(b, "PowerOffSkipped"));
  }
  SECTION("the adoption before it") {
    b.script.throws["adopt"] = "HTTP 400";
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "DeprovisioningSkipped"));
  }
  SECTION("the last power-off") {
    b.script.throws["powerOff"] = "HTTP 400";
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "PowerOffSkipped: deleted without being switched off, it may still be running: HTTP 400"));
    CHECK_FALSE(wasTold(b, "DeprovisioningSkipped"));
  }
  SECTION("the end of other work before it") {
    b.script.throws["endWork"] = "HTTP 500";
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "PowerOffSkipped"));
  }
  SECTION("the removal of its node, which is never given up without a word") {
    b.script.throws["remove"] = "HTTP 403";
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b,
                  "NodeNotRemoved: deleted although Ironic keeps node node-1, with the address and the credentials "
                  "of the BMC in it; it was put into maintenance, so that Ironic leaves the machine alone: delete "
                  "that by hand: HTTP 403"));
    CHECK(b.script.count("abandon") == 1);
    CHECK(b.cluster.released.contains("bmc"));
  }
  SECTION("the same, and Ironic refuses to leave the machine alone, too") {
    b.script.throws["remove"] = "HTTP 403";
    b.script.alwaysFail("abandon", "HTTP 500 for hunter22");
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b,
                  "of the BMC in it; it may go on switching the machine, for the node was not put into maintenance "
                  "(HTTP 500 for ***): delete that by hand: HTTP 403"));
    CHECK(b.script.count("abandon") == 1);
  }
  SECTION("everything") {
    for (const char* call : {"register", "deprovision", "powerOff", "remove"}) b.script.throws[call] = "HTTP 500";
    CHECK(timeToLeave(b) < 10min);
    for (const char* told : {"DeprovisioningSkipped", "PowerOffSkipped", "NodeNotRemoved"}) CHECK(wasTold(b, told));
  }
  CHECK(b.it.metadata.finalizers.empty());
  CHECK_FALSE(wasTold(b, "hunter22"));
}

TEST_CASE("what is locked or never ends holds a deletion for ten minutes at most", "[host][delete]") {
  Bench b(provisionedAndDeleted());
  b.script.on = true;
  SECTION("an undeploy") {
    neverEnds(b, "deprovision", locked);
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "its disks were not cleaned: the node is locked"));
  }
  SECTION("the end of other work before the power-off") {
    neverEnds(b, "endWork", locked);
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "it may still be running: the node is locked"));
  }
  SECTION("a power-off of an agent, which shows an error of its own") {
    b.it.status.errorType = "power management error";
    neverEnds(b, "powerOff", Working{.after = 2s, .errorStands = true});
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "it may still be running: the power-off was asked for and has not come about"));
  }
  SECTION("the removal of its node") {
    neverEnds(b, "remove", locked);
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "NodeNotRemoved"));
  }
  CHECK(b.it.metadata.finalizers.empty());
}

TEST_CASE("a host that cannot be registered again is cleaned and switched off all the same", "[host][delete]") {
  Bench b(provisionedAndDeleted());
  b.script.on = true;
  SECTION("its registration is refused on the spot") { b.script.throws["register"] = "port belongs to another node"; }
  SECTION("its registration does not end") { neverEnds(b, "register", Working{3s}); }
  SECTION("its record is locked") { neverEnds(b, "register", locked); }
  CHECK(timeToLeave(b) < 10min);
  CHECK(b.script.count("deprovision") == 1);
  CHECK(b.script.count("powerOff") == 1);
  CHECK_FALSE(wasTold(b, "Skipped"));
}

TEST_CASE("work that runs is waited for, however long it takes", "[host][delete]") {
  Bench b(provisionedAndDeleted());
  for (int i = 0; i < 900; ++i) b.script.answer("deprovision", Working{10s});
  CHECK(timeToLeave(b) >= 2h);
  CHECK_FALSE(wasTold(b, "Skipped"));
}

TEST_CASE("disks are not left as they are because Ironic cleans others first", "[host][delete]") {
  Bench b(provisionedAndDeleted());
  b.script.on = true;
  b.script.throws["deprovision"] = "HTTP 503: 50 nodes are being cleaned";
  b.script.throwCode = host::ProvisionerError::Code::overloaded;
  for (int i = 0; i < 60; ++i) {
    try {
      b.pass();
    } catch (const host::ProvisionerError&) {
    }
    b.loop.clock.advance(30s);
  }
  CHECK(b.state() == State::deprovisioning);
  b.script.throws.clear();
  CHECK(timeToLeave(b) < 10min);
  CHECK(b.script.count("deprovision") > 0);
  CHECK_FALSE(wasTold(b, "Skipped"));
}

TEST_CASE("a stumble now and then is no refusal", "[host][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  for (int i = 0; i < 60; ++i) {
    b.script.answer("deprovision", Working{10s});
    b.pass();
    b.loop.clock.advance(10s);
    b.script.throws["deprovision"] = "HTTP 503";
    CHECK(b.pass() <= 18s);
    b.script.throws.clear();
    b.loop.clock.advance(10s);
  }
  CHECK(b.state() == State::deprovisioning);
}

TEST_CASE("a lasting refusal is shown to who waits for the deletion", "[host][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  b.script.throws["deprovision"] = "HTTP 403 for hunter22";
  const auto end = b.loop.clock.now() + 2min;
  while (b.loop.clock.now() < end) b.loop.clock.advance(b.pass().value());
  CHECK(b.state() == State::deprovisioning);
  CHECK(b.it.status.errorMessage == "HTTP 403 for ***");
  CHECK(b.it.status.errorType.empty());
}

TEST_CASE("an Ironic that is away as a whole keeps the host: it may still have the node", "[host][delete]") {
  const auto [state, call] =
      GENERATE(std::pair{State::deprovisioning, "deprovision"}, std::pair{State::poweringOffBeforeDelete, "powerOff"},
               std::pair{State::deleting, "remove"});
  Bench b(aHost(state).beingDeleted());
  b.script.throws[call] = "connection refused";
  b.script.answering = false;
  for (int i = 0; i < 60; ++i) {
    CHECK_THROWS_AS(b.pass(), host::ProvisionerError);
    b.loop.clock.advance(1min);
  }
  CHECK(b.it.metadata.finalizers.size() == 1);
  b.script.answering = true;
  b.pass();
  CHECK(b.state() == state);  // its absence does not count
}

TEST_CASE("a deletion waits for a slot only where one is of use", "[host][delete][capacity]") {
  SECTION("a host whose BMC is lost boots nothing, and leaves") {
    Bench b(provisionedAndDeleted());
    b.script.capacity = false;
    b.script.powerFailure = true;
    b.script.alwaysFail("deprovision", "Ironic has lost the BMC");
    b.script.alwaysFail("powerOff", "no route to host");
    CHECK(timeToLeave(b) < 10min);
    CHECK(wasTold(b, "DeprovisioningSkipped"));
  }
  SECTION("a host that waited for a slot before is only switched off") {
    Bench b(aHost(State::available).beingDeleted().with([](auto& h) { h.status.operationalStatus = "delayed"; }));
    b.script.capacity = false;
    CHECK(timeToLeave(b) < 1min);
    CHECK(b.script.count("powerOff") == 1);
  }
  SECTION("its disks are not left as they are because others are cleaned first") {
    Bench b(provisionedAndDeleted());
    b.script.capacity = false;
    for (int i = 0; i < 30; ++i) b.loop.clock.advance(b.pass().value());
    CHECK(b.state() == State::provisioned);
    CHECK(b.it.status.operationalStatus == "delayed");
    b.script.capacity = true;
    CHECK(timeToLeave(b) < 10min);
    CHECK_FALSE(wasTold(b, "Skipped"));
  }
}

TEST_CASE("a hold lasts from its first pass on, and a pause begins it anew", "[host][delete]") {
  Loop loop;
  host::HeldDeletions held(loop.runtime);
  const kube::ObjectKey key{"metal", "a"};
  const auto note = [&] { return held.noteHeld(key, State::deleting); };
  CHECK(note() == 0s);
  loop.clock.advance(90s);
  CHECK(note() == 90s);
  CHECK(held.noteHeld(key, State::deprovisioning) == 0s);
  loop.clock.advance(121s);
  CHECK(note() == 0s);
  loop.clock.advance(30s);
  held.over(key, State::deleting);
  CHECK(note() == 0s);
  loop.clock.advance(30s);
  held.forget(key);
  CHECK(note() == 0s);
}

}  // namespace
}  // namespace ingot::tests
