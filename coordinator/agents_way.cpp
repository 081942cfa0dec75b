#include "coordinator/agents_way.hpp"

#include "coordinator/leader_label.hpp"
#include "net/certificates.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::coordinator {
namespace {

const kube::Resource services{.group = "", .version = "v1", .kind = "Service", .plural = "services"};
const kube::Resource slices{
    .group = "discovery.k8s.io", .version = "v1", .kind = "EndpointSlice", .plural = "endpointslices"};
constexpr std::size_t mostNames = 64;  // net::machineNames() tells no more

bool selectsLeader(const json::Value& service) {
  const auto* selector = json::find(service, {"spec", "selector"});
  return selector && selector->is_object() && selector->as_object().contains(leaderLabel);
}

std::size_t endpointsOf(const json::Value& slice) {
  const auto* endpoints = json::find(slice, {"endpoints"});
  return endpoints && endpoints->is_array() ? endpoints->as_array().size() : 0;
}

// Without brackets; "" where it names an interface, a host or every address.
std::string addressOf(std::string_view endpoint) {
  constexpr std::string_view scheme = "tcp://";
  if (!endpoint.starts_with(scheme)) return "";
  endpoint.remove_prefix(scheme.size());
  endpoint = endpoint.substr(0, endpoint.rfind(':'));
  if (endpoint.starts_with('[') && endpoint.ends_with(']')) endpoint = endpoint.substr(1, endpoint.size() - 2);
  const bool isFour = endpoint.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool isSix = endpoint.find(':') != std::string_view::npos;
  const bool isEvery = endpoint == "0.0.0.0" || endpoint == "::";
  const bool isOfLink = endpoint.starts_with("fe80");  // machineNames() has none of them
  return (isFour || isSix) && !isEvery && !isOfLink ? std::string(endpoint) : "";
}

}  // namespace

std::array<kube::Resource, 2> readForAgentsWay() { return {services, slices}; }

base::Task<AgentsWay> wayThroughServices(kube::Client& client, std::string namespace_, bool somebodyLeads) {
  std::vector<std::string> found;
  std::size_t endpoints = 0;
  for (const auto& service : (co_await client.api().list(services, {.namespace_ = namespace_})).items) {
    if (!selectsLeader(service)) continue;
    const auto name = json::textAt(service, {"metadata", "name"});
    found.push_back(fmt::format("{} ({})", name, json::textAt(service, {"spec", "type"})));
    const kube::ListQuery ofIt{.namespace_ = namespace_,
                               .labelSelector = fmt::format("kubernetes.io/service-name={}", name)};
    for (const auto& slice : (co_await client.api().list(slices, ofIt)).items) endpoints += endpointsOf(slice);
  }
  if (found.empty())
    co_return AgentsWay{false,
                        fmt::format("no Service in {} selects {}=true: they find nobody", namespace_, leaderLabel)};
  auto named = fmt::format("Service {}", fmt::join(found, ", "));
  if (endpoints > 0) co_return AgentsWay{true, "they come by " + named};
  if (somebodyLeads) co_return AgentsWay{false, named + " leads to no pod: they find nobody"};
  co_return AgentsWay{true, fmt::format("they come by {}, once somebody leads", named)};
}

AgentsWay wayToMachine(const std::string& endpoint) {
  const auto address = addressOf(endpoint);
  const auto names = net::machineNames();
  const bool isHere = address.empty() || address.starts_with("127.") || address == "::1" || names.size() >= mostNames ||
                      std::ranges::find(names, address) != names.end();
  if (isHere) return {true, "they come to " + endpoint};
  return {false, fmt::format("{} is no address of this machine: they find nobody", endpoint)};
}

}  // namespace ingot::coordinator
