#include "coordinator/managers/managers.hpp"

#include <algorithm>

namespace ingot::coordinator::managers {
namespace {

constexpr std::string_view ofHosts[] = {"baremetal-operator-system", "metal3", "metal3-system"},
                           ofProvider[] = {"capm3-system"}, ofAddresses[] = {"metal3-ipam-system", "capm3-system"};

// spec/baremetalhost.md §15, spec/capm3.md §20.1, spec/ipam.md §16.
constexpr Manager hosts{.name = "baremetal-operator",
                        .deployment = "baremetal-operator-controller-manager",
                        .lease = "baremetal-operator",
                        .namespaces = ofHosts,
                        .group = "metal3.io",
                        .resource = "baremetalhosts"},
    provider{.name = "cluster-api-provider-metal3",
             .deployment = "capm3-controller-manager",
             .lease = "controller-leader-election-capm3",
             .namespaces = ofProvider,
             .group = "infrastructure.cluster.x-k8s.io",
             .resource = "metal3machines"},
    addresses{.name = "ip-address-manager",
              .deployment = "ipam-controller-manager",
              .lease = "controller-leader-election-ipam-capm3",
              .namespaces = ofAddresses,
              .group = "ipam.metal3.io",
              .resource = "ippools"};

const Manager& replacedBy(Part part) {
  switch (part) {
    case Part::host: return hosts;
    case Part::ipam: return addresses;
    case Part::cluster:
    case Part::machine:
    case Part::machineTemplate:
    case Part::labelSync:
    case Part::remediation:
    case Part::data: return provider;
  }
  std::unreachable();
}

}  // namespace

std::vector<Manager> managersOf(const Parts& parts) {
  std::vector<Manager> out;
  for (const Part part : parts) {
    const auto& manager = replacedBy(part);
    if (std::ranges::find(out, manager.lease, &Manager::lease) == out.end()) out.push_back(manager);
  }
  return out;
}

}  // namespace ingot::coordinator::managers
