#include "coordinator/shadow/decision.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::shadow {
namespace {

// As their programs and images are called: client-go takes the name of the program. Cluster API's provider for Metal3
// calls itself "controllerName" from 1.9 to 1.11: there the word stood in the place of what it names.
constexpr std::string_view kProviders[] = {"cluster-api-provider-metal3", "cluster-api-provider-metal3-manager",
                                           "controllerName"};
constexpr std::string_view kManagers[] = {"baremetal-operator", "bmo", "ip-address-manager", "ipam"};

struct Row {
  std::string_view resource, kind, controller;
  bool isMadeByMetal3 = false, isOfMany = false;
};
constexpr Row kCompared[] = {
    {"baremetalhosts.metal3.io", "BareMetalHost", "host"},
    {"hardwaredata.metal3.io", "HardwareData", "host"},
    {"ipaddresses.ipam.metal3.io", "IPAddress", "ipam", true},
    {"ipclaims.ipam.metal3.io", "IPClaim", "ipam", true},
    {"ippools.ipam.metal3.io", "IPPool", "ipam", false, true},
    {"ipaddresses.ipam.cluster.x-k8s.io", "IPAddress", "ipam", true},
    {"ipaddressclaims.ipam.cluster.x-k8s.io", "IPAddressClaim", "ipam", true},
    {"machines.cluster.x-k8s.io", "Machine", "metal3remediation"},
    {"metal3clusters.infrastructure.cluster.x-k8s.io", "Metal3Cluster", "metal3cluster", false, true},
    {"metal3dataclaims.infrastructure.cluster.x-k8s.io", "Metal3DataClaim", "metal3data", true},
    {"metal3datas.infrastructure.cluster.x-k8s.io", "Metal3Data", "metal3data", true},
    {"metal3datatemplates.infrastructure.cluster.x-k8s.io", "Metal3DataTemplate", "metal3data", false, true},
    {"metal3machines.infrastructure.cluster.x-k8s.io", "Metal3Machine", "metal3machine"},
    {"metal3machinetemplates.infrastructure.cluster.x-k8s.io", "Metal3MachineTemplate", "metal3machinetemplate", false,
     true},
    {"metal3remediations.infrastructure.cluster.x-k8s.io", "Metal3Remediation", "metal3remediation"},
    {"nodes", "Node", "metal3machine"},
    {"secrets", "Secret", "metal3data", true},
};

const Row* rowOf(std::string_view resource) {
  const auto* found = std::ranges::find(kCompared, resource, &Row::resource);
  return found == std::end(kCompared) ? nullptr : found;
}

}  // namespace

std::string_view nameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::agreed: return "agreed";
    case Outcome::differs: return "differs";
    case Outcome::notDone: return "not_done";
    case Outcome::notForeseen: return "not_foreseen";
    case Outcome::withdrawn: return "withdrawn";
    case Outcome::notCompared: return "not_compared";
  }
  std::unreachable();
}

bool isOfMetal3(std::string_view manager) {
  return manager.empty() || isOfProvider(manager) || std::ranges::find(kManagers, manager) != std::end(kManagers);
}

bool isOfProvider(std::string_view manager) { return std::ranges::find(kProviders, manager) != std::end(kProviders); }

// Cluster API writes neither hosts nor addresses; and what it may share with its provider is the provider's only where
// that has no other name.
bool mayBeOfMetal3(std::string_view resource, bool isProviderNamed) {
  if (resource == "machines.cluster.x-k8s.io" || resource == "nodes") return false;
  const bool isOfAddresses = resource.ends_with(".ipam.metal3.io") || resource.ends_with(".ipam.cluster.x-k8s.io");
  return isOfAddresses || !isProviderNamed;
}

std::string_view controllerOf(std::string_view resource) {
  const Row* row = rowOf(resource);
  return row == nullptr ? std::string_view("") : row->controller;
}

std::string_view kindOf(std::string_view resource) {
  const Row* row = rowOf(resource);
  return row == nullptr ? std::string_view("") : row->kind;
}

bool isMadeByMetal3(std::string_view resource) {
  const Row* row = rowOf(resource);
  return row != nullptr && row->isMadeByMetal3;
}

bool isOfMany(std::string_view resource) {
  const Row* row = rowOf(resource);
  return row != nullptr && row->isOfMany;
}

bool isCompared(std::string_view resource) { return rowOf(resource) != nullptr; }

std::vector<std::string_view> comparedResources() {
  std::vector<std::string_view> all;
  for (const auto& row : kCompared) all.push_back(row.resource);
  return all;
}

}  // namespace ingot::coordinator::shadow
