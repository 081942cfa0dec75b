// The inventories that agents were asked for, until the host controller has taken them. Pure.
#pragma once

#include "base/clock.hpp"
#include "coordinator/agents/wait_time.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>

namespace ingot::coordinator::agents {

struct AskedInventory {
  std::int64_t id = 0;
  std::string agent;        // name of the ProvisioningAgent
  std::string peer;         // connection that it was asked over: over another one it is asked again
  base::MonoTime at{};      // when it was asked for
  base::MonoTime sentAt{};  // the last time
  WaitTime waited;
  std::optional<wire::InventoryResult> result;
};

class InventoryBook {
 public:
  // Ids of one term are told from those of another.
  explicit InventoryBook(std::int64_t term) : nextId_((term << 20) + 1) {}

  // A new request, in place of one before it.
  AskedInventory& ask(const std::string& uid, std::string agent, std::string peer, base::MonoTime now) {
    return asked_[uid] = {.id = nextId_++,
                          .agent = std::move(agent),
                          .peer = std::move(peer),
                          .at = now,
                          .sentAt = now,
                          .waited = WaitTime(now)};
  }
  [[nodiscard]] AskedInventory* find(const std::string& uid) {
    const auto found = asked_.find(uid);
    return found == asked_.end() ? nullptr : &found->second;
  }
  // False: nobody waits for this answer, from this agent. An agent of ours sends no long texts and lists; of one that
  // has gone wrong so much is kept as a machine can have.
  [[nodiscard]] bool answered(const std::string& agent, const wire::InventoryResult& result);
  void forget(const std::string& uid) { asked_.erase(uid); }

 private:
  std::map<std::string, AskedInventory> asked_;  // by uid
  std::int64_t nextId_;
};

}  // namespace ingot::coordinator::agents
