// The erasures of drives that agents were asked for, and how far they are. Pure.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/erasure.hpp"
#include "coordinator/agents/wait_time.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

struct EraseAsk {
  std::string job;
  bmc::EraseOrder order;
  bool resumeOnly = false;

  friend bool operator==(const EraseAsk&, const EraseAsk&) = default;
};

struct AskedErasure {
  EraseAsk ask;
  std::string agent, peer;                    // asked last: name of the ProvisioningAgent, connection
  std::set<wire::Token> tokens;               // of all requests for it
  base::MonoTime againAt{};                   // it is asked again, unless an answer comes
  WaitTime idle;                              // nothing goes on
  std::optional<wire::EraseReport> progress;  // it goes on
  std::optional<wire::EraseReport> result;
  std::string trouble;  // what the last answer named that may pass
};

class EraseBook {
 public:
  [[nodiscard]] AskedErasure* find(const std::string& uid) {
    const auto found = asked_.find(uid);
    return found == asked_.end() ? nullptr : &found->second;
  }
  // The request for this, new unless it is the last one's.
  [[nodiscard]] AskedErasure& ask(const std::string& uid, const EraseAsk& ask, base::MonoTime now);
  // True: it is worth a look. An answer that nobody waits for, or from another agent, is not. An agent of ours sends no
  // long texts and lists; of one that has gone wrong so much is kept as a machine can have.
  [[nodiscard]] bool answered(const std::string& agent, wire::EraseReport report, base::MonoTime now);
  void forget(const std::string& uid) { asked_.erase(uid); }

 private:
  std::map<std::string, AskedErasure> asked_;  // by uid
};

}  // namespace ingot::coordinator::agents
