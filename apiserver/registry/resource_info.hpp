// What the server knows about one kind: names, scope, versions, and the few ways in which kinds behave differently.
#pragma once

#include "base/clock.hpp"
#include "kube/core/names.hpp"

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

struct GroupResource {
  std::string group;     // "" for core
  std::string resource;  // plural
  friend auto operator<=>(const GroupResource&, const GroupResource&) = default;
  // "baremetalhosts.metal3.io", "secrets": as errors and the store spell it.
  [[nodiscard]] std::string text() const;
};

struct ServedVersion {
  std::string name;  // v1alpha1
  bool statusSubresource = false;
  bool deprecated = false;
  std::string deprecationWarning;
  bool served = true;
};

struct SelectableField {
  std::string label;              // as written in a fieldSelector: "involvedObject.kind"
  std::vector<std::string> path;  // where it is in the object
};

using kube::NameRule;

struct ResourceInfo {
  std::string group, plural, singular, kind, listKind;
  bool namespaced = true;
  bool custom = false;                  // defined by a CRD
  std::vector<ServedVersion> versions;  // in order of preference
  std::string storageVersion;
  std::vector<std::string> shortNames, categories;
  std::vector<std::string> verbs = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
  std::vector<SelectableField> selectableFields = {};  // besides metadata.name and metadata.namespace

  // Where its objects live when that is another resource (events.k8s.io/events are core events).
  std::optional<GroupResource> storedAs = {};

  bool hasGeneration = false;      // metadata.generation is kept
  bool updateNeedsVersion = true;  // PUT without resourceVersion is refused
  bool updateCreates = false;      // PUT of a missing object creates it (Lease, Event)
  NameRule nameRule = NameRule::subdomain;
  std::optional<base::Duration> timeToLive = {};  // objects are removed that long after their last write

  [[nodiscard]] GroupResource id() const { return {group, plural}; }
  [[nodiscard]] GroupResource storage() const { return storedAs.value_or(id()); }
  // "metal3.io/v1alpha1", "v1".
  [[nodiscard]] std::string apiVersion(std::string_view version) const;
  [[nodiscard]] const ServedVersion* findVersion(std::string_view version) const;
  [[nodiscard]] bool offers(std::string_view verb) const;
  [[nodiscard]] bool hasStatus(std::string_view version) const;
};

using ResourceInfoPtr = std::shared_ptr<const ResourceInfo>;

// "metal3.io/v1alpha1" → {"metal3.io","v1alpha1"}; "v1" → {"","v1"}.
struct GroupVersion {
  std::string group, version;
  [[nodiscard]] static GroupVersion parse(std::string_view apiVersion);
};

// Kubernetes' order of version names: v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > anything else by name.
[[nodiscard]] bool precedesVersion(std::string_view a, std::string_view b);

}  // namespace ingot::apiserver
