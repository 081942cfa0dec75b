#include "coordinator/managers/deployments.hpp"

#include <fmt/ranges.h>

namespace ingot::coordinator::managers {

constinit const kube::KindInfo Deployment::info{
    .group = "apps", .version = "v1", .kind = "Deployment", .plural = "deployments", .statusSubresource = true};

std::optional<std::string> objection(const Deployment& deployment, const OwnPod& own) {
  const auto& [namespace_, name] = deployment.metadata.key();
  const auto ready = deployment.status.readyReplicas;
  const bool isOurs = namespace_ == own.namespace_ && own.name.starts_with(name + "-");
  if (ready <= 0 || isOurs) return std::nullopt;
  return fmt::format("Deployment {} has {} ready {}", deployment.metadata.key().text(), ready,
                     ready == 1 ? "replica" : "replicas");
}

Deployments::Deployments(const base::Runtime& runtime, kube::Api& api, const std::vector<Manager>& managers, OwnPod own)
    : own_(std::move(own)) {
  for (const auto& manager : managers)
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

std::string Deployments::objections() const {
  std::vector<std::string> all;
  for (const auto& cache : caches_)
    for (const auto& deployment : cache->all())
      if (auto text = objection(*deployment, own_)) all.push_back(std::move(*text));
  return fmt::format("{}", fmt::join(all, "; "));
}

std::vector<kube::Subscription> Deployments::onChange(const std::function<void()>& told) {
  std::vector<kube::Subscription> out;
  out.reserve(caches_.size());
  for (const auto& cache : caches_) out.push_back(cache->listen([told](const auto&) { told(); }));
  return out;
}

}  // namespace ingot::coordinator::managers
