// What has come out otherwise, as it may be told: without secrets, and bounded, however much who may write an object
// puts into it. The oldest go, and are counted.
#pragma once

#include "coordinator/shadow/decision.hpp"

#include <cstdint>
#include <deque>

namespace ingot::coordinator::shadow {

class Differences {
 public:
  explicit Differences(std::size_t most) : most_(most) {}

  // As it is kept.
  const Difference& add(Difference difference);
  // What was told as not done is done now, or not wanted any more.
  void settle(const ObjectId& id, const std::string& path);
  // Nothing that they did with this object since then was unforeseen.
  void wereForeseen(const ObjectId& id, base::WallTime since);

  [[nodiscard]] const std::deque<Difference>& all() const { return all_; }  // the oldest first
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  std::size_t most_;
  std::deque<Difference> all_;
  std::uint64_t dropped_ = 0;
};

}  // namespace ingot::coordinator::shadow
