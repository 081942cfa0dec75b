// The claims of both kinds that were refused for lack of addresses, in lines: of those that may have any address of a
// pool, and of those that ask for a certain one. The oldest comes first. Those that are paused stand in none.
#pragma once

#include "base/ip_address.hpp"
#include "coordinator/ipam/claim_action.hpp"
#include "coordinator/ipam/claim_key.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ingot::coordinator::ipam {

class RefusedClaims {
 public:
  struct Line {
    kube::ObjectKey pool;
    std::optional<base::IpAddress> address;  // nullopt: any
    friend auto operator<=>(const Line&, const Line&) = default;
  };
  struct Place {
    base::WallTime made{};  // the claim, as the API says
    ClaimKind kind = ClaimKind::metal3;
    kube::ObjectKey claim;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  // Both outlive it.
  RefusedClaims(kube::Cache<api::ipam::IPClaim>& claims, kube::Cache<api::capi_ipam::IPAddressClaim>& capiClaims);
  RefusedClaims(const RefusedClaims&) = delete;
  RefusedClaims& operator=(const RefusedClaims&) = delete;

  // The first so many of the line that come after that place, or from its beginning.
  [[nodiscard]] std::vector<Place> next(const Line& line, const std::optional<Place>& after, std::size_t most) const;

 private:
  struct Standing {
    Line line;
    Place place;
    friend bool operator==(const Standing&, const Standing&) = default;
  };
  template <class Claim>
  [[nodiscard]] static std::optional<Standing> standingOf(const Claim& claim);
  template <class Claim>
  [[nodiscard]] kube::Subscription follow(kube::Cache<Claim>& claims);
  void enter(const Standing& standing) { lines_[standing.line].insert(standing.place); }
  void strike(const Standing& standing);

  std::map<Line, std::set<Place>> lines_;
  kube::Subscription subscription_, capiSubscription_;
};

}  // namespace ingot::coordinator::ipam
