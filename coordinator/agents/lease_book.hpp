// Which agent may act on which host, and until when we must believe that it does. Pure: no clock, no link.
//
// "Quiet" is what others wait for: nobody with a lease can touch the host any more, because the agent said so (idle) or
// because the lease has run out on the agent's clock plus a margin (docs/architecture.md).
#pragma once

#include "coordinator/agents/earlier_leases.hpp"
#include "wire/token.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

struct LeaseTerms {
  base::Duration ttl = std::chrono::seconds(15);
  base::Duration margin = std::chrono::seconds(2);
};

struct HostLease {
  std::string agent;          // who holds it (see holderName)
  wire::Token token;          // of the grant
  bool mayAct = false;        // as last granted or revoked
  base::MonoTime actUntil{};  // no write of the holder can begin after this
};

// Who holds a lease: a ProvisioningAgent, in one of its incarnations.
[[nodiscard]] std::string holderName(const std::string& agent, int incarnation);

class LeaseBook {
 public:
  // `start`: an earlier coordinator's leases may be alive for a ttl and a margin from then, unknown to us.
  LeaseBook(LeaseTerms terms, std::int64_t term, base::MonoTime start, bool earlierLeasesPossible);

  [[nodiscard]] EarlierLeases& earlier() { return earlier_; }
  [[nodiscard]] const EarlierLeases& earlier() const { return earlier_; }

  // A new grant to `agent`. Callers make sure that the host is quiet before an agent other than the holder may act.
  wire::Token grant(const std::string& host, const std::string& agent, bool mayAct, base::MonoTime now);

  // Renewed at `now`: only leases of this agent that may act.
  [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> renew(const std::string& agent, base::MonoTime now);

  // Stops renewing the host's lease. Returns the lease to name in the revocation; nullopt when nobody holds one.
  std::optional<HostLease> revoke(const std::string& host);

  // The agent says that it no longer acts under the grant (term, lease) and any before it. `wasHolder`: it held a valid
  // right until then, and so nobody else did, whatever an earlier coordinator may have granted. True when the host may
  // have become quiet.
  bool idle(const std::string& host, const std::string& agent, const wire::Token& grant, bool wasHolder);

  // The host is gone or no longer served: forget it once quiet.
  void drop(const std::string& host, base::MonoTime now);

  [[nodiscard]] bool quiet(const std::string& host, base::MonoTime now) const;
  [[nodiscard]] std::optional<HostLease> find(const std::string& host) const;

  // We granted this agent, in any incarnation, a lease with the right to act that it may still have.
  [[nodiscard]] bool mayHoldLease(const std::string& agent, base::MonoTime now) const;

  // The next command token under the present lease; the lease must exist.
  [[nodiscard]] wire::Token nextCommand(const std::string& host);

 private:
  LeaseTerms terms_;
  std::int64_t term_;
  EarlierLeases earlier_;
  std::int64_t lastLease_ = 0;
  std::map<std::string, HostLease> leases_;
  std::set<std::string> settled_;  // hosts on which no earlier coordinator's lease was alive when we looked
};

}  // namespace ingot::coordinator::agents
