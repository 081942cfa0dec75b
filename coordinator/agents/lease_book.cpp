#include "coordinator/agents/lease_book.hpp"

namespace ingot::coordinator::agents {

std::string holderName(const std::string& agent, int incarnation) { return fmt::format("{}#{}", agent, incarnation); }

LeaseBook::LeaseBook(LeaseTerms terms, std::int64_t term, base::MonoTime start, bool earlierLeasesPossible)
    : terms_(terms), term_(term), earlier_(earlierLeasesPossible ? start + terms.ttl + terms.margin : start) {}

wire::Token LeaseBook::grant(const std::string& host, const std::string& agent, bool mayAct, base::MonoTime now) {
  HostLease& lease = leases_[host];
  const bool sameHolder = lease.agent == agent;
  const auto stillActing = sameHolder || lease.agent.empty() ? lease.actUntil : base::MonoTime{};
  lease.agent = agent;
  lease.token = {term_, ++lastLease_, 0};
  lease.mayAct = mayAct;
  // A holder whose right to act was revoked may still use it until the holder reports idle or the lease has run out.
  lease.actUntil = mayAct ? now + terms_.ttl + terms_.margin : stillActing;
  if (mayAct) settled_.insert(host);  // it was quiet before: nobody else holds anything
  return lease.token;
}

std::vector<std::pair<std::string, std::int64_t>> LeaseBook::renew(const std::string& agent, base::MonoTime now) {
  std::vector<std::pair<std::string, std::int64_t>> renewed;
  for (auto& [host, lease] : leases_) {
    if (lease.agent != agent || !lease.mayAct) continue;
    lease.actUntil = now + terms_.ttl + terms_.margin;
    renewed.emplace_back(host, lease.token.lease);
  }
  return renewed;
}

std::optional<HostLease> LeaseBook::revoke(const std::string& host) {
  const auto found = leases_.find(host);
  if (found == leases_.end()) return std::nullopt;
  found->second.mayAct = false;
  return found->second;
}

bool LeaseBook::idle(const std::string& host, const std::string& agent, const wire::Token& grant, bool wasHolder) {
  const auto found = leases_.find(host);
  if (found == leases_.end() || found->second.agent != agent || found->second.mayAct) return false;
  if (grant.term != term_ || grant.lease < found->second.token.lease) return false;
  if (wasHolder) settled_.insert(host);
  found->second.actUntil = {};
  return true;
}

void LeaseBook::drop(const std::string& host, base::MonoTime now) {
  if (quiet(host, now)) leases_.erase(host);
}

bool LeaseBook::quiet(const std::string& host, base::MonoTime now) const {
  if (!settled_.contains(host) && !earlier_.over(host, now)) return false;
  const auto found = leases_.find(host);
  return found == leases_.end() || (!found->second.mayAct && now >= found->second.actUntil);
}

bool LeaseBook::mayHoldLease(const std::string& agent, base::MonoTime now) const {
  return std::ranges::any_of(leases_, [&](const auto& entry) {
    return entry.second.agent.starts_with(agent + "#") && (entry.second.mayAct || now < entry.second.actUntil);
  });
}

std::optional<HostLease> LeaseBook::find(const std::string& host) const {
  const auto found = leases_.find(host);
  return found == leases_.end() ? std::nullopt : std::optional(found->second);
}

wire::Token LeaseBook::nextCommand(const std::string& host) {
  HostLease& lease = leases_.at(host);
  ++lease.token.seq;
  return lease.token;
}

}  // namespace ingot::coordinator::agents
