#include "coordinator/machine/nodes.hpp"

#include "api/capm3/names.hpp"
#include "base/cut_text.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <expected>
#include <ranges>

namespace ingot::coordinator::machine {

namespace {

using workload::NodeView;
using Found = NodeView::Found;

// How many there are, and how long a providerID is, the workload cluster chooses; a condition takes so much.
constexpr std::size_t kMostNames = Found::kMost, kLongestId = 256;

std::string withOthers(const std::vector<std::string_view>& names, std::size_t of) {
  std::string out = fmt::format("{}", fmt::join(names, ", "));
  if (names.size() < of) out += fmt::format(" and {} others", of - names.size());
  return out;
}

std::string namesOf(const Found& nodes) {
  std::vector<std::string_view> names;
  for (const auto& node : nodes) names.emplace_back(node->metadata.name);
  return withOthers(names, nodes.size());
}

std::string someOf(const std::set<std::string, std::less<>>& all) {
  std::vector<std::string_view> names;
  for (const auto& name : all | std::views::take(kMostNames)) names.emplace_back(name);
  return withOthers(names, all.size());
}

std::string idOf(const kube::Node& node) { return base::cutText(node.spec.providerId, kLongestId); }

// All machines that were ever on this host begin so.
std::string hostPrefix(const Metal3Machine& machine) {
  const auto link = linkedHost(machine);
  if (!link || link->namespace_ != machine.metadata.namespace_) {
    const auto* text = machine.metadata.annotation(std::string(api::capm3::annotation::host));
    throw MachineError(Problem::hostLink,
                       fmt::format("unable to retrieve bmh name from metal3machine {} using annotation: {}",
                                   machine.metadata.name, text == nullptr ? "" : *text));
  }
  return fmt::format("{}{}/{}/", api::capm3::kProviderIdPrefix, machine.metadata.namespace_, link->name);
}

// What is not found may be among those that nobody can read.
[[noreturn]] void notFound(const NodeView& nodes, std::string text) {
  if (!nodes.undecoded().empty()) text += fmt::format(" (Nodes that cannot be read: {})", someOf(nodes.undecoded()));
  throw MachineError(Problem::soon, text);
}

// nullptr: there is none. Or why it cannot be told.
std::expected<const kube::Node*, std::string> nodeWith(const NodeView& nodes, const std::string& providerId,
                                                       const std::string& prefix) {
  const Found same = nodes.byProviderId(providerId);
  if (same.size() > 1)
    return std::unexpected(fmt::format("providerID {} is in use by multiple nodes: ({})", providerId, namesOf(same)));
  if (same.empty()) return nullptr;
  for (const auto& node : nodes.byProviderIdPrefix(prefix)) {
    if (node->spec.providerId != providerId)
      return std::unexpected(fmt::format("providerID ({}) cannot be used at the same time by node: ({}), {} has ({})",
                                         providerId, same.front()->metadata.name, node->metadata.name, idOf(*node)));
  }
  return same.front().get();
}

NodeMatch byHostname(const NodeView& nodes, const NodeWish& wish, const std::string& computed) {
  std::set<std::string> hostnames;
  for (const auto& address : wish.machine.status.addresses)
    if (address.type == "Hostname") hostnames.insert(address.address);
  if (hostnames.empty()) throw MachineError(Problem::waiting, "metal3Data Secret not ready");
  const Found found = nodes.byHostnames(hostnames);
  if (found.size() > 1)
    throw MachineError(Problem::waiting,
                       fmt::format("multiple nodes matching hostnames: {}", fmt::join(hostnames, ", ")));
  if (found.empty() && nodes.size() == 0) notFound(nodes, "no Nodes found");
  if (found.empty()) notFound(nodes, fmt::format("no nodes matching hostnames: {}", fmt::join(hostnames, ", ")));
  const kube::Node& node = *found.front();
  if (node.spec.providerId == computed) return {.providerId = computed};
  if (!node.spec.providerId.empty())
    throw MachineError(Problem::node,
                       fmt::format("node {} has another providerID: {}", node.metadata.name, idOf(node)));
  return {.providerId = computed, .toName = &node};
}

}  // namespace

std::string providerIdOf(const Metal3Machine& machine) { return hostPrefix(machine) + machine.metadata.name; }

std::optional<kube::ObjectKey> hostNamedBy(std::string_view providerId) {
  if (!providerId.starts_with(api::capm3::kProviderIdPrefix)) return std::nullopt;
  providerId.remove_prefix(api::capm3::kProviderIdPrefix.size());
  const auto host = providerId.find('/');
  const auto machine = host == std::string_view::npos ? host : providerId.find('/', host + 1);
  if (machine == std::string_view::npos || providerId.find('/', machine + 1) != std::string_view::npos)
    return std::nullopt;
  return kube::ObjectKey{std::string(providerId.substr(0, host)),
                         std::string(providerId.substr(host + 1, machine - host - 1))};
}

bool isByHostname(const NodeView& nodes, const NodeWish& wish) {
  return !wish.cloudProvider && !wish.bootstrapped && nodes.byUuidLabel(wish.hostUid).empty();
}

NodeMatch matchNode(const NodeView& nodes, const NodeWish& wish) {
  const std::string prefix = hostPrefix(wish.machine);
  const std::string computed = providerIdOf(wish.machine);
  const auto named = nodeWith(nodes, computed, prefix);
  if (wish.cloudProvider && !named) throw MachineError(Problem::node, named.error());
  const bool mayBeNamed = wish.cloudProvider || !wish.machine.spec.providerID.empty();
  if (mayBeNamed && named.value_or(nullptr) != nullptr) return {.providerId = computed};
  if (wish.cloudProvider) notFound(nodes, "error retrieving node, requeuing");
  const std::string label = fmt::format("{}={}", workload::kUuidLabel, wish.hostUid);
  const Found labelled = nodes.byUuidLabel(wish.hostUid);
  if (labelled.size() > 1)
    throw MachineError(Problem::node, fmt::format("found multiple target nodes with the same label: {} ({})", label,
                                                  namesOf(labelled)));
  if (labelled.size() == 1) {
    const kube::Node& node = *labelled.front();
    if (node.spec.providerId == computed) return {.providerId = computed};
    if (node.spec.providerId.empty()) return {.providerId = computed, .toName = &node};
    throw MachineError(Problem::node, fmt::format("node using unsupported providerID format: {} has {}, not {}",
                                                  node.metadata.name, idOf(node), computed));
  }
  if (wish.bootstrapped) notFound(nodes, "requeuing, could not find node with label: " + label);
  // Without a bootstrap provider no Node is needed to be provisioned; it is looked for afterwards.
  if (!wish.machine.status.initialization.provisioned.value_or(false)) return {.providerId = computed};
  return byHostname(nodes, wish, computed);
}

}  // namespace ingot::coordinator::machine
