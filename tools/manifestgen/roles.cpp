#include "tools/manifestgen/roles.hpp"

#include "coordinator/rights/rights.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace ingot::tools {
namespace {

using coordinator::rights::Reach;
using coordinator::rights::Right;
using Verbs = std::set<std::string_view>;

constexpr std::string_view verbOrder[] = {"get", "list", "watch", "create", "update", "patch", "delete"};

json::Array inOrder(const Verbs& verbs) {
  json::Array out;
  for (const auto verb : verbOrder)
    if (verbs.contains(verb)) out.emplace_back(verb);
  if (out.size() != verbs.size()) throw std::logic_error("a right has a verb that verbOrder lacks");
  return out;
}

using Rights = std::vector<Right>;

Rights chosen(const std::function<bool(const Right&)>& isMeant) {
  Rights out;
  std::ranges::copy_if(coordinator::rights::rights(), std::back_inserter(out), isMeant);
  return out;
}

// One rule for the resources of a group that the same is done with.
json::Array rulesOf(const Rights& rights) {
  struct Of {
    std::string_view group, resource;
    std::vector<std::string> names;
    auto operator<=>(const Of&) const = default;
  };
  struct Rule {
    std::string_view group;
    Verbs verbs;
    std::vector<std::string> names;
    auto operator<=>(const Rule&) const = default;
  };
  std::map<Of, Verbs> verbs;
  for (const auto& right : rights)
    verbs[{right.group, right.resource, right.names}].insert(right.verbs.begin(), right.verbs.end());
  std::map<Rule, json::Array> resources;
  for (const auto& [of, what] : verbs) resources[{of.group, what, of.names}].emplace_back(of.resource);
  json::Array rules;
  for (auto& [rule, of] : resources) {
    json::Object out{{"apiGroups", json::Array{rule.group}}, {"resources", std::move(of)}};
    if (!rule.names.empty()) out["resourceNames"] = json::Array(rule.names.begin(), rule.names.end());
    out["verbs"] = inOrder(rule.verbs);
    rules.push_back(std::move(out));
  }
  return rules;
}

json::Object role(std::string_view kind, std::string_view name, const Rights& rights) {
  return {{"apiVersion", "rbac.authorization.k8s.io/v1"},
          {"kind", kind},
          {"metadata", json::Object{{"name", name}}},
          {"rules", rulesOf(rights)}};
}

json::Object role(std::string_view kind, std::string_view name, const std::function<bool(const Right&)>& isMeant) {
  return role(kind, name, chosen(isMeant));
}

// Secrets, and what may say as much, are a role of their own: an installation gives it where hosts and machines live.
bool isConfidential(const Right& right) {
  return right.group.empty() && (right.resource == "secrets" || right.resource == "configmaps");
}

std::function<bool(const Right&)> of(Reach reach) {
  return [reach](const Right& right) { return right.reach == reach; };
}

bool isRead(std::string_view verb) { return verb == "get" || verb == "list" || verb == "watch"; }

// In shadow nothing is written; what would be is read instead, to see what it would change. Events are no objects that
// are changed, and what only agents cause is not done.
Rights readsOf(const std::function<bool(const Right&)>& isMeant) {
  Rights out = chosen(isMeant);
  std::erase_if(out, [](const Right& right) { return right.resource == "events" || right.resource == "configmaps"; });
  for (Right& right : out) {
    const bool writes = !std::ranges::all_of(right.verbs, isRead);
    std::erase_if(right.verbs, std::not_fn(isRead));
    if (writes) right.verbs.emplace_back("get");
    right.resource = right.resource.substr(0, right.resource.find('/'));
  }
  return out;
}

bool isReview(const Right& right) { return right.reach == Reach::cluster && right.resource.ends_with("reviews"); }

}  // namespace

std::vector<json::Object> shadowRoles() {
  Rights objects = readsOf([](const Right& right) { return right.reach == Reach::watched && !isConfidential(right); });
  std::ranges::copy(chosen(isReview), std::back_inserter(objects));
  return {role("ClusterRole", "ingot-shadow", objects),
          role("ClusterRole", "ingot-shadow-secrets",
               readsOf([](const Right& right) { return right.reach == Reach::watched && isConfidential(right); }))};
}

std::vector<json::Object> roles() {
  return {role("ClusterRole", "ingot-coordinator", of(Reach::cluster)),
          role("ClusterRole", "ingot-coordinator-objects",
               [](const Right& right) { return right.reach == Reach::watched && !isConfidential(right); }),
          role("ClusterRole", "ingot-coordinator-secrets",
               [](const Right& right) { return right.reach == Reach::watched && isConfidential(right); }),
          role("Role", "ingot-coordinator", of(Reach::own)),
          role("ClusterRole", "ingot-coordinator-webhook-certificates", of(Reach::webhooks)),
          role("ClusterRole", "ingot-coordinator-migration", of(Reach::migration))};
}

}  // namespace ingot::tools
