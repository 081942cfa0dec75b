#include "api/kinds/kinds.hpp"
#include "cli/run/bundle/collect.hpp"
#include "kube/core/undecoded.hpp"

#include <algorithm>
#include <map>

namespace ingot::cli::bundle {
namespace {

constexpr std::string_view kOurs = "app.kubernetes.io/name=ingot-coordinator";
constexpr std::string_view kLease = "ingot-coordinator";
constexpr std::int64_t kSmallPage = 25;  // a definition may be half a megabyte

const kube::Resource deployments{.group = "apps", .version = "v1", .kind = "Deployment", .plural = "deployments"};
const kube::Resource podResource{.version = "v1", .kind = "Pod", .plural = "pods"};
const kube::Resource leases{.group = "coordination.k8s.io", .version = "v1", .kind = "Lease", .plural = "leases"};
const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                 .version = "v1",
                                 .kind = "CustomResourceDefinition",
                                 .plural = "customresourcedefinitions",
                                 .namespaced = false};

kube::Resource webhooks(const std::string& kind, const std::string& plural) {
  return {
      .group = "admissionregistration.k8s.io", .version = "v1", .kind = kind, .plural = plural, .namespaced = false};
}

Names ourGroups() {
  Names groups;
  for (const api::KindRow& row : api::everyKind()) groups.emplace(row.stored->group);
  return groups;
}

// Its groups are the question; with "*" it is asked of every kind.
bool isAskedOfOurs(const json::Value& configuration, const Names& groups) {
  const auto* all = json::arrayAt(configuration, {"webhooks"});
  if (all == nullptr) return false;
  for (const auto& webhook : *all) {
    const auto* rules = json::arrayAt(webhook, {"rules"});
    if (rules == nullptr) continue;
    for (const auto& rule : *rules) {
      const auto* asked = json::arrayAt(rule, {"apiGroups"});
      const auto isOurs = [&](const json::Value& group) {
        return group.is_string() && (group == "*" || groups.contains(std::string_view(group.get_string())));
      };
      if (asked != nullptr && std::ranges::any_of(*asked, isOurs)) return true;
    }
  }
  return false;
}

// An authority is no secret, but long; that there is one is what matters.
void shortenAuthorities(json::Value& value) {
  if (value.is_array())
    for (json::Value& item : value.get_array()) shortenAuthorities(item);
  if (!value.is_object()) return;
  for (auto& [key, member] : value.get_object()) {
    if (key == "caBundle" && member.is_string())
      member = fmt::format("({} characters)", member.get_string().size());
    else
      shortenAuthorities(member);
  }
}

// Without its schemas.
void shortenDefinition(json::Value& definition) {
  const auto* spec = json::objectAt(definition, {"spec"});
  if (spec == nullptr || !spec->contains("versions") || !spec->at("versions").is_array()) return;
  for (json::Value& version : definition.at("spec").at("versions").get_array()) {
    if (!version.is_object()) continue;
    for (const char* member : {"schema", "additionalPrinterColumns", "subresources", "selectableFields"})
      version.get_object().erase(member);
  }
}

base::Task<void> collectDefinitions(ApiSource& source) {
  const Names groups = ourGroups();
  const auto show = [&](const kube::Resource& resource, auto&& wanted) -> base::Task<void> {
    NamespacedFiles files(source.contents(), "coordinator", resource.name());
    co_await source.each(resource, {.pageSize = kSmallPage}, [&](json::Value object) {
      if (!wanted(object)) return;
      shortenAuthorities(object);
      shortenDefinition(object);
      files.add(std::move(object));
    });
    files.close();
  };
  const auto asked = [&](const json::Value& object) { return isAskedOfOurs(object, groups); };
  co_await show(webhooks("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"), asked);
  co_await show(webhooks("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"), asked);
  co_await show(definitions,
                [&](const json::Value& object) { return groups.contains(json::textAt(object, {"spec", "group"})); });
}

// Of all containers of a bundle's pods the logs have one room.
constexpr std::size_t kPodsOfNamespace = 6, kPodsAtMost = 18, kContainersOfPod = 4;

CoordinatorPod podFrom(const json::Value& object) {
  CoordinatorPod pod{.namespace_ = json::textAt(object, {"metadata", "namespace"}),
                     .name = json::textAt(object, {"metadata", "name"})};
  if (const auto* containers = json::arrayAt(object, {"spec", "containers"}))
    for (const auto& each : *containers)
      if (pod.containers.size() < kContainersOfPod) pod.containers.push_back(json::textAt(each, {"name"}));
  return pod;
}

std::vector<CoordinatorPod> likely(std::vector<CoordinatorPod> all, const Names& leading, Contents& contents) {
  std::map<std::string, std::size_t> ofNamespace;
  std::vector<CoordinatorPod> chosen;
  for (const bool isLeading : {true, false})
    for (auto& pod : all) {
      const bool isNow = leading.contains(pod.namespace_) == isLeading && chosen.size() < kPodsAtMost;
      if (isNow && ++ofNamespace[pod.namespace_] <= kPodsOfNamespace) chosen.push_back(pod);
    }
  if (const auto leftOut = all.size() - chosen.size(); leftOut > 0)
    contents.missing(fmt::format("logs and pages of {} pods that are labelled as the coordinator's", leftOut),
                     fmt::format("{} of a namespace are read, {} in all; --coordinator-namespace says where it is",
                                 kPodsOfNamespace, kPodsAtMost));
  return chosen;
}

// By which the replicas, and Metal3's managers, elect a leader.
bool isOfLeader(const json::Value& lease) {
  constexpr std::string_view names[] = {kLease, "baremetal-operator", "controller-leader-election-capm3",
                                        "controller-leader-election-ipam-capm3"};
  const std::string name = json::textAt(lease, {"metadata", "name"});
  return std::ranges::any_of(names, [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace

base::Task<std::vector<CoordinatorPod>> collectCoordinator(ApiSource& source, std::string namespace_) {
  const kube::ListQuery ours{.namespace_ = namespace_, .labelSelector = std::string(kOurs)};
  co_await source.file("coordinator", deployments, ours);
  std::vector<CoordinatorPod> pods;
  co_await source.file("coordinator", podResource, ours, [&pods](const json::Value& object) {
    pods.push_back(podFrom(object));
    return true;
  });
  Names leading;
  co_await source.file("coordinator", leases, {.namespace_ = namespace_}, [&leading](const json::Value& lease) {
    if (!isOfLeader(lease)) return false;
    if (json::textAt(lease, {"metadata", "name"}).starts_with(kLease))
      leading.insert(json::textAt(lease, {"metadata", "namespace"}));
    return true;
  });
  co_await collectDefinitions(source);
  co_return likely(std::move(pods), leading, source.contents());
}

}  // namespace ingot::cli::bundle
