#include "tests/coordinator/seeds/rest.hpp"

#include "api/capm3/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::tests::seeds {

namespace {

constexpr std::string_view kClusterName = "cluster.x-k8s.io/cluster-name";

const json::Value* hostOf(const World& world, const std::string& machine) {
  for (const auto& [name, host] : world.ledger.all("baremetalhosts"))
    if (consumerOf(&host) == machine) return &host;
  return nullptr;
}

std::string unrestOfNode(const World& world, const std::string& providerId) {
  for (const auto& [name, node] : world.nodes.all("nodes")) {
    if (textAt(&node, {"spec", "providerID"}) != providerId) continue;
    if (label(node, "rack.example.com/row") != "7") return name + " has not the labels of its host";
    if (label(node, "role") != "db") return name + " has lost a label";
    const auto* taints = json::arrayAt(node, {"spec", "taints"});
    return taints != nullptr && !taints->empty() ? name + " is out of service" : "";
  }
  return "no Node is " + providerId;
}

std::string unrestOfData(const World& world, const std::string& machine, const json::Value& host) {
  const std::string name = textAt(world.ledger.find("metal3dataclaims", machine), {"status", "renderedData", "name"});
  const auto* data = world.ledger.find("metal3datas", name);
  if (!isTrue(data, {"status", "ready"})) return machine + " has no data";
  for (const auto* what : {"metaData", "networkData"}) {
    const std::string secret = textAt(data, {"spec", what, "name"});
    if (secret.empty() || secret != textAt(&host, {"spec", what, "name"})) return machine + " runs with other data";
    if (!world.ledger.find("secrets", secret)) return secret + " is not there";
  }
  return "";
}

std::string unrestOf(const World& world, const Plot& plot, const std::string& name) {
  const auto* metal = world.ledger.find("metal3machines", name);
  const std::string id = textAt(metal, {"spec", "providerID"});
  if (id.empty() || !isTrue(metal, {"status", "initialization", "provisioned"})) return name + " is not in service";
  const auto* host = hostOf(world, name);
  if (!host || !isDeployed(host)) return name + " has no host that runs";
  const auto* secret = world.ledger.find("secrets", textAt(host, {"spec", "bmc", "credentialsName"}));
  if (!secret || label(*secret, kClusterName) != label(*metal, kClusterName))
    return "the Secret of the host of " + name + " has not its Cluster's label";
  if (annotation(*metal, "metal3.io/BareMetalHost") != "metal/" + json::textAt(*host, {"metadata", "name"}))
    return name + " names another host";
  if (textAt(metal, {"spec", "automatedCleaningMode"}) != "metadata") return name + " has not its template's cleaning";
  if (!isTrue(host, {"status", "poweredOn"})) return name + " is off";
  if (std::string problem = unrestOfNode(world, id); !problem.empty()) return problem;
  return plot.hasData ? unrestOfData(world, name, *host) : "";
}

// While there are Clusters, and they work.
std::string unrestOfHosts(const World& world) {
  if (world.ledger.all("clusters").empty()) return "";
  for (const auto& [name, host] : world.ledger.all("baremetalhosts")) {
    if (!isMoveBlocked(&host)) return name + " does not block a move";
    if (!annotation(host, "baremetalhost.metal3.io/paused").empty()) return name + " rests";
  }
  return "";
}

std::string unrestOfSharer(const World& world) {
  const auto* claim = world.ledger.find("ipaddressclaims", "shared");
  const auto* address = world.ledger.find("capi ipaddresses", textAt(claim, {"status", "addressRef", "name"}));
  return address ? "" : "the claim that shares the pool has no address";
}

std::string surplus(const World& world, std::string_view resource, std::size_t wanted) {
  const auto& all = world.ledger.all(resource);
  return all.size() == wanted ? "" : fmt::format("{} {} instead of {}", all.size(), resource, wanted);
}

// What stays is the block of a move, which no host goes without (docs/decisions/0049).
std::string leftoverOn(const json::Value& host) {
  if (annotation(host, api::capm3::annotation::blockMove) != "ingot.dev/move") return "no block of a move";
  if (has(&host, {"spec", "consumerRef"})) return "consumerRef";
  for (const auto* what : {"image", "customDeploy", "userData", "metaData", "networkData"})
    if (has(&host, {"spec", what})) return what;
  if (json::textAt(host, {"status", "provisioning", "state"}) != "available") return "state";
  for (const auto name : {kClusterName, std::string_view("infrastructure.cluster.x-k8s.io/node-reuse")})
    if (!label(host, name).empty()) return std::string(name);
  const auto* notes = json::objectAt(host, {"metadata", "annotations"});
  if (notes == nullptr) return "";
  for (const auto& [name, value] : *notes)
    if (name != "meddler.test/n" && name != "capm3.metal3.io/unhealthy" && name != api::capm3::annotation::blockMove)
      return std::string(std::string_view(name));
  return "";
}

}  // namespace

std::string unrest(const World& world, const Plot& plot) {
  const auto& machines = world.ledger.all("machines");
  for (const auto& [name, machine] : machines) {
    if (isLeaving(machine)) return name + " is on its way out";
    if (std::string problem = unrestOf(world, plot, name); !problem.empty()) return problem;
  }
  if (std::string problem = unrestOfHosts(world); !problem.empty()) return problem;
  const std::size_t withData = plot.hasData ? machines.size() : 0;
  for (const auto* resource : {"metal3dataclaims", "metal3datas", "ipclaims", "ipaddresses"})
    if (std::string problem = surplus(world, resource, withData); !problem.empty()) return problem;
  const std::size_t ofCapi = (plot.foreignPool ? withData : 0) + (plot.sharesPool ? 1 : 0);
  for (const auto* resource : {"ipaddressclaims", "capi ipaddresses"})
    if (std::string problem = surplus(world, resource, ofCapi); !problem.empty()) return problem;
  if (std::string problem = plot.sharesPool ? unrestOfSharer(world) : ""; !problem.empty()) return problem;
  return surplus(world, "metal3machines", machines.size());
}

std::string leftovers(const World& world) {
  for (const auto& [name, host] : world.ledger.all("baremetalhosts"))
    if (const std::string what = leftoverOn(host); !what.empty()) return fmt::format("{} of host {}", what, name);
  for (const auto& [name, secret] : world.ledger.all("secrets")) {
    if (!name.ends_with("-bmc")) return "Secret " + name;
    if (!label(secret, kClusterName).empty()) return "the Cluster's label of Secret " + name;
  }
  for (const auto* resource :
       {"clusters", "machines", "metal3clusters", "metal3machines", "metal3machinetemplates", "metal3datatemplates",
        "metal3dataclaims", "metal3datas", "metal3remediations", "ippools", "ipclaims", "ipaddresses",
        "ipaddressclaims", "capi ipaddresses", "machinesets", "kubeadmcontrolplanes", "rke2controlplanes"})
    if (const auto& all = world.ledger.all(resource); !all.empty())
      return fmt::format("{} {}", resource, all.begin()->first);
  return world.nodes.all("nodes").empty() ? "" : "Node " + world.nodes.all("nodes").begin()->first;
}

}  // namespace ingot::tests::seeds
