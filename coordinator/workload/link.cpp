#include "coordinator/workload/link.hpp"

#include "base/sync.hpp"
#include "coordinator/workload/drain.hpp"

namespace ingot::coordinator::workload {
namespace {

constexpr base::Duration kDrainDeadline = std::chrono::seconds(30);  // of all pages

std::unique_ptr<kube::Client> clientOf(const base::Runtime& runtime, net::HttpTransport& transport,
                                       const kube::ClusterConfig& config, const ClusterCacheOptions& options) {
  try {
    kube::ApiOptions calls = options.calls;
    calls.retry = {.attempts = 1};
    calls.deadline = options.deadline;
    calls.bodyLimit = calls.lineLimit = options.replyLimit;
    return kube::connect(runtime, transport, config, std::move(calls));
  } catch (const net::HttpError&) {
    // Its text may hold pieces of the key material.
    throw Lost({Unknown::Reason::kubeconfigRefused, "a certificate or key of the kubeconfig cannot be used"});
  }
}

}  // namespace

Link::Link(const base::Runtime& runtime, net::HttpTransport& transport, kube::ClusterConfig config,
           const ClusterCacheOptions& options, const Shares& shares, const std::string& namespace_,
           NodeWatch::Told told)
    : runtime_{runtime.executor, runtime.clock, runtime.random, base::Log::silent()},
      config_(std::move(config)),
      deadline_(options.deadline),
      refused_(told.refused),
      limited_(runtime_.clock, transport, options.requestRate),
      transport_(runtime_.clock, limited_, {}, std::make_unique<PaceShares::Share>(shares.pace, namespace_),
                 [this, there = std::weak_ptr(isThere_)](std::size_t before, std::size_t bytes) {
                   if (!there.expired()) watch_.hasUnfinished(before, bytes);
                 }),
      client_(clientOf(runtime_, transport_, config_, options)),
      watch_(runtime_, client_->api(), config_, options, {shares.room, namespace_}, std::move(told)) {}

base::Task<void> Link::ping(base::Duration deadline) {
  constexpr std::string_view doing = "asked for its version";
  try {
    version_ = serverVersionIn(
        co_await base::withTimeout(runtime_.clock, deadline, "GET /version", client_->api().raw("GET", "/version")));
  } catch (const kube::Error& e) {
    if (e.code() == kube::Error::Code::forbidden) co_return;  // it lives, and knows us
    throw Lost(unknownAfter(e, config_, doing));
  } catch (const base::TimedOut&) {
    throw Lost(unknownAfter({kube::Error::Code::interrupted, "no answer in time"}, config_, doing));
  }
}

base::Task<bool> Link::holds(OwnPod pod) {
  constexpr std::string_view doing = "asked for our own pod";
  const kube::Resource pods{.version = "v1", .kind = "Pod", .plural = "pods"};
  try {
    const auto found = co_await inTime(doing, deadline_, client_->api().get(pods, pod.key));
    co_return found&& json::textAt(*found, {"metadata", "uid"}) == pod.uid;
  } catch (const kube::Error&) {  // it may not be asked, perhaps: then its kubeconfig says all that is known
    co_return false;
  }
}

base::Task<kube::Node> Link::patchNode(std::string node, kube::PatchType type, json::Value patch) {
  const json::Value stored =
      co_await inTime("asked to patch a Node", deadline_,
                      client_->api().patch(kube::Resource::of(kube::Node::info), {.namespace_ = "", .name = node}, type,
                                           std::move(patch)));
  try {
    co_return json::decode<kube::Node>(stored);
  } catch (const json::DecodeError&) {
    throw kube::Error(kube::Error::Code::badAnswer, config_.server + " answered a patch with something else");
  }
}

base::Task<bool> Link::deleteNode(std::string node, std::string uid) {
  try {
    const auto answer =
        co_await inTime("asked to delete a Node", deadline_,
                        client_->api().remove(kube::Resource::of(kube::Node::info), {.namespace_ = "", .name = node},
                                              {.uid = std::move(uid)}));
    co_return answer.has_value();
  } catch (const kube::Error& e) {
    if (e.code() == kube::Error::Code::conflict) co_return false;  // it is another Node of that name
    throw;
  }
}

base::Task<bool> Link::isDrained(std::string node) {
  return inTime("asked what is left on a Node", kDrainDeadline, workload::isDrained(client_->api(), std::move(node)));
}

template <class T>
base::Task<T> Link::inTime(std::string_view doing, base::Duration deadline, base::Task<T> call) {
  try {
    co_return co_await base::withTimeout(runtime_.clock, deadline, std::string(doing), std::move(call));
  } catch (const kube::Error& e) {
    throw afterCall(e, doing);
  } catch (const base::TimedOut&) {
    throw afterCall({kube::Error::Code::interrupted, "no answer in time"}, doing);
  }
}

kube::Error Link::afterCall(const kube::Error& error, std::string_view doing) {
  if (error.code() == kube::Error::Code::unauthorized) refused_();
  return inOurWords(error, config_, doing);
}

}  // namespace ingot::coordinator::workload
