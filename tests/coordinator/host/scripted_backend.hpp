// A provisioner that answers what it was told to and remembers what it was asked.
#pragma once

#include "coordinator/host/provisioner.hpp"

#include <deque>
#include <map>

namespace ingot::tests {

namespace host = coordinator::host;

// Shared by the short-lived provisioners of many passes.
struct Script {
  std::vector<std::string> calls;                           // names, in order
  std::map<std::string, std::deque<host::Result>> answers;  // used up one by one; then: complete
  std::map<std::string, std::string> throws;                // this call throws a transient error
  std::optional<host::ProvisionerError::Code> throwCode;    // instead of transient

  std::string provisionerId = "node-1";
  bool credentialsTold = true;
  std::optional<api::HardwareDetails> hardware = api::HardwareDetails{.ramMebibytes = 1024, .cpu = {.arch = "x86_64"}};
  bool inspectionStarted = false, prepareStarted = true;
  std::optional<bool> on = false;
  bool capacity = true, powerFailure = false;
  std::string health = "OK";

  host::RegisterData registered;
  host::PrepareData prepared;
  host::ProvisionData provisioned;
  bool credentialsChanged = false, restarted = false, unprepared = false, forced = false, refreshed = false;
  host::RebootMode mode = host::RebootMode::soft;
  std::string userData;

  void answer(const std::string& call, host::Result result) { answers[call].push_back(std::move(result)); }
  void alwaysFail(const std::string& call, const std::string& message, int times = 100) {
    for (int i = 0; i < times; ++i) answer(call, host::Result::failed(message));
  }
  [[nodiscard]] int count(const std::string& call) const { return static_cast<int>(std::ranges::count(calls, call)); }

  host::Result next(const std::string& call) {
    calls.push_back(call);
    if (throws.contains(call)) {
      throw host::ProvisionerError(throwCode.value_or(host::ProvisionerError::Code::transient), throws[call]);
    }
    auto& waiting = answers[call];
    if (waiting.empty()) return host::Result::complete();
    host::Result result = waiting.front();
    waiting.pop_front();
    return result;
  }
};

class ScriptedBackend final : public host::Provisioner {
 public:
  explicit ScriptedBackend(Script& script) : s_(script) {}

  base::Task<host::Registered> registerHost(host::RegisterData data, bool changed, bool restart) override {
    s_.registered = std::move(data);
    s_.credentialsChanged = changed;
    s_.restarted = restart;
    host::Result result = s_.next("register");
    co_return host::Registered{result, s_.provisionerId, s_.credentialsTold};
  }
  base::Task<host::Inspected> inspectHardware(host::InspectData, bool restart, bool refresh, bool force) override {
    s_.restarted = restart;
    s_.refreshed = refresh;
    s_.forced = force;
    host::Result result = s_.next("inspect");
    co_return host::Inspected{result, s_.inspectionStarted, result.dirty ? std::nullopt : s_.hardware};
  }
  base::Task<std::optional<bool>> poweredOn() override { co_return s_.on; }
  base::Task<host::Result> adopt(std::string, bool restart) override {
    s_.restarted = restart;
    co_return s_.next("adopt");
  }
  base::Task<host::Prepared> prepare(host::PrepareData data, bool unprepared, bool restart) override {
    s_.prepared = std::move(data);
    s_.unprepared = unprepared;
    s_.restarted = restart;
    host::Result result = s_.next("prepare");
    co_return host::Prepared{result, s_.prepareStarted && unprepared};
  }
  base::Task<host::Result> provision(host::ProvisionData data, bool force) override {
    s_.forced = force;
    if (data.hostConfig != nullptr) s_.userData = (co_await data.hostConfig->userData()).reveal();
    data.hostConfig = nullptr;
    s_.provisioned = std::move(data);
    host::Result result = s_.next("provision");
    if (!result.dirty && result.errorMessage.empty()) s_.on = true;
    co_return result;
  }
  base::Task<host::Result> deprovision(bool restart, std::string) override {
    s_.restarted = restart;
    co_return s_.next("deprovision");
  }
  base::Task<host::Result> remove() override { co_return s_.next("remove"); }
  base::Task<host::Result> powerOn(bool force) override { co_return change("powerOn", true, force); }
  base::Task<host::Result> powerOff(host::RebootMode mode, bool force, std::string) override {
    s_.mode = mode;
    co_return change("powerOff", false, force);
  }
  base::Task<bool> hasCapacity() override { co_return s_.capacity; }
  base::Task<bool> hasPowerFailure() override { co_return s_.powerFailure; }
  base::Task<std::string> health() override { co_return s_.health; }

 private:
  host::Result change(const std::string& call, bool on, bool force) {
    s_.forced = force;
    host::Result result = s_.next(call);
    if (!result.dirty && result.errorMessage.empty()) s_.on = on;
    return result;
  }
  Script& s_;
};

}  // namespace ingot::tests
