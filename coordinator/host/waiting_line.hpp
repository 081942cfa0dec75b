// The hosts that wait for a slot, the longest first. Each is woken once and then tries for itself; one that finds the
// slots taken joins again, asleep, at its earlier place. Every operation costs the logarithm of the number of waiting
// hosts.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ingot::coordinator::host {

template <class Key>
class WaitingLine {
 public:
  void join(const Key& key, base::MonoTime now) {
    const base::MonoTime since = since_.try_emplace(key, now).first->second;
    asleep_.emplace(since, key);
  }
  // The host has a slot, or wants none any more.
  void leave(const Key& key) {
    const auto found = since_.find(key);
    if (found == since_.end()) return;
    asleep_.erase({found->second, key});
    since_.erase(found);
  }
  // The host to wake; nullopt: nobody is asleep.
  [[nodiscard]] std::optional<Key> wakeLongest() {
    if (asleep_.empty()) return std::nullopt;
    return std::move(asleep_.extract(asleep_.begin()).value().second);
  }

 private:
  std::map<Key, base::MonoTime> since_;
  std::set<std::pair<base::MonoTime, Key>> asleep_;
};

}  // namespace ingot::coordinator::host
