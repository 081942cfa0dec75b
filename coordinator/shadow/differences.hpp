// What has come out otherwise, as it may be told: without secrets, and bounded, however much who may write an object
// puts into it. The oldest go, and are counted: those of workload clusters have half of the room, and of them the one
// with most goes first, so that nobody takes the place of what is told of others.
#pragma once

#include "coordinator/shadow/decision.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

namespace ingot::coordinator::shadow {

class Differences {
 public:
  // `dropped` is told of each that goes to make room, and of those of which all that was shown is done, and more
  // stands.
  Differences(std::size_t most, std::function<void(const Difference&)> dropped)
      : most_(most), onDropped_(std::move(dropped)) {}

  // As it is told.
  Difference add(Difference difference);
  [[nodiscard]] bool hasRoom() const { return all_.size() < most_; }
  // Whether this is told as not done.
  [[nodiscard]] bool shows(const ObjectId& id, const std::string& path) const;
  // What was told as not done is done now, or not wanted any more.
  void settle(const ObjectId& id, const std::string& path);
  // Nothing that they did with this object since then was unforeseen.
  void wereForeseen(const ObjectId& id, base::MonoTime since);

  [[nodiscard]] const std::deque<Difference>& all() const { return all_; }  // the oldest first
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  void makeRoom();

  std::size_t most_;
  std::function<void(const Difference&)> onDropped_;
  std::deque<Difference> all_;
  std::uint64_t dropped_ = 0;
};

}  // namespace ingot::coordinator::shadow
