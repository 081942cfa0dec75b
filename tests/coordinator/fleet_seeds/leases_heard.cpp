#include "tests/coordinator/fleet_seeds/leases_heard.hpp"

#include <algorithm>
#include <tuple>

namespace ingot::tests {

void LeasesHeard::hear(const wire::Message& message) {
  if (const auto* welcome = std::get_if<wire::Welcome>(&message)) {
    hearTerm(welcome->term);
    if (welcome->state != "approved" && !welcome->sayHello) leases_.clear();
  }
  if (const auto* it = std::get_if<wire::Grant>(&message)) grant(*it);
  if (const auto* it = std::get_if<wire::Renew>(&message)) renew(*it);
  if (const auto* it = std::get_if<wire::Revoke>(&message)) revoke(*it);
}

void LeasesHeard::said(const wire::Idle& idle) { revoke({.host = idle.host, .term = idle.term, .lease = idle.lease}); }

bool LeasesHeard::mayWrite(const std::string& host, base::MonoTime now) const {
  const auto found = leases_.find(host);
  return found != leases_.end() && found->second.mayAct && now < found->second.until;
}

// The first word of a later coordinator ends what earlier ones have granted.
void LeasesHeard::hearTerm(std::int64_t term) {
  if (term <= term_) return;
  term_ = term;
  for (auto& [host, lease] : leases_) lease.mayAct = false;
}

void LeasesHeard::grant(const wire::Grant& grant) {
  if (grant.token.term < term_) return;
  hearTerm(grant.token.term);
  Lease& lease = leases_[grant.host];
  if (std::tie(grant.token.term, grant.token.lease) < std::tie(lease.term, lease.lease)) return;
  const bool isSame = grant.token.term == lease.term && grant.token.lease == lease.lease;
  const auto until = end(grant.echoMs, grant.ttlMs);
  lease = {.term = grant.token.term,
           .lease = grant.token.lease,
           .mayAct = grant.mayAct,
           .until = isSame ? std::max(lease.until, until) : until};  // with another password
}

void LeasesHeard::renew(const wire::Renew& renew) {
  if (renew.term < term_) return;
  for (const auto& renewed : renew.leases) {
    const auto found = leases_.find(renewed.host);
    if (found == leases_.end() || found->second.term != renew.term || found->second.lease != renewed.lease) continue;
    found->second.until = std::max(found->second.until, end(renew.echoMs, renew.ttlMs));
  }
}

void LeasesHeard::revoke(const wire::Revoke& revoke) {
  const auto found = leases_.find(revoke.host);
  if (found == leases_.end()) return;
  if (std::tie(found->second.term, found->second.lease) <= std::tie(revoke.term, revoke.lease))
    found->second.mayAct = false;
}

}  // namespace ingot::tests
