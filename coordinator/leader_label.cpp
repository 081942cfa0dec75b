#include "coordinator/leader_label.hpp"

#include "base/sync.hpp"
#include "kube/core/error.hpp"

namespace ingot::coordinator {
namespace {

const kube::Resource pods{.group = "", .version = "v1", .kind = "Pod", .plural = "pods"};
constexpr base::Duration again = std::chrono::seconds(2), lookAgain = std::chrono::seconds(15),
                         atMost = std::chrono::seconds(1);

// The replicas of another one lead themselves.
std::string installationOf(const json::Value& pod) {
  return json::textAt(pod, {"metadata", "labels", "app.kubernetes.io/instance"});
}

}  // namespace

LeaderLabel::LeaderLabel(base::Runtime runtime, std::string namespace_, std::string pod)
    : runtime_(std::move(runtime)), namespace_(std::move(namespace_)), pod_(std::move(pod)) {}

base::Task<void> LeaderLabel::keep(kube::Client& client) {
  bool isTold = false;
  bool isPod = !pod_.empty();
  while (isPod) {
    auto pause = lookAgain;
    try {
      const auto own = co_await label(client, pod_, true);
      isPod = own.has_value();  // else a process beside the cluster
      if (own) co_await takeFromOthers(client, installationOf(*own));
    } catch (const base::Cancelled&) {
      throw;
    } catch (const kube::Error& error) {
      pause = again;
      if (!std::exchange(isTold, true))
        runtime_.log.warn("the leading pod is not labelled: agents may not find it", {{"error", error.what()}});
    }
    co_await runtime_.clock.sleepFor(pause);
  }
}

base::Task<void> LeaderLabel::drop(kube::Client& client) {
  if (pod_.empty()) co_return;
  try {
    static_cast<void>(
        co_await base::withTimeout(runtime_.clock, atMost, "taking the label", label(client, pod_, false)));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // the next leader takes it
    runtime_.log.debug("the label of the leading pod stays", {{"error", error.what()}});
  }
}

// A pod that was killed cannot do so itself.
base::Task<void> LeaderLabel::takeFromOthers(kube::Client& client, std::string installation) {
  const auto labelled =
      co_await client.api().list(pods, {.namespace_ = namespace_, .labelSelector = std::string(leaderLabel)});
  for (const auto& pod : labelled.items)
    if (auto name = json::textAt(pod, {"metadata", "name"}); name != pod_ && installationOf(pod) == installation)
      static_cast<void>(co_await label(client, std::move(name), false));
}

base::Task<std::optional<json::Value>> LeaderLabel::label(kube::Client& client, std::string pod, bool leads) {
  json::Value mark = leads ? json::Value("true") : json::Value(nullptr);
  json::Value patch =
      json::Object{{"metadata", json::Object{{"labels", json::Object{{leaderLabel, std::move(mark)}}}}}};
  try {
    co_return co_await client.api().patch(pods, {namespace_, std::move(pod)}, kube::PatchType::merge, std::move(patch));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  co_return std::nullopt;
}

}  // namespace ingot::coordinator
