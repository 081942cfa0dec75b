// When a host that is kept off counts as off.
#include "coordinator/remediation/power_proof.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::remediation;
using namespace std::chrono_literals;

namespace {

const base::WallTime kReadAt = base::parseTime("2026-01-01T12:00:00Z").value();
const base::MonoTime kStart{};

BareMetalHost host(bool on, const std::string& known, base::WallTime since = kReadAt) {
  BareMetalHost out;
  out.status.poweredOn = on;
  out.status.provisioning.state = "provisioned";
  if (!known.empty())
    out.status.conditions = {
        {.type = "PowerStateKnown", .status = known, .lastTransitionTime = since, .reason = "Read"}};
  return out;
}

// Looked at each minute from `from` to `until`.
void watch(PowerProof& proof, const BareMetalHost& host, base::MonoTime from, base::MonoTime until) {
  for (auto at = from; at < until; at += 1min) static_cast<void>(proof.observe(host, at));
}

}  // namespace

TEST_CASE("a host that went off since it is kept off is off", "[remediation]") {
  struct Row {
    const char* what;
    BareMetalHost first, now;
    Off off;
  };
  const std::vector<Row> rows{
      {"on then, on now", host(true, "True"), host(true, "True"), Off::no},
      {"on then, off now", host(true, "True"), host(false, "True"), Off::proven},
      {"on then, off in a reading that is old", host(true, "True"), host(false, "Unknown"), Off::unproven},
      {"unknown then, read now", host(false, "Unknown"), host(false, "True", kReadAt + 1min), Off::unproven},
      {"on when it was last read, off now", host(true, "Unknown"), host(false, "True", kReadAt + 1min), Off::proven},
      {"off in a status that may be older", host(false, "True"), host(false, "True"), Off::unproven},
      {"unread in between", host(false, "True"), host(false, "True", kReadAt + 1min), Off::unproven},
      {"of Metal3's controller, off now", host(true, ""), host(false, ""), Off::proven},
      {"of Metal3's controller, off in a status that may be older", host(false, ""), host(false, ""), Off::unproven},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    CHECK(PowerProof(row.first, kStart).observe(row.now, kStart + 1s) == row.off);
  }
}

TEST_CASE("a host that says off for longer than it goes unread is off", "[remediation]") {
  PowerProof proof(host(false, "True"), kStart);
  watch(proof, host(false, "True"), kStart, kStart + kLongestUnread);
  CHECK(proof.observe(host(false, "True"), kStart + kLongestUnread - 1s) == Off::unproven);
  CHECK(proof.left(kStart + kLongestUnread - 1s) == 1s);
  CHECK(proof.observe(host(false, "True"), kStart + kLongestUnread) == Off::proven);
  CHECK(proof.observe(host(true, "True"), kStart + 1h) == Off::no);
}

TEST_CASE("time in which nobody looked proves nothing", "[remediation]") {
  PowerProof proof(host(false, "True"), kStart);
  CHECK(proof.observe(host(false, "True"), kStart + kLongestUnread + 1min) == Off::unproven);
  CHECK(proof.left(kStart + kLongestUnread + 1min) == kLongestUnread);
}

TEST_CASE("what another host said proves nothing of this one", "[remediation]") {
  PowerProof proof(host(true, "True"), kStart);
  auto other = host(false, "True");
  other.metadata.uid = "other";
  CHECK(proof.observe(other, kStart + 1s) == Off::unproven);
}

TEST_CASE("time counts only while the power is read", "[remediation]") {
  // Ironic syncs the power every two minutes, and keeps what it has through three syncs that failed.
  CHECK(kLongestUnread > 4 * 2min);
  PowerProof proof(host(false, ""), kStart);
  CHECK(proof.observe(host(false, "Unknown"), kStart + 1h) == Off::unproven);
  CHECK(proof.left(kStart + 1h) == kLongestUnread);
}

TEST_CASE("a host that nobody looks after proves nothing, and nothing of before counts afterwards", "[remediation]") {
  for (const char* annotation : {"baremetalhost.metal3.io/paused", "baremetalhost.metal3.io/detached"}) {
    PowerProof proof(host(true, "True"), kStart);
    auto left = host(false, "True");
    left.metadata.annotations[annotation] = "";
    CHECK(proof.observe(left, kStart + 1h) == Off::unproven);
    CHECK(proof.observe(host(false, "True"), kStart + 1h + 1s) == Off::unproven);
    watch(proof, host(false, "True"), kStart + 1h, kStart + 1h + kLongestUnread);
    CHECK(proof.observe(host(false, "True"), kStart + 1h + kLongestUnread) == Off::proven);
  }
}

TEST_CASE("a host whose status may be empty or carried over proves nothing", "[remediation]") {
  for (const char* state : {"", "registering", "inspecting", "available", "provisioning", "deprovisioning", "new"}) {
    INFO(state);
    PowerProof proof(host(true, "True"), kStart);
    auto carried = host(false, "");
    carried.status.provisioning.state = state;
    CHECK(proof.observe(carried, kStart + 1h) == Off::unproven);
    carried.status.provisioning.state = "provisioned";
    CHECK(proof.observe(carried, kStart + 1h + 1s) == Off::unproven);
  }
  PowerProof proof(host(true, "True"), kStart);
  auto adopted = host(false, "True");
  adopted.status.provisioning.state = "externally provisioned";
  CHECK(proof.observe(adopted, kStart + 1s) == Off::proven);
}

TEST_CASE("a controller that begins to say whether it knows the power has not read it yet", "[remediation]") {
  PowerProof proof(host(false, ""), kStart);
  watch(proof, host(false, ""), kStart, kStart + 9min);
  CHECK(proof.observe(host(false, "True"), kStart + 9min) == Off::unproven);
  CHECK(proof.left(kStart + 9min) == kLongestUnread);
  watch(proof, host(false, "True"), kStart + 9min, kStart + 9min + kLongestUnread);
  CHECK(proof.observe(host(false, "True"), kStart + 9min + kLongestUnread) == Off::proven);
}

TEST_CASE("an agent that reads twice that a host is off proves it, though it was off all along", "[remediation]") {
  const auto off = host(false, "True");
  const auto reading = [](base::Duration after, bmc::Power power = bmc::Power::off) {
    return AgentReading{.power = power, .at = kStart + after};
  };
  PowerProof proof(off, kStart);
  CHECK(proof.observe(off, kStart + 1s, reading(-1s)) == Off::unproven);  // from before
  CHECK(proof.observe(off, kStart + 6s, reading(5s)) == Off::unproven);   // may have been asked for before
  CHECK(proof.observe(off, kStart + 9s, reading(5s + 10ms)) == Off::unproven);
  CHECK(proof.observe(off, kStart + 11s, reading(10s)) == Off::proven);

  CHECK(proof.observe(off, kStart + 16s, reading(15s, bmc::Power::unknown)) ==
        Off::unproven);  // a command is under way
  CHECK(proof.observe(off, kStart + 21s, reading(20s)) == Off::unproven);
  CHECK(proof.observe(off, kStart + 26s, reading(25s)) == Off::proven);

  const auto unread = host(false, "Unknown");
  CHECK(proof.observe(unread, kStart + 31s, reading(30s)) == Off::unproven);
  CHECK(proof.observe(host(true, "True"), kStart + 36s, reading(35s)) == Off::no);
}

TEST_CASE("a host that an agent reads as on is not off, whatever its status says", "[remediation]") {
  const auto off = host(false, "True");
  const auto reading = [](base::Duration after, bmc::Power power) {
    return AgentReading{.power = power, .at = kStart + after};
  };
  PowerProof proof(host(true, "True"), kStart);
  CHECK(proof.observe(off, kStart + 5s, reading(4s, bmc::Power::off)) == Off::proven);
  CHECK(proof.observe(off, kStart + 10s, reading(9s, bmc::Power::on)) == Off::no);
  CHECK(proof.observe(off, kStart + 15s) == Off::unproven);  // the agent is lost, and the status is from before
  CHECK(proof.observe(off, kStart + 20s, reading(19s, bmc::Power::off)) == Off::unproven);
  CHECK(proof.observe(off, kStart + 25s, reading(24s, bmc::Power::off)) == Off::proven);
}
