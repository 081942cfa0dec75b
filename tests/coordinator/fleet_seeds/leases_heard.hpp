// What an agent may do by the words that it was sent (docs/architecture.md) and has said itself, judged without any
// code of the agent.
#pragma once

#include "base/clock.hpp"
#include "wire/messages.hpp"

#include <map>
#include <string>

namespace ingot::tests {

class LeasesHeard {
 public:
  // The agent's process began at `started`, and its earlier ones have written down that they heard of `term`.
  LeasesHeard(base::MonoTime started, std::int64_t term) : started_(started), term_(term) {}

  void hear(const wire::Message& message);
  // One that stops says of each host when it is done with it, and the coordinator goes by that.
  void said(const wire::Idle& idle);
  [[nodiscard]] bool mayWrite(const std::string& host, base::MonoTime now) const;
  [[nodiscard]] std::int64_t term() const { return term_; }

 private:
  struct Lease {
    std::int64_t term = 0, lease = 0;
    bool mayAct = false;
    base::MonoTime until{};
  };
  void hearTerm(std::int64_t term);
  void grant(const wire::Grant& grant);
  void renew(const wire::Renew& renew);
  void revoke(const wire::Revoke& revoke);
  [[nodiscard]] base::MonoTime end(std::int64_t echoMs, std::int64_t ttlMs) const {
    return started_ + std::chrono::milliseconds(echoMs - 1 + ttlMs);
  }

  base::MonoTime started_;
  std::int64_t term_;
  std::map<std::string, Lease> leases_;  // by uid of the host
};

}  // namespace ingot::tests
