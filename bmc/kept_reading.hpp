// What several hosts ask of their BMC, asked once.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "bmc/lane.hpp"

#include <functional>
#include <optional>
#include <set>

namespace ingot::bmc {

template <class T>
class KeptReading {
 public:
  explicit KeptReading(base::Runtime runtime) : runtime_(std::move(runtime)), over_(runtime_.executor) {}

  // What was read last, if it is no older than that. Else it is read: whoever asks meanwhile waits for that, but for
  // who is more urgent and reads it himself. What `read` throws is thrown to its caller alone; the next one tries
  // himself.
  [[nodiscard]] base::Task<T> get(Lane lane, base::Duration notOlderThan, std::function<base::Task<T>()> read) {
    const auto since = runtime_.clock.now() - notOlderThan;
    while (!isKnownSince(since) && !readings_.empty() && *readings_.begin() <= lane) co_await over_.wait();
    if (isKnownSince(since)) co_return *kept_;
    const Reading mine(*this, lane);
    const auto asked = runtime_.clock.now();
    auto found = co_await read();
    if (!kept_ || asked >= asked_) {
      kept_ = found;
      asked_ = asked;
    }
    co_return found;
  }

 private:
  class Reading {
   public:
    Reading(KeptReading& of, Lane lane) : of_(of), at_(of.readings_.insert(lane)) {}
    ~Reading() {
      of_.readings_.erase(at_);
      of_.over_.notifyAll();
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    KeptReading& of_;
    std::multiset<Lane>::iterator at_;
  };

  [[nodiscard]] bool isKnownSince(base::MonoTime since) const { return kept_ && asked_ >= since; }

  base::Runtime runtime_;
  base::Notifier over_;
  std::optional<T> kept_;
  base::MonoTime asked_{};
  std::multiset<Lane> readings_;  // in which it is read now, the most urgent first
};

}  // namespace ingot::bmc
