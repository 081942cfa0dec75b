// One node of the Ironic double: its record and the work under way on it.
#pragma once

#include "base/runtime.hpp"
#include "ironic-client/state.hpp"
#include "json/value.hpp"
#include "tests/support/fake_ironic.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests::fake {

using ironic::State;
using ironic::Verb;

// What Ironic answers instead of doing it.
struct Refusal {
  int status = 0;
  std::string text;
};

// States passed through, one after another, and what comes at the end.
struct Phase {
  State state;
  base::Duration lasts;
};
struct Work {
  std::vector<Phase> phases;
  std::size_t now = 0;
  base::MonoTime until;
  std::function<void()> finish;
};

struct PowerChange {
  bool on = false;
  bool viaOff = false;
  std::string target;
  base::MonoTime until;
};

class Node {
 public:
  Node(json::Object record, std::shared_ptr<FakeMachine> machine, const FakeIronicOptions& options, base::Clock& clock);

  json::Object record;
  std::optional<json::Object> inventory;  // {"inventory", "plugin_data"}
  std::vector<json::Object> history;      // the oldest entry first
  std::shared_ptr<FakeMachine> machine;
  std::map<Verb, std::string> broken;  // verbs whose work fails, with last_error
  std::string powerBroken;
  std::string bmcLost;  // why the BMC does not answer
  bool stalled = false;
  bool lockedByOther = false;

  [[nodiscard]] State state() const;
  [[nodiscard]] std::string text(std::string_view key) const { return json::textAt(record, {key}); }
  [[nodiscard]] bool locked() const { return !text("reservation").empty(); }
  [[nodiscard]] bool maintenance() const { return json::boolAt(record, {"maintenance"}).value_or(false); }

  // Does what is due. Call before looking.
  void settle();
  // As reached by work, with the target that Ironic keeps there.
  void enter(State state, std::string lastError = "");
  // Sets last_error and adds an entry to the history.
  void noteError(std::string_view eventType, const std::string& error);
  void setLockedByOther(bool locked);
  // What the conductor is doing to the machine, or waits for; "": nothing.
  [[nodiscard]] std::string work() const;
  // The power sync has just put the machine back to what the record says, and nobody has switched it since.
  [[nodiscard]] bool undone() const { return undone_ && machine->poweredOn() == (text("power_state") == "power on"); }

  [[nodiscard]] std::optional<Refusal> changeState(Verb verb, const json::Value& body);
  [[nodiscard]] std::optional<Refusal> changePower(const std::string& target);
  [[nodiscard]] std::optional<Refusal> patch(const json::Value& operations, bool resetInterfaces = false);
  [[nodiscard]] std::optional<Refusal> mayBeDeleted() const;
  void stamp();  // provision_updated_at

 private:
  void start(std::vector<Phase> phases, State target, std::function<void()> finish);
  void showPhase();
  void fail(Verb verb, State failed, std::string_view whatHappened);
  [[nodiscard]] bool breaks(Verb verb) const { return broken.contains(verb); }
  [[nodiscard]] std::optional<Refusal> abort();
  void manage();
  void clean(State target, bool manual, bool ramdisk = true);
  void service(bool ramdisk);
  void hold(std::string_view fault);
  void letGo(Verb verb);
  void inspect();
  void ejectMedia();
  void switchOff();
  void deploy();
  void undeploy();
  void adopt();
  void finishPower();
  void breakWithoutPower(Verb verb, std::string_view whatFails);
  void syncPower();
  void countFailedSyncs(int looks, json::Value read, const std::string& trouble);
  void recoverPower();
  [[nodiscard]] std::string bmcTrouble() const;     // why the BMC does not answer; "" if it does
  [[nodiscard]] std::string powerTrouble() const;   // why power cannot be changed
  [[nodiscard]] std::string switchTrouble() const;  // that, or why the machine stays as it is
  [[nodiscard]] Refusal lockedRefusal() const;
  [[nodiscard]] Refusal wrongState(std::string_view verb) const;

  const FakeIronicOptions& options_;
  base::Clock& clock_;
  std::optional<Work> work_;
  std::optional<PowerChange> power_;
  base::MonoTime nextSync_;
  int failedSyncs_ = 0;
  std::optional<base::MonoTime> nextRecovery_;  // while a sync has found the BMC lost
  bool undone_ = false;
};

}  // namespace ingot::tests::fake
