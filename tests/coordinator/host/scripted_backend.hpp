// A provisioner that answers what it was told to and remembers what it was asked.
#pragma once

#include "coordinator/host/provisioner.hpp"

#include <deque>
#include <map>

namespace ingot::tests {

namespace host = coordinator::host;

// Shared by the short-lived provisioners of many passes.
struct Script {
  std::vector<std::string> calls;                             // names, in order
  std::map<std::string, std::deque<host::Progress>> answers;  // used up one by one; then: Done
  std::map<std::string, std::string> throws;                  // this call throws a transient error
  std::optional<host::ProvisionerError::Code> throwCode;      // instead of transient

  std::string provisionerId = "node-1";
  bool credentialsTold = true;
  api::HardwareDetails hardware = api::HardwareDetails{.ramMebibytes = 1024, .cpu = {.arch = "x86_64"}};
  std::optional<bool> on = false;
  bool capacity = true, powerFailure = false, answering = true;
  bool owesErasure = false, owesEjection = false, lendsToBoot = false, booted = false;
  bool leavesLentAsItIs = false;
  std::optional<bool> askedOfLent;
  bool isOthers = false;  // the machine that is to be lent
  bool asksForMachine = false;
  std::string health = "OK", obstacle;

  host::RegisterData registered;
  bool restarted = false, forced = false;
  host::RebootMode mode = host::RebootMode::soft;
  std::string userData;

  void answer(const std::string& call, host::Progress progress) { answers[call].push_back(std::move(progress)); }
  void alwaysFail(const std::string& call, const std::string& message, int times = 100) {
    for (int i = 0; i < times; ++i) answer(call, host::Refused{message});
  }
  [[nodiscard]] int count(const std::string& call) const { return static_cast<int>(std::ranges::count(calls, call)); }

  host::Progress next(const std::string& call) {
    calls.push_back(call);
    if (throws.contains(call)) {
      throw host::ProvisionerError(throwCode.value_or(host::ProvisionerError::Code::transient), throws[call]);
    }
    auto& waiting = answers[call];
    if (waiting.empty()) return host::Done{};
    host::Progress progress = waiting.front();
    waiting.pop_front();
    return progress;
  }
};

class ScriptedBackend final : public host::Provisioner {
 public:
  explicit ScriptedBackend(Script& script, std::function<std::string()> reserveMachine = {})
      : s_(script), reserveMachine_(std::move(reserveMachine)) {}

  base::Task<host::Registered> registerHost(host::RegisterData data) override {
    s_.restarted = data.restartOnFailure;
    s_.registered = std::move(data);
    if (s_.asksForMachine)
      if (std::string why = reserveMachine_(); !why.empty()) co_return host::Registered{host::Refused{why}, ""};
    host::Progress progress = s_.next("register");
    co_return host::Registered{progress, s_.provisionerId, s_.credentialsTold};
  }
  base::Task<host::Inspected> inspectHardware(host::InspectData data) override {
    s_.restarted = data.restartOnFailure;
    s_.forced = data.forceReboot;
    const host::Progress progress = s_.next("inspect");
    if (const auto* working = std::get_if<host::Working>(&progress)) co_return *working;
    if (const auto* refused = std::get_if<host::Refused>(&progress)) co_return *refused;
    co_return s_.hardware;
  }
  base::Task<std::optional<bool>> poweredOn() override { co_return s_.on; }
  base::Task<host::Progress> adopt(host::AdoptData data) override {
    s_.restarted = data.restartOnFailure;
    co_return s_.next("adopt");
  }
  base::Task<host::Progress> prepare(host::PrepareData data) override {
    s_.restarted = data.restartOnFailure;
    co_return s_.next("prepare");
  }
  base::Task<host::Progress> provision(host::ProvisionData data) override {
    s_.forced = data.forceReboot;
    if (data.hostConfig != nullptr) s_.userData = (co_await data.hostConfig->userData()).reveal();
    const host::Progress progress = s_.next("provision");
    if (std::holds_alternative<host::Done>(progress)) s_.on = true;
    co_return progress;
  }
  base::Task<host::Progress> deprovision(host::DeprovisionData data) override {
    s_.restarted = data.restartOnFailure;
    co_return s_.next("deprovision");
  }
  base::Task<bool> owesErasure() override { co_return s_.owesErasure; }
  bool lendsToBoot() const override { return s_.lendsToBoot; }
  base::Task<host::BootLoan> lendToBoot(host::ProvisionData) override {
    const host::Progress progress = s_.next("lendToBoot");
    if (s_.isOthers) co_return host::NotLent{};
    if (const auto* work = std::get_if<host::Working>(&progress)) co_return *work;
    if (const auto* refused = std::get_if<host::Refused>(&progress)) co_return *refused;
    co_return s_.booted ? host::BootLoan(host::Done{}) : host::BootLoan(host::Lent{});
  }
  base::Task<bool> isPastBoot(api::Image) override { co_return s_.booted; }
  base::Task<host::Progress> noteBooted() override {
    s_.booted = true;
    s_.next("noteBooted");
    co_return host::Working{};
  }
  base::Task<bool> leavesLentAsItIs(std::optional<bool> provedOn) override {
    s_.askedOfLent = provedOn;
    co_return s_.leavesLentAsItIs;
  }
  base::Task<bool> owesEjection() override { co_return s_.owesEjection; }
  base::Task<host::Progress> lend(host::Loan) override { co_return s_.next("lend"); }
  base::Task<host::Progress> noteEjected() override {
    s_.owesEjection = false;
    co_return s_.next("noteEjected");
  }
  base::Task<host::Progress> takeBack() override { co_return s_.next("takeBack"); }
  base::Task<host::Progress> remove() override { co_return s_.next("remove"); }
  base::Task<std::string> abandon(std::string) override {
    const host::Progress progress = s_.next("abandon");
    const auto* refused = std::get_if<host::Refused>(&progress);
    co_return refused != nullptr ? refused->message : "";
  }
  base::Task<host::Progress> powerOn(host::PowerOn how) override { co_return change("powerOn", true, how.force); }
  base::Task<host::Progress> powerOff(host::PowerOff how, std::string) override {
    s_.mode = how.mode;
    co_return change("powerOff", false, how.force);
  }
  base::Task<host::Progress> endWork(std::string) override { co_return s_.next("endWork"); }
  bool answers() override { return s_.answering; }
  base::Task<std::string> obstacle(base::Duration) override { co_return s_.obstacle; }
  base::Task<bool> acquireSlot() override { co_return s_.capacity; }
  base::Task<bool> hasPowerFailure() override { co_return s_.powerFailure; }
  base::Task<std::string> health() override { co_return s_.health; }

 private:
  host::Progress change(const std::string& call, bool on, bool force) {
    s_.forced = force;
    const host::Progress progress = s_.next(call);
    if (std::holds_alternative<host::Done>(progress)) s_.on = on;
    return progress;
  }
  Script& s_;
  std::function<std::string()> reserveMachine_;
};

}  // namespace ingot::tests
