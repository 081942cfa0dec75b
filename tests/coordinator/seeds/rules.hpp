// What no write may break, not even for a moment.
#pragma once

#include "base/clock.hpp"
#include "tests/coordinator/seeds/ledger.hpp"

#include <functional>
#include <set>

namespace ingot::tests::seeds {

// The machine of another provider, which keeps to rules of its own.
inline constexpr std::string_view kRival = "rival";

class Rules {
 public:
  void judge(const Ledger& ledger, const Change& change);
  // Of a Node; `ledger`: of the hosts.
  void judgeNode(const Ledger& ledger, const Change& change);
  void begin() { breaches_.clear(), dataOfAddress_.clear(), excused_.clear(), keepsSince_.clear(); }
  std::function<base::MonoTime()> now = [] { return base::MonoTime(); };
  // Somebody deletes this Secret: hosts may boot without it.
  void excuse(const std::string& secret) { excused_.insert(secret); }
  [[nodiscard]] const std::vector<std::string>& breaches() const { return breaches_; }

 private:
  void judgeHost(const Ledger& ledger, const Change& change);
  void judgeClaim(const Ledger& ledger, const Change& change);
  void judgeRelease(const Ledger& ledger, const Change& change, const std::string& machine);
  void judgeDeployment(const Ledger& ledger, const Change& change);
  void judgeMove(const Ledger& ledger, const Change& change);
  void judgeMachine(const Ledger& ledger, const Change& change);
  void judgeDataClaim(const Ledger& ledger, const Change& change);
  void judgeData(const Ledger& ledger, const Change& change);
  void judgeAddress(const Ledger& ledger, const Change& change);
  void judgeTemplate(const Change& change);
  void judgeSecret(const Ledger& ledger, const Change& change);
  [[nodiscard]] bool lacks(const Ledger& ledger, const std::string& secret) const;
  template <class... Parts>
  void broken(const Change& change, Parts... what);

  std::vector<std::string> breaches_;
  std::set<std::string> excused_;
  std::map<std::string, std::string> dataOfAddress_;  // by resource and name of the address
  // By template, since when hosts of its machines are kept for the next ones.
  std::map<std::string, base::MonoTime, std::less<>> keepsSince_;
};

// The host runs something, or is about to, or is being cleaned.
[[nodiscard]] bool isInUse(const json::Value& host);
[[nodiscard]] bool isDeployed(const json::Value* host);
[[nodiscard]] bool isMoveBlocked(const json::Value* host);

}  // namespace ingot::tests::seeds
