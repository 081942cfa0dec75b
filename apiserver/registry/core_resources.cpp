#include "apiserver/registry/core_resources.hpp"

namespace ingot::apiserver {
namespace {

using Verbs = std::vector<std::string>;
const Verbs readOnly = {"get", "list", "watch"};
const Verbs withoutCollection = {"create", "delete", "get", "list", "patch", "update", "watch"};

enum class Scope { cluster, spaced };

ResourceInfo core(std::string group, std::string plural, std::string singular, std::string kind, Scope scope) {
  ResourceInfo info;
  info.group = std::move(group);
  info.plural = std::move(plural);
  info.singular = std::move(singular);
  info.listKind = kind + "List";
  info.kind = std::move(kind);
  info.namespaced = scope == Scope::spaced;
  info.versions = {{"v1"}};
  info.storageVersion = "v1";
  info.updateNeedsVersion = false;
  return info;
}

std::vector<SelectableField> eventFields(std::string_view object) {
  std::vector<SelectableField> fields;
  for (const auto* member : {"kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"}) {
    fields.push_back({fmt::format("{}.{}", object, member), {"involvedObject", member}});
  }
  fields.push_back({"reason", {"reason"}});
  fields.push_back({"type", {"type"}});
  return fields;
}

ResourceInfo namespaces() {
  auto info = core("", "namespaces", "namespace", "Namespace", Scope::cluster);
  info.versions[0].statusSubresource = true;
  info.shortNames = {"ns"};
  info.verbs = withoutCollection;
  info.nameRule = NameRule::label;
  info.selectableFields = {{"status.phase", {"status", "phase"}}};
  return info;
}

ResourceInfo secrets() {
  auto info = core("", "secrets", "secret", "Secret", Scope::spaced);
  info.selectableFields = {{"type", {"type"}}};
  return info;
}

ResourceInfo configMaps() {
  auto info = core("", "configmaps", "configmap", "ConfigMap", Scope::spaced);
  info.shortNames = {"cm"};
  return info;
}

ResourceInfo events() {
  auto info = core("", "events", "event", "Event", Scope::spaced);
  info.shortNames = {"ev"};
  info.nameRule = NameRule::pathSegment;
  info.updateCreates = true;
  info.timeToLive = std::chrono::hours(1);
  info.selectableFields = eventFields("involvedObject");
  info.selectableFields.push_back({"reportingComponent", {"reportingComponent"}});
  info.selectableFields.push_back({"source", {"source", "component"}});
  return info;
}

ResourceInfo eventAlias() {
  auto info = core("events.k8s.io", "events", "event", "Event", Scope::spaced);
  info.shortNames = {"ev"};
  info.nameRule = NameRule::pathSegment;
  info.updateCreates = true;
  info.storedAs = GroupResource{"", "events"};
  info.selectableFields = eventFields("regarding");
  info.selectableFields.push_back({"reportingController", {"reportingComponent"}});
  return info;
}

ResourceInfo leases() {
  auto info = core("coordination.k8s.io", "leases", "lease", "Lease", Scope::spaced);
  info.updateNeedsVersion = true;
  info.updateCreates = true;
  return info;
}

ResourceInfo nodes() {
  auto info = core("", "nodes", "node", "Node", Scope::cluster);
  info.versions[0].statusSubresource = true;
  info.shortNames = {"no"};
  info.selectableFields = {{"spec.unschedulable", {"spec", "unschedulable"}}};
  return info;
}

ResourceInfo serviceAccounts() {
  auto info = core("", "serviceaccounts", "serviceaccount", "ServiceAccount", Scope::spaced);
  info.shortNames = {"sa"};
  return info;
}

ResourceInfo customResourceDefinitions() {
  auto info = core("apiextensions.k8s.io", "customresourcedefinitions", "customresourcedefinition",
                   "CustomResourceDefinition", Scope::cluster);
  info.versions[0].statusSubresource = true;
  info.shortNames = {"crd", "crds"};
  info.categories = {"api-extensions"};
  info.hasGeneration = true;
  info.updateNeedsVersion = true;
  return info;
}

// Kinds that clients list though nothing of theirs can exist here.
ResourceInfo alwaysEmpty(std::string plural, std::string singular, std::string kind, std::string shortName) {
  auto info = core("", std::move(plural), std::move(singular), std::move(kind), Scope::spaced);
  info.shortNames = {std::move(shortName)};
  info.verbs = readOnly;
  return info;
}

}  // namespace

std::vector<BuiltInKind> builtInKinds() {
  return {
      {namespaces(), {namespaceRules()}},
      {secrets(), {secretRules()}},
      {configMaps(), {configMapRules()}},
      {events(), {eventRules()}},
      {eventAlias(), {eventAliasRules()}},
      {leases(), {leaseRules()}},
      {serviceAccounts(), {}},
      {nodes(), {}},
      {customResourceDefinitions(), {}},
      {alwaysEmpty("resourcequotas", "resourcequota", "ResourceQuota", "quota"), {}},
      {alwaysEmpty("limitranges", "limitrange", "LimitRange", "limits"), {}},
      {alwaysEmpty("pods", "pod", "Pod", "po"), {}},
      {alwaysEmpty("services", "service", "Service", "svc"), {}},
  };
}

}  // namespace ingot::apiserver
