// What no write may break, not even for a moment.
#pragma once

#include "tests/coordinator/seeds/ledger.hpp"

namespace ingot::tests::seeds {

class Rules {
 public:
  void judge(const Ledger& ledger, const Change& change);
  // Of a Node; `ledger`: of the hosts.
  void judgeNode(const Ledger& ledger, const Change& change);
  void begin() { breaches_.clear(), dataOfAddress_.clear(); }
  [[nodiscard]] const std::vector<std::string>& breaches() const { return breaches_; }

 private:
  void judgeHost(const Ledger& ledger, const Change& change);
  void judgeClaim(const Ledger& ledger, const Change& change);
  void judgeDeployment(const Ledger& ledger, const Change& change);
  void judgeMove(const Ledger& ledger, const Change& change);
  void judgeMachine(const Ledger& ledger, const Change& change);
  void judgeDataClaim(const Ledger& ledger, const Change& change);
  void judgeData(const Ledger& ledger, const Change& change);
  void judgeAddress(const Ledger& ledger, const Change& change);
  void judgeSecret(const Ledger& ledger, const Change& change);
  template <class... Parts>
  void broken(const Change& change, Parts... what);

  std::vector<std::string> breaches_;
  std::map<std::string, std::string> dataOfAddress_;  // by resource and name of the address
};

// The host runs something, or is about to, or is being cleaned.
[[nodiscard]] bool isInUse(const json::Value& host);
[[nodiscard]] bool isDeployed(const json::Value* host);
[[nodiscard]] bool isMoveBlocked(const json::Value* host);

}  // namespace ingot::tests::seeds
