// The agents that are connected now, as they present themselves. Whether they may serve stands in their
// ProvisioningAgent.
#pragma once

#include "base/clock.hpp"
#include "base/milliseconds.hpp"
#include "wire/pieces.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

// How long an agent's messages are under way, by the stamps of its own clock: the quickest so far sets the scale, which
// gives way slowly because the two clocks drift.
class Transit {
 public:
  // A message with this stamp has come: how much longer than the quickest it took.
  base::Duration arrived(std::int64_t stampMs, base::MonoTime now) {
    const base::Duration offset = now.time_since_epoch() - base::fromMilliseconds(stampMs);
    if (!quickest_) quickest_ = offset;
    quickest_ = std::min(offset, *quickest_ + (now - last_) / driftDivisor);
    last_ = now;
    return offset - *quickest_;
  }

 private:
  static constexpr int driftDivisor = 5000;  // 200 ppm, more than any clock that works
  std::optional<base::Duration> quickest_;
  base::MonoTime last_{};
};

struct Connection {
  std::string peer;  // of the link
  std::string publicKey;
  std::string name;  // as the agent calls itself
  std::string boot, software;
  std::vector<std::string> ended;  // earlier boots that are over, for sure
  bool readsInventories = false, preparesBoots = false, erasesDrives = false;
  bool isLeaving = false;             // it has said that it stops
  int incarnation = 0;                // another one: a process that cannot prove that the one before it is over
  int version = wire::oldestVersion;  // of the protocol, that both speak
  std::int64_t helloMs = 0;           // the stamp of its hello
  std::int64_t stampMs = 0;           // its latest stamp: what grants and renewals echo
  std::int64_t heartbeat = 0;         // the number of its latest; 0: none yet
  base::MonoTime lastHeard{};
  base::MonoTime since{};
  bool toldApproved = false;  // by its last welcome
  Transit transit;
  base::Duration lag{};     // of its last message
  std::int64_t taken = 0;   // bytes of messages that can wait, since its hello …
  std::int64_t credit = 0;  // … and how many it was told that we take
  wire::PieceAssembly pieces;
};

// True when the process of that boot is the connected one, or has certainly ended: nobody else can hold what it held.
[[nodiscard]] inline bool provesEnd(const Connection& connection, const std::string& boot) {
  return connection.boot == boot || std::ranges::find(connection.ended, boot) != connection.ended.end();
}

class Roster {
 public:
  explicit Roster(base::Duration silence = std::chrono::seconds(8)) : silence_(silence) {}

  static constexpr std::size_t mostStrangers = 64;
  using IsStranger = std::function<bool(const std::string& publicKey)>;

  // Enters a connection that said hello; it replaces the older one of its key. Keys that nobody has approved share a
  // few slots, and a new one takes the slot of the one that has been silent for longest. nullptr: none of them is
  // silent.
  Connection* welcome(Connection connection, const IsStranger& isStranger) {
    const auto found = byKey_.find(connection.publicKey);
    if (found == byKey_.end() && isStranger(connection.publicKey) && !makeRoom(isStranger, connection.lastHeard))
      return nullptr;
    const bool proven = found != byKey_.end() && provesEnd(connection, found->second.boot);
    connection.incarnation = proven ? found->second.incarnation : ++lastIncarnation_;
    return &(byKey_[connection.publicKey] = std::move(connection));
  }

  // nullptr: this connection has not said hello (to us).
  [[nodiscard]] Connection* find(const std::string& publicKey, const std::string& peer) {
    const auto found = byKey_.find(publicKey);
    return found != byKey_.end() && found->second.peer == peer ? &found->second : nullptr;
  }
  [[nodiscard]] const Connection* byKey(const std::string& publicKey) const {
    const auto found = byKey_.find(publicKey);
    return found == byKey_.end() ? nullptr : &found->second;
  }

  // The connection was heard of within the limit of silence.
  [[nodiscard]] bool alive(const Connection& connection, base::MonoTime now) const {
    return now - connection.lastHeard <= silence_;
  }

  // Drops those that have been silent for long.
  void prune(base::MonoTime now) {
    std::erase_if(byKey_, [&](const auto& entry) { return now - entry.second.lastHeard > forgetAfter; });
  }
  [[nodiscard]] base::Duration silence() const { return silence_; }

 private:
  [[nodiscard]] bool makeRoom(const IsStranger& isStranger, base::MonoTime now) {
    std::size_t strangers = 0;
    auto idlest = byKey_.end();
    for (auto it = byKey_.begin(); it != byKey_.end(); ++it) {
      if (!isStranger(it->first)) continue;
      ++strangers;
      if (idlest == byKey_.end() || it->second.lastHeard < idlest->second.lastHeard) idlest = it;
    }
    if (strangers < mostStrangers) return true;
    if (alive(idlest->second, now)) return false;
    byKey_.erase(idlest);
    return true;
  }

  static constexpr base::Duration forgetAfter = std::chrono::minutes(10);
  base::Duration silence_;
  int lastIncarnation_ = 0;  // none is given twice: a connection that was forgotten may have left leases behind
  std::map<std::string, Connection> byKey_;
};

}  // namespace ingot::coordinator::agents
