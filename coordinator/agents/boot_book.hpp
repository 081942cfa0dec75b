// What agents were asked to make hosts boot from, until the answer has been taken. Pure.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/boot.hpp"
#include "coordinator/agents/wait_time.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

struct AskedBoot {
  bmc::BootPlan plan;
  std::string agent, peer;       // asked last: name of the ProvisioningAgent, connection
  std::set<wire::Token> tokens;  // of all requests for this plan; one answer is enough
  WaitTime waited;
  base::MonoTime againAt{};  // it is asked again, unless an answer comes
  std::optional<wire::BootResult> result;
  base::MonoTime answeredAt{};
  std::string trouble;      // what the last answer named that may pass
  bool isOccupied = false;  // it was no more than that the agent is at work for this host
};

class BootBook {
 public:
  [[nodiscard]] AskedBoot* find(const std::string& uid) {
    const auto found = asked_.find(uid);
    return found == asked_.end() ? nullptr : &found->second;
  }
  // The request for this plan, new unless it is the last one's.
  [[nodiscard]] AskedBoot& ask(const std::string& uid, const bmc::BootPlan& plan, base::MonoTime now);
  // True: it is worth a look. An answer that nobody waits for, or from another agent, is not.
  [[nodiscard]] bool answered(const std::string& agent, const wire::BootResult& result, base::MonoTime now);
  void forget(const std::string& uid) { asked_.erase(uid); }

 private:
  std::map<std::string, AskedBoot> asked_;  // by uid
};

}  // namespace ingot::coordinator::agents
