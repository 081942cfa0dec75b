#include "coordinator/rights/rights.hpp"

#include "api/kinds/kinds.hpp"
#include "coordinator/managers/managers.hpp"
#include "coordinator/webhooks/paths.hpp"
#include "coordinator/webhooks/self_made.hpp"

#include <algorithm>
#include <set>

namespace ingot::coordinator::rights {
namespace {

using enum Reach;
using Verbs = std::vector<std::string_view>;

constexpr std::string_view core, hosts = "metal3.io", agents = "ingot.dev",
                                 provider = "infrastructure.cluster.x-k8s.io", clusterApi = "cluster.x-k8s.io",
                                 ipam = "ipam.metal3.io", clusterApiIpam = "ipam.cluster.x-k8s.io",
                                 registrations = "admissionregistration.k8s.io", definitions = "apiextensions.k8s.io",
                                 controlPlanes = "controlplane.cluster.x-k8s.io";

const Verbs read = {"get"}, see = {"list", "watch"}, look = {"get", "list", "watch"}, change = {"patch"};
// Neither is ever asked for. Where OwnerReferencesPermissionEnforcement is on (OpenShift), an owner's deletion may be
// blocked only by who could do so, and owners of what is there already changed only by who may delete it
// (spec/cluster-api.md §1.3, docs/decisions/0036).
const Verbs owned = {"update"}, disowned = {"delete"};

using Names = std::vector<std::string>;

Names configurations(webhooks::Type type) {
  std::set<std::string> names;
  for (const auto& path : webhooks::admissionPaths())
    if (path.type == type && webhooks::isRegistered(path)) names.insert(webhooks::configurationOf(path));
  return {names.begin(), names.end()};
}

// Of Metal3's managers that do what any part does.
Names ofManagers(std::string_view managers::Manager::* name) {
  Parts all;
  for (const auto& row : kParts) all.insert(row.part);
  Names names;
  for (const auto& manager : managers::managersOf(all)) names.emplace_back(manager.*name);
  std::ranges::sort(names);
  return names;
}

Verbs operator+(Verbs a, const Verbs& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// spec/cluster-api.md §1.17
std::vector<Right> ofMigration() {
  const Names names = webhooks::convertedDefinitions();
  std::vector<Right> out{{{}, migration, definitions, "customresourcedefinitions", read + change, names},
                         {{}, migration, definitions, "customresourcedefinitions/status", change, names}};
  for (const auto& row : api::everyKind())
    if (std::ranges::find(names, row.stored->resource()) != names.end())
      out.push_back({{}, migration, row.stored->group, row.stored->plural, {"get", "list", "patch"}});
  return out;
}

std::vector<Right> table() {
  return {
      // Who leads, and what is told of it.
      {{}, own, "coordination.k8s.io", "leases", {"get", "watch", "create", "update"}},
      {{}, watched, core, "events", {"create", "patch"}},
      {{}, own, core, "events", {"create", "patch"}},
      // Whether Metal3's managers act, and the Leases that keep them from it.
      {{}, cluster, "apps", "deployments", see, ofManagers(&managers::Manager::deployment)},
      {{}, cluster, "coordination.k8s.io", "leases", {"list", "update"}, ofManagers(&managers::Manager::lease)},
      {{}, own, core, "pods", {"list", "patch"}},  // the label of the one that leads
      // /metrics for whom Kubernetes knows and allows it.
      {{}, cluster, "authentication.k8s.io", "tokenreviews", {"create"}},
      {{}, cluster, "authorization.k8s.io", "subjectaccessreviews", {"create"}},

      // What webhooks look up to judge an attachment or a pool, whatever namespaces are looked at.
      {{}, cluster, hosts, "baremetalhosts", {"list"}},
      {{}, cluster, ipam, "ipaddresses", {"list"}},
      {{}, cluster, clusterApiIpam, "ipaddresses", {"list"}},
      // The certificate of webhooks, with --webhook-certs self.
      {{}, own, core, "secrets", {"create"}},
      {{}, own, core, "secrets", {"get", "update"}, {std::string(webhooks::selfMadeSecret)}},
      {{}, webhooks, registrations, "validatingwebhookconfigurations", see},
      {{},
       webhooks,
       registrations,
       "validatingwebhookconfigurations",
       change,
       configurations(webhooks::Type::validating)},
      {{}, webhooks, registrations, "mutatingwebhookconfigurations", see},
      {{}, webhooks, registrations, "mutatingwebhookconfigurations", change, configurations(webhooks::Type::mutating)},
      {{}, webhooks, definitions, "customresourcedefinitions", see},
      {{}, webhooks, definitions, "customresourcedefinitions", read + change, webhooks::convertedDefinitions()},

      {Part::host, watched, hosts, "baremetalhosts", look + change},
      {Part::host, watched, hosts, "baremetalhosts/status", change},
      {Part::host, watched, hosts, "baremetalhosts/finalizers", owned},
      {Part::host, watched, hosts, "hardwaredata", look + Verbs{"create", "patch"} + disowned},
      {Part::host, watched, core, "secrets", look + change + disowned},
      {Part::host, watched, core, "configmaps", {"get", "create"}},  // certificates of erased disks
      {Part::host, own, core, "secrets", {"create"}},                // the keys that agents know
      {Part::host, own, core, "secrets", look + change, {"ingot-coordinator-keys"}},
      {Part::host, own, core, "secrets", look + Verbs{"patch", "delete"}, {"ingot-coordinator-keys-move"}},
      {Part::host, own, core, "services", {"list"}},  // with the next: by which way agents come, for `check`
      {Part::host, own, "discovery.k8s.io", "endpointslices", {"list"}},
      {Part::host, cluster, agents, "provisioningagents", see + Verbs{"create", "patch", "delete"}},
      {Part::host, cluster, agents, "provisioningagents/status", change},

      {Part::cluster, watched, provider, "metal3clusters", see + change},
      {Part::cluster, watched, provider, "metal3clusters/status", change},
      {Part::cluster, watched, clusterApi, "clusters", look},
      {Part::cluster, watched, clusterApi, "machines", see},

      {Part::machine, watched, provider, "metal3machines", look + change},
      {Part::machine, watched, provider, "metal3machines/status", change},
      {Part::machine, watched, provider, "metal3machinetemplates", look},
      {Part::machine, watched, provider, "metal3clusters", see},
      {Part::machine, watched, provider, "metal3datatemplates", see},
      {Part::machine, watched, provider, "metal3dataclaims", look + Verbs{"create", "patch", "delete"}},
      {Part::machine, watched, provider, "metal3datas", see},
      {Part::machine, watched, hosts, "baremetalhosts", look + change},
      {Part::machine, watched, clusterApi, "clusters", look},
      {Part::machine, watched, clusterApi, "machines", look},
      {Part::machine, watched, clusterApi, "machinesets", look},
      {Part::machine, watched, controlPlanes, "*", read},  // whose template a machine has: any provider's
      {Part::machine, watched, core, "secrets", read + change},

      {Part::machineTemplate, watched, provider, "metal3machinetemplates", see},
      {Part::machineTemplate, watched, provider, "metal3machines", see + change},
      {Part::machineTemplate, watched, clusterApi, "clusters", see},
      {Part::machineTemplate, watched, clusterApi, "machines", see},

      {Part::labelSync, watched, hosts, "baremetalhosts", see},
      {Part::labelSync, watched, provider, "metal3machines", see},
      {Part::labelSync, watched, provider, "metal3clusters", see},
      {Part::labelSync, watched, clusterApi, "clusters", look},
      {Part::labelSync, watched, clusterApi, "machines", see},
      {Part::labelSync, watched, core, "secrets", read},  // kubeconfigs of workload clusters

      {Part::remediation, watched, provider, "metal3remediations", look + change},
      {Part::remediation, watched, provider, "metal3remediations/status", change},
      {Part::remediation, watched, provider, "metal3machines", look},
      {Part::remediation, watched, hosts, "baremetalhosts", look + change},
      {Part::remediation, watched, clusterApi, "clusters", look},
      {Part::remediation, watched, clusterApi, "machines", look},
      {Part::remediation, watched, clusterApi, "machines/status", change},
      {Part::remediation, watched, core, "secrets", read},

      {Part::data, watched, provider, "metal3datatemplates", see + change},
      {Part::data, watched, provider, "metal3datatemplates/status", change},
      {Part::data, watched, provider, "metal3dataclaims", look + change},
      {Part::data, watched, provider, "metal3dataclaims/status", change},
      {Part::data, watched, provider, "metal3datas", look + Verbs{"create", "patch", "delete"}},
      {Part::data, watched, provider, "metal3datas/status", change},
      {Part::data, watched, provider, "metal3machines", look},
      {Part::data, watched, hosts, "baremetalhosts", look},
      {Part::data, watched, clusterApi, "clusters", look},
      {Part::data, watched, clusterApi, "machines", see},
      {Part::data, watched, ipam, "ippools", see},
      {Part::data, watched, ipam, "ipclaims", look + Verbs{"create", "patch", "delete"}},
      {Part::data, watched, ipam, "ipaddresses", look},
      {Part::data, watched, clusterApiIpam, "ipaddressclaims", look + Verbs{"create", "patch", "delete"}},
      {Part::data, watched, clusterApiIpam, "ipaddresses", look},
      {Part::data, watched, core, "secrets", look + Verbs{"create"}},

      {Part::ipam, watched, ipam, "ippools", look + change + disowned},
      {Part::ipam, watched, ipam, "ippools/status", change},
      {Part::ipam, watched, ipam, "ippools/finalizers", owned},
      {Part::ipam, watched, ipam, "ipclaims/finalizers", owned},
      {Part::ipam, watched, clusterApiIpam, "ipaddressclaims/finalizers", owned},
      {Part::ipam, watched, ipam, "ipclaims", look + change},
      {Part::ipam, watched, ipam, "ipclaims/status", change},
      {Part::ipam, watched, ipam, "ipaddresses", look + Verbs{"create", "patch", "delete"}},
      {Part::ipam, watched, clusterApiIpam, "ipaddressclaims", look + change},
      {Part::ipam, watched, clusterApiIpam, "ipaddressclaims/status", change},
      {Part::ipam, watched, clusterApiIpam, "ipaddresses", look + Verbs{"create", "patch", "delete"}},
      {Part::ipam, watched, clusterApi, "clusters", look},
  };
}

}  // namespace

std::span<const Right> rights() {
  static const std::vector<Right> all = [] {
    auto rows = table();
    std::ranges::move(ofMigration(), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

}  // namespace ingot::coordinator::rights
