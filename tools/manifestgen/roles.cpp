#include "tools/manifestgen/roles.hpp"

#include "coordinator/rights/rights.hpp"

#include <functional>
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

// One rule for the resources of a group that the same is done with.
json::Array rulesOf(const std::function<bool(const Right&)>& isMeant) {
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
  for (const auto& right : coordinator::rights::rights())
    if (isMeant(right))
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

json::Object role(std::string_view kind, std::string_view name, const std::function<bool(const Right&)>& isMeant) {
  return {{"apiVersion", "rbac.authorization.k8s.io/v1"},
          {"kind", kind},
          {"metadata", json::Object{{"name", name}}},
          {"rules", rulesOf(isMeant)}};
}

// Secrets, and what may say as much, are a role of their own: an installation gives it where hosts and machines live.
bool isConfidential(const Right& right) {
  return right.group.empty() && (right.resource == "secrets" || right.resource == "configmaps");
}

std::function<bool(const Right&)> of(Reach reach) {
  return [reach](const Right& right) { return right.reach == reach; };
}

}  // namespace

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
