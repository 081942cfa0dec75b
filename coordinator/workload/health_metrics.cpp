#include "coordinator/workload/health_metrics.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr std::string_view kUp = "capi_cluster_cache_connection_up";
constexpr std::string_view kUpHelp = "Whether the connection to the cluster is up.";
constexpr std::string_view kProbe = "capi_cluster_cache_healthcheck";
constexpr std::string_view kProbeHelp = "Result of the last healthcheck.";
constexpr std::string_view kProbes = "capi_cluster_cache_healthchecks_total";
constexpr std::string_view kProbesHelp = "Results of all healthchecks.";

base::Labels withStatus(base::Labels labels, bool isSuccess) {
  labels.emplace_back("status", isSuccess ? "success" : "error");
  return labels;
}

}  // namespace

HealthMetrics::HealthMetrics(base::Metrics* page, const kube::ObjectKey& cluster)
    : page_(page), labels_{{"cluster_name", cluster.name}, {"cluster_namespace", cluster.namespace_}} {}

void HealthMetrics::connected(bool isConnected) {
  if (page_) page_->gauge(kUp, kUpHelp, labels_).set(isConnected ? 1 : 0);
}

void HealthMetrics::probed(bool hasAnswered) {
  if (!page_) return;
  page_->gauge(kProbe, kProbeHelp, labels_).set(hasAnswered ? 1 : 0);
  page_->counter(kProbes, kProbesHelp, withStatus(labels_, hasAnswered)).add();
}

void HealthMetrics::forget() {
  if (!page_) return;
  page_->remove(kUp, labels_);
  page_->remove(kProbe, labels_);
  for (const bool isSuccess : {true, false}) page_->remove(kProbes, withStatus(labels_, isSuccess));
  page_ = nullptr;
}

}  // namespace ingot::coordinator::workload
