#include "coordinator/workload/drain.hpp"

#include "kube/client/field_selector.hpp"

#include <functional>

namespace ingot::coordinator::workload {
namespace {

constexpr std::int64_t kPageSize = 50;
constexpr int kMostPages = 1000;  // VolumeAttachments are all of the cluster's: no API server selects them by Node

const kube::Resource kPods{.version = "v1", .kind = "Pod", .plural = "pods"};
const kube::Resource kAttachments{.group = "storage.k8s.io",
                                  .version = "v1",
                                  .kind = "VolumeAttachment",
                                  .plural = "volumeattachments",
                                  .namespaced = false};

using Question = std::function<bool(const json::Value&)>;

base::Task<bool> anyOf(kube::Api& cluster, kube::Resource resource, kube::ListQuery query, Question isIt) {
  std::string next;
  for (int page = 0; page < kMostPages; ++page) {
    const kube::Page got = co_await cluster.listPage(resource, query, next);
    if (std::ranges::any_of(got.items, isIt)) co_return true;
    if (got.next.empty()) co_return false;
    next = got.next;
  }
  throw kube::Error(kube::Error::Code::badAnswer, "a list without end");
}

}  // namespace

base::Task<bool> isDrained(kube::Api& cluster, std::string node) {
  const Question isLeaving = [](const json::Value& pod) {
    return !json::textAt(pod, {"metadata", "deletionTimestamp"}).empty();
  };
  const Question isAttached = [node](const json::Value& attachment) {
    return json::textAt(attachment, {"spec", "nodeName"}) == node;
  };
  if (co_await anyOf(cluster, kPods, {.fieldSelector = kube::fieldIs("spec.nodeName", node), .pageSize = kPageSize},
                     isLeaving))
    co_return false;
  co_return !co_await anyOf(cluster, kAttachments, {.pageSize = kPageSize}, isAttached);
}

}  // namespace ingot::coordinator::workload
