#include "coordinator/ipam/refused_claims.hpp"

#include "api/capi/pause.hpp"
#include "coordinator/ipam/claim_kinds.hpp"

namespace ingot::coordinator::ipam {

RefusedClaims::RefusedClaims(kube::Cache<api::ipam::IPClaim>& claims,
                             kube::Cache<api::capi_ipam::IPAddressClaim>& capiClaims)
    : subscription_(follow(claims)), capiSubscription_(follow(capiClaims)) {}

template <class Claim>
std::optional<RefusedClaims::Standing> RefusedClaims::standingOf(const Claim& claim) {
  const auto pool = poolOf(claim);
  const bool isRefused = actionOf(claim, Retry::never) == ClaimAction::none &&
                         actionOf(claim, Retry::forLackOfAddresses) == ClaimAction::allocate;
  if (!pool || !isRefused || api::capi::isPaused(claim.metadata)) return std::nullopt;
  const std::string* asked = claim.metadata.annotation(std::string(api::ipam::kRequestedAddress));
  return Standing{.line = {*pool, asked == nullptr ? std::nullopt : base::IpAddress::parse(*asked)},
                  .place = {claim.metadata.creationTimestamp.value_or(base::WallTime{}), KindOf<Claim>::kind,
                            claim.metadata.key()}};
}

template <class Claim>
kube::Subscription RefusedClaims::follow(kube::Cache<Claim>& claims) {
  for (const auto& claim : claims.all())
    if (const auto standing = standingOf(*claim)) enter(*standing);
  return claims.listen([this](const typename kube::Cache<Claim>::Change& change) {
    const auto before = change.before ? standingOf(*change.before) : std::nullopt;
    const auto after = change.after ? standingOf(*change.after) : std::nullopt;
    if (before == after) return;
    if (before) strike(*before);
    if (after) enter(*after);
  });
}

void RefusedClaims::strike(const Standing& standing) {
  const auto line = lines_.find(standing.line);
  if (line == lines_.end()) return;
  line->second.erase(standing.place);
  if (line->second.empty()) lines_.erase(line);
}

std::vector<RefusedClaims::Place> RefusedClaims::next(const Line& line, const std::optional<Place>& after,
                                                      std::size_t most) const {
  std::vector<Place> out;
  const auto found = lines_.find(line);
  if (found == lines_.end()) return out;
  auto at = after ? found->second.upper_bound(*after) : found->second.begin();
  for (; at != found->second.end() && out.size() < most; ++at) out.push_back(*at);
  return out;
}

}  // namespace ingot::coordinator::ipam
