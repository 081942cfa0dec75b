// Power of a node of the double: changes asked for, and Ironic's own sync with what it remembers.
#include "tests/support/ironic/node.hpp"

#include <fmt/format.h>

namespace ingot::tests::fake {

namespace {

constexpr int powerSyncTries = 3;  // conductor.power_state_sync_max_retries

}  // namespace

std::optional<Refusal> Node::changePower(const std::string& target) {
  static const std::map<std::string, PowerChange> known{{"power on", {.on = true}},
                                                        {"power off", {.on = false}},
                                                        {"soft power off", {.on = false}},
                                                        {"rebooting", {.on = true, .viaOff = true}},
                                                        {"soft rebooting", {.on = true, .viaOff = true}}};
  const auto found = known.find(target);
  if (found == known.end()) return Refusal{400, "Invalid power state " + target};
  if (state() == State::cleaning || state() == State::cleanWait)
    return Refusal{400, fmt::format("Node {} is being cleaned", text("uuid"))};
  if (locked()) return lockedRefusal();
  const bool soft = target.starts_with("soft");
  if (soft && text("driver") == "ipmi" && record.contains("no_soft_power"))
    return Refusal{400, fmt::format("Power state {} is not supported", target)};
  if (!found->second.on && json::boolAt(record, {"disable_power_off"}).value_or(false))
    return Refusal{409, "The node does not permit power off"};
  power_ = found->second;
  power_->target = target;
  power_->until = clock_.now() + options_.powerWork;
  record["target_power_state"] = power_->on ? "power on" : "power off";
  record["last_error"] = nullptr;
  record["reservation"] = "conductor-1";
  return std::nullopt;
}

void Node::finishPower() {
  const PowerChange change = *power_;
  power_.reset();
  undone_ = false;
  record["target_power_state"] = nullptr;
  record["reservation"] = lockedByOther ? json::Value("other") : json::Value();
  if (const std::string trouble = switchTrouble(); !trouble.empty()) {
    noteError(text("provision_state"), fmt::format("Failed to change power state to '{}' by '{}': {}",
                                                   change.on ? "power on" : "power off", change.target, trouble));
  } else {
    if (change.viaOff) machine->setPower(false);
    machine->setPower(change.on);
    record["power_state"] = change.on ? "power on" : "power off";
  }
}

std::string Node::bmcTrouble() const {
  if (!bmcLost.empty() || !machine) return bmcLost;
  return machine->unreachable();
}

std::string Node::powerTrouble() const { return powerBroken.empty() ? bmcLost : powerBroken; }

std::string Node::switchTrouble() const {
  const std::string trouble = powerTrouble();
  return trouble.empty() ? machine->disobedience() : trouble;
}

// Every interval Ironic compares the machine with what it remembers; drift is undone or taken over. After more than
// three looks without an answer, or at a machine that does not obey, the node has the fault "power failure".
void Node::syncPower() {
  int looks = 0;
  for (; nextSync_ <= clock_.now(); nextSync_ += options_.powerSyncInterval) ++looks;
  if (work_ || power_ || locked() || state() == State::enroll || maintenance()) return;
  if (const std::string trouble = bmcTrouble(); !trouble.empty()) {
    countFailedSyncs(looks, nullptr, trouble);
    return;
  }
  const bool remembered = text("power_state") == "power on";
  if (text("power_state").empty() || machine->poweredOn() == remembered) {
    failedSyncs_ = 0;
    record["last_error"] = nullptr;
    return;
  }
  const char* read = machine->poweredOn() ? "power on" : "power off";
  undone_ = options_.forcePowerDuringSync && switchTrouble().empty();
  if (!options_.forcePowerDuringSync) {
    record["power_state"] = read;
  } else if (undone_) {
    failedSyncs_ = 0;
    machine->setPower(remembered);
  } else {
    countFailedSyncs(looks, read, fmt::format("node state {} does not match expected state", read));
  }
}

// `read`: the power as the last look found it, null without an answer.
void Node::countFailedSyncs(int looks, json::Value read, const std::string& trouble) {
  failedSyncs_ += looks;
  if (failedSyncs_ <= powerSyncTries) return;
  record["maintenance"] = true;
  record["fault"] = "power failure";
  noteError("monitoring",
            fmt::format("During sync_power_state, max retries exceeded for node {}: {}", text("uuid"), trouble));
  record["maintenance_reason"] = record["last_error"];
  record["power_state"] = std::move(read);
  nextRecovery_ = clock_.now() + options_.powerRecoveryInterval;
}

// The maintenance of a lost BMC ends with its return, whatever its reason says by now.
void Node::recoverPower() {
  while (*nextRecovery_ <= clock_.now()) *nextRecovery_ += options_.powerRecoveryInterval;
  const bool lost = maintenance() && text("fault") == "power failure";
  if (lost && !bmcTrouble().empty()) return;
  nextRecovery_.reset();
  if (!lost) return;
  failedSyncs_ = 0;
  record["maintenance"] = false;
  record["fault"] = record["maintenance_reason"] = nullptr;
  record["power_state"] = machine->poweredOn() ? "power on" : "power off";
}

}  // namespace ingot::tests::fake
