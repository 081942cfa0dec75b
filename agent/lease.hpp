// The right to act on one host, on the agent's own monotonic clock.
#pragma once

#include "base/clock.hpp"
#include "wire/token.hpp"

#include <algorithm>
#include <limits>

namespace ingot::agent {

class Lease {
 public:
  Lease() = default;
  Lease(wire::Token grant, base::MonoTime until, bool mayAct) : grant_(grant), until_(until), mayAct_(mayAct) {}

  [[nodiscard]] const wire::Token& grant() const { return grant_; }
  [[nodiscard]] bool validAt(base::MonoTime now) const { return mayAct_ && now < until_; }
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
  // Never shortens: a late renewal must not take back what a newer one gave.
  void renew(base::MonoTime until) { until_ = std::max(until_, until); }
  void revoke() { mayAct_ = false; }

 private:
  wire::Token grant_;
  base::MonoTime until_{};
  bool mayAct_ = false;
};

}  // namespace ingot::agent
