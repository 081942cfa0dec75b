// The agents that are connected now, as they present themselves. Whether they may serve stands in their ProvisioningAgent.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <string>

namespace ingot::coordinator::agents {

struct Connection {
  std::string peer;            // of the link
  std::string publicKey;
  std::string name;            // as the agent calls itself
  std::string boot, software;
  std::int64_t stampMs = 0;    // its latest stamp: what grants and renewals echo
  base::MonoTime lastHeard{};
  base::MonoTime since{};
};

class Roster {
 public:
  explicit Roster(base::Duration silence = std::chrono::seconds(8)) : silence_(silence) {}

  // A hello: a new connection of this key takes the place of its older one.
  Connection& welcome(Connection connection) { return byKey_[connection.publicKey] = std::move(connection); }

  // nullptr: this connection has not said hello (to us).
  [[nodiscard]] Connection* find(const std::string& publicKey, const std::string& peer) {
    const auto found = byKey_.find(publicKey);
    return found != byKey_.end() && found->second.peer == peer ? &found->second : nullptr;
  }
  [[nodiscard]] const Connection* byKey(const std::string& publicKey) const {
    const auto found = byKey_.find(publicKey);
    return found == byKey_.end() ? nullptr : &found->second;
  }

  // Heard of within the limit of silence.
  [[nodiscard]] bool alive(const Connection& connection, base::MonoTime now) const {
    return now - connection.lastHeard <= silence_;
  }

 private:
  base::Duration silence_;
  std::map<std::string, Connection> byKey_;
};

}  // namespace ingot::coordinator::agents
