#include "coordinator/managers/deployments.hpp"

#include "kube/client/access_review.hpp"

#include <fmt/ranges.h>

namespace ingot::coordinator::managers {

constinit const kube::KindInfo Deployment::info{
    .group = "apps", .version = "v1", .kind = "Deployment", .plural = "deployments", .statusSubresource = true};

namespace {

constexpr base::Duration asksAgain = std::chrono::minutes(1);

std::string accountOf(const Deployment& deployment) {
  const auto& name = deployment.spec.template_.spec.serviceAccountName;
  return fmt::format("system:serviceaccount:{}:{}", deployment.metadata.namespace_, name.empty() ? "default" : name);
}

}  // namespace

std::optional<std::string> objection(const Deployment& deployment, const OwnPod& own) {
  const auto& [namespace_, name] = deployment.metadata.key();
  const auto ready = deployment.status.readyReplicas, wanted = deployment.spec.replicas.value_or(1);
  const bool isOurs = namespace_ == own.namespace_ && own.name.starts_with(name + "-");
  if (isOurs || (ready <= 0 && wanted <= 0)) return std::nullopt;
  const auto count = ready > 0 ? ready : wanted;
  return fmt::format(
      "Deployment {}/{} {} {} {}", namespace_, name, ready > 0 ? "has" : "wants", count,
      ready > 0 ? (count == 1 ? "ready replica" : "ready replicas") : (count == 1 ? "replica" : "replicas"));
}

base::Task<bool> mayManage(kube::Api& api, Manager manager, Deployment deployment,
                           std::vector<std::string> namespaces) {
  if (namespaces.empty()) namespaces.emplace_back();
  for (const auto& namespace_ : namespaces) {
    json::Object attributes{{"group", manager.group}, {"resource", manager.resource}, {"verb", "update"}};
    if (!namespace_.empty()) attributes["namespace"] = namespace_;
    json::Array groups{"system:serviceaccounts", "system:authenticated",
                       "system:serviceaccounts:" + deployment.metadata.namespace_};
    const bool may = co_await kube::isAllowed(api, kube::Whose::subject,
                                              json::Object{{"user", accountOf(deployment)},
                                                           {"groups", std::move(groups)},
                                                           {"resourceAttributes", std::move(attributes)}});
    if (!may) co_return false;
  }
  co_return true;
}

Deployments::Deployments(const base::Runtime& runtime, kube::Api& api, DeploymentsOptions options)
    : clock_(runtime.clock), api_(api), options_(std::move(options)) {
  for (const auto& manager : options_.managers)
    caches_.push_back(std::make_unique<kube::Cache<Deployment>>(
        runtime, api,
        kube::CacheOptions{.fieldSelector = fmt::format("metadata.name={}", manager.deployment),
                           .watcher = {.mayBeAbsent = true}}));  // an API without workloads has no managers
}

void Deployments::start(base::TaskGroup& tasks) {
  for (const auto& cache : caches_) cache->start(tasks);
}

base::Task<void> Deployments::synced() {
  for (const auto& cache : caches_) co_await cache->synced();
}

base::Task<std::string> Deployments::objections() {
  std::set<kube::ObjectKey> present;
  for (std::size_t i = 0; i < caches_.size(); ++i)
    for (const auto& deployment : caches_[i]->all()) {
      const auto key = deployment->metadata.key();
      present.insert(key);
      if (!objection(*deployment, options_.own)) continue;
      const auto seen = verdicts_.find(key);
      const auto account = accountOf(*deployment);
      const bool isFresh =
          seen != verdicts_.end() && seen->second.account == account && clock_.now() < seen->second.asked + asksAgain;
      if (isFresh) continue;
      const bool may = co_await mayManage(api_, options_.managers[i], *deployment, options_.namespaces);
      verdicts_.insert_or_assign(key, Verdict{account, may, clock_.now()});
    }
  std::erase_if(verdicts_, [&](const auto& verdict) { return !present.contains(verdict.first); });
  co_return knownObjections();
}

std::string Deployments::knownObjections() const {
  std::vector<std::string> all;
  for (const auto& cache : caches_)
    for (const auto& deployment : cache->all()) {
      const auto seen = verdicts_.find(deployment->metadata.key());
      const bool isManager = seen != verdicts_.end() && seen->second.isManager;
      if (auto text = objection(*deployment, options_.own); text && isManager) all.push_back(std::move(*text));
    }
  return fmt::format("{}", fmt::join(all, "; "));
}

std::set<std::string> Deployments::namespaces() const {
  std::set<std::string> out;
  for (const auto& [key, verdict] : verdicts_)
    if (verdict.isManager) out.insert(key.namespace_);
  return out;
}

std::vector<kube::Subscription> Deployments::onChange(const std::function<void()>& told) {
  std::vector<kube::Subscription> out;
  out.reserve(caches_.size());
  for (const auto& cache : caches_)
    out.push_back(cache->listen([this, told](const kube::Cache<Deployment>::Change& change) {
      const auto said = [this](const auto& deployment) {
        return deployment ? objection(*deployment, options_.own) : std::nullopt;
      };
      if (said(change.before) != said(change.after)) told();
    }));
  return out;
}

}  // namespace ingot::coordinator::managers
