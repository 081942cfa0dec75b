// The lease of one host: until when the agent may change it, on the agent's own monotonic clock.
#pragma once

#include "base/clock.hpp"
#include "wire/token.hpp"

#include <algorithm>
#include <limits>

namespace ingot::agent {

class Lease {
 public:
  Lease() = default;
  Lease(wire::Token grant, base::MonoTime until, bool allowsWrites)
      : grant_(grant), until_(until), allowsWrites_(allowsWrites) {}

  [[nodiscard]] const wire::Token& grant() const { return grant_; }
  [[nodiscard]] bool validAt(base::MonoTime now) const { return allowsWrites_ && now < until_; }
  [[nodiscard]] bool is(std::int64_t term, std::int64_t lease) const {
    return term == grant_.term && lease == grant_.lease;
  }
  [[nodiscard]] bool newerThan(std::int64_t term, std::int64_t lease) const {
    return grant_ > wire::Token{term, lease, std::numeric_limits<std::int64_t>::max()};
  }
  // How long a write that begins now may last.
  [[nodiscard]] base::Duration leftAt(base::MonoTime now) const {
    return validAt(now) ? until_ - now : base::Duration{};
  }
  [[nodiscard]] bool covers(const wire::Token& command) const {
    return command.term == grant_.term && command.lease == grant_.lease && command.seq > 0;
  }
  // Never shortens the lease: a late renewal must not undo a newer one.
  void renew(base::MonoTime until) { until_ = std::max(until_, until); }
  void revoke() { allowsWrites_ = false; }

 private:
  wire::Token grant_;
  base::MonoTime until_{};
  bool allowsWrites_ = false;
};

}  // namespace ingot::agent
