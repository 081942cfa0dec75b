#include "tests/coordinator/seeds/ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace ingot::tests::seeds {

namespace {

// Nobody's, or not of this play.
bool isFollowed(std::string_view resource) {
  return resource != "events" && resource != "leases" && resource != "namespaces" && resource != "serviceaccounts" &&
         resource != "customresourcedefinitions";
}

}  // namespace

void Ledger::follow(apiserver::Registry& registry, const std::string& space) {
  registry.observe([this, space](const apiserver::GroupResource& id, const apiserver::ObjectPtr& before,
                                 const apiserver::ObjectPtr& after) {
    const auto& object = after ? after : before;
    if (!object || object->key.space != space || !isFollowed(id.resource)) return;
    const bool isOther = id.resource == "ipaddresses" && id.group == "ipam.cluster.x-k8s.io";
    record(isOther ? "capi ipaddresses" : id.resource, object->key.name,
           after ? apiserver::documentOf(*after) : json::Value());
  });
}

void Ledger::record(const std::string& resource, const std::string& name, json::Value object) {
  ++changes_;
  Objects& kind = kinds_[resource];
  const auto known = kind.find(name);
  const bool existed = known != kind.end(), exists = !object.is_null();
  const json::Value before = existed ? std::exchange(known->second, std::move(object)) : json::Value();
  if (!existed) kind.emplace(name, std::move(object));
  if (!exists) kind.erase(name);
  if (rule_) rule_(*this, {resource, name, existed ? &before : nullptr, exists ? &kind.find(name)->second : nullptr});
}

const Objects& Ledger::all(std::string_view resource) const {
  static const Objects none;
  const auto found = kinds_.find(resource);
  return found == kinds_.end() ? none : found->second;
}

const json::Value* Ledger::find(std::string_view resource, std::string_view name) const {
  const Objects& kind = all(resource);
  const auto found = kind.find(name);
  return found == kind.end() ? nullptr : &found->second;
}

std::string Ledger::contents() const {
  std::vector<std::string> all;
  for (const auto& [resource, objects] : kinds_)
    for (const auto& [name, object] : objects) all.push_back(fmt::format("{} {}", resource, name));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<std::string> namesOf(const Objects& objects) {
  std::vector<std::string> names;
  for (const auto& [name, object] : objects) names.push_back(name);
  return names;
}

std::string textAt(const json::Value* object, std::initializer_list<std::string_view> path) {
  return object == nullptr ? "" : json::textAt(*object, path);
}

bool has(const json::Value* object, std::initializer_list<std::string_view> path) {
  const auto* found = object == nullptr ? nullptr : json::find(*object, path);
  return found != nullptr && !found->is_null();
}

bool isTrue(const json::Value* object, std::initializer_list<std::string_view> path) {
  return object != nullptr && json::boolAt(*object, path).value_or(false);
}

bool isLeaving(const json::Value& object) { return has(&object, {"metadata", "deletionTimestamp"}); }

bool hasFinalizer(const json::Value& object, std::string_view finalizer) {
  const auto* all = json::arrayAt(object, {"metadata", "finalizers"});
  return all != nullptr && std::ranges::any_of(*all, [&](const json::Value& one) {
           return one.is_string() && std::string_view(one.get_string()) == finalizer;
         });
}

std::string ownerOf(const json::Value& object, std::string_view kind) {
  const auto* owners = json::arrayAt(object, {"metadata", "ownerReferences"});
  if (owners == nullptr) return "";
  for (const auto& owner : *owners)
    if (json::textAt(owner, {"kind"}) == kind) return json::textAt(owner, {"name"});
  return "";
}

std::string annotation(const json::Value& object, std::string_view name) {
  return json::textAt(object, {"metadata", "annotations", name});
}

std::string label(const json::Value& object, std::string_view name) {
  return json::textAt(object, {"metadata", "labels", name});
}

std::string keptFor(const json::Value* host) {
  return host == nullptr ? "" : label(*host, "infrastructure.cluster.x-k8s.io/node-reuse");
}

std::string consumerOf(const json::Value* host) {
  return textAt(host, {"spec", "consumerRef", "kind"}) == "Metal3Machine"
             ? textAt(host, {"spec", "consumerRef", "name"})
             : "";
}

std::string machineOf(const json::Value* data) { return textAt(data, {"spec", "claim", "name"}); }

}  // namespace ingot::tests::seeds
