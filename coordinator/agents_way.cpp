#include "coordinator/agents_way.hpp"

#include "base/ip_address.hpp"
#include "coordinator/leader_label.hpp"
#include "kube/core/lease.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::coordinator {
namespace {

using base::IpAddress;

const kube::Resource services{.group = "", .version = "v1", .kind = "Service", .plural = "services"};
const kube::Resource slices{
    .group = "discovery.k8s.io", .version = "v1", .kind = "EndpointSlice", .plural = "endpointslices"};
constexpr std::size_t mostNames = 64;  // net::machineNames() tells no more
constexpr base::Duration askAgain = std::chrono::seconds(2), mostOfChange = std::chrono::minutes(2),
                         untilReached = std::chrono::seconds(15);  // from the Lease to the endpoint, at leisure
constexpr std::int64_t usualLease = 15;                            // seconds

bool selectsLeader(const json::Value& service) {
  const auto* selector = json::find(service, {"spec", "selector"});
  return selector && selector->is_object() && selector->as_object().contains(leaderLabel);
}

std::size_t endpointsOf(const json::Value& slice) {
  const auto* endpoints = json::find(slice, {"endpoints"});
  return endpoints && endpoints->is_array() ? endpoints->as_array().size() : 0;
}

struct LeaderServices {
  std::vector<std::string> names;  // with their types
  std::size_t endpoints = 0;

  [[nodiscard]] std::string text() const { return fmt::format("Service {}", fmt::join(names, ", ")); }
};

base::Task<LeaderServices> leaderServices(kube::Client& client, std::string namespace_) {
  LeaderServices found;
  for (const auto& service : (co_await client.api().list(services, {.namespace_ = namespace_})).items) {
    if (!selectsLeader(service)) continue;
    const auto name = json::textAt(service, {"metadata", "name"});
    found.names.push_back(fmt::format("{} ({})", name, json::textAt(service, {"spec", "type"})));
    const kube::ListQuery ofIt{.namespace_ = namespace_,
                               .labelSelector = fmt::format("kubernetes.io/service-name={}", name)};
    for (const auto& slice : (co_await client.api().list(slices, ofIt)).items) found.endpoints += endpointsOf(slice);
  }
  co_return found;
}

using SeenLease = std::optional<kube::Lease>;

bool isHeld(const SeenLease& lease) { return lease && !lease->spec.holderIdentity.value_or("").empty(); }

// Nobody has renewed or taken it in between.
bool isSilent(const SeenLease& before, const SeenLease& now) {
  return before && now && before->spec.holderIdentity == now->spec.holderIdentity &&
         before->spec.renewTime == now->spec.renewTime;
}

// Its holder lives, and has had it for long enough to be found. Both times are of the holder's clock.
bool isSettled(const SeenLease& before, const SeenLease& now) {
  if (!isHeld(now) || isSilent(before, now) || !now->spec.acquireTime || !now->spec.renewTime) return false;
  return now->spec.renewTime->time - now->spec.acquireTime->time >= untilReached;
}

base::Duration longestChange(const SeenLease& lease) {
  const std::int64_t seconds = lease ? lease->spec.leaseDurationSeconds.value_or(usualLease) : usualLease;
  return std::clamp<base::Duration>(std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 3600)) + untilReached,
                                    untilReached, mostOfChange);
}

AgentsWay once(const LeaderServices& services, std::string_view when) {
  return {true, fmt::format("they come by {}, {}", services.text(), when)};
}

// nullopt: ask again, leadership may be changing over.
std::optional<AgentsWay> wayOf(const LeaderServices& found, const LeaderLease& leader, const SeenLease& before,
                               const SeenLease& now) {
  if (found.names.empty())
    return AgentsWay{
        false, fmt::format("no Service in {} selects {}=true: they find nobody", leader.key.namespace_, leaderLabel)};
  if (found.endpoints > 0) return AgentsWay{true, "they come by " + found.text()};
  if (leader.standsBy) return once(found, "once no manager of Metal3 acts");
  if (!isHeld(now)) return once(found, "once somebody leads");
  if (isSettled(before, now)) return AgentsWay{false, found.text() + " leads to no pod: they find nobody"};
  return std::nullopt;
}

AgentsWay wayAtLast(const LeaderServices& found, const SeenLease& before, const SeenLease& now) {
  if (isSilent(before, now)) return once(found, "once somebody leads");
  return {false, found.text() + " leads to no pod yet: leadership is changing over, check again", true};
}

// nullopt where it names an interface or a host.
std::optional<IpAddress> addressOf(std::string_view endpoint) {
  constexpr std::string_view scheme = "tcp://";
  if (!endpoint.starts_with(scheme)) return std::nullopt;
  endpoint.remove_prefix(scheme.size());
  endpoint = endpoint.substr(0, endpoint.rfind(':'));
  if (endpoint.starts_with('[') && endpoint.ends_with(']')) endpoint = endpoint.substr(1, endpoint.size() - 2);
  return IpAddress::parse(endpoint);
}

bool isIn(IpAddress address, std::string_view network) { return base::IpPrefix::parse(network)->contains(address); }

// Every address, loopback ones, and those of a link, of which net::machineNames() has none.
bool isOfAnyMachine(IpAddress address) {
  return address == IpAddress() || address == IpAddress(IpAddress::kFirstV4) || isIn(address, "127.0.0.0/8") ||
         address == IpAddress(1) || isIn(address, "fe80::/10");
}

}  // namespace

std::array<kube::Resource, 2> readForAgentsWay() { return {services, slices}; }

base::Task<AgentsWay> wayThroughServices(kube::Client& client, base::Clock& clock, LeaderLease leader) {
  const SeenLease before = co_await client.get<kube::Lease>(leader.key);
  SeenLease now = before;
  const auto deadline = clock.now() + longestChange(before);
  while (true) {
    const auto found = co_await leaderServices(client, leader.key.namespace_);
    if (auto way = wayOf(found, leader, before, now)) co_return std::move(*way);
    if (clock.now() >= deadline) co_return wayAtLast(found, before, now);
    co_await clock.sleepFor(askAgain);
    now = co_await client.get<kube::Lease>(leader.key);
  }
}

AgentsWay wayToMachine(const std::string& endpoint, const std::vector<std::string>& names) {
  const auto address = addressOf(endpoint);
  const bool isHere =
      !address || isOfAnyMachine(*address) || names.size() >= mostNames ||
      std::ranges::any_of(names, [&](const std::string& name) { return IpAddress::parse(name) == address; });
  if (isHere) return {true, "they come to " + endpoint};
  return {false, fmt::format("{} is no address of this machine: they find nobody", endpoint)};
}

}  // namespace ingot::coordinator
