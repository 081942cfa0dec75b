#include "coordinator/leader_label.hpp"

#include "base/sync.hpp"
#include "kube/core/error.hpp"

namespace ingot::coordinator {
namespace {

const kube::Resource pods{.group = "", .version = "v1", .kind = "Pod", .plural = "pods"};
constexpr base::Duration again = std::chrono::seconds(2), lookAgain = std::chrono::minutes(1),
                         atMost = std::chrono::seconds(1);

}  // namespace

LeaderLabel::LeaderLabel(base::Runtime runtime, kube::Client& client, std::string namespace_, std::string pod)
    : runtime_(std::move(runtime)), client_(client), namespace_(std::move(namespace_)), pod_(std::move(pod)) {}

base::Task<void> LeaderLabel::keep() {
  bool isTold = false;
  while (true) {
    auto pause = lookAgain;
    try {
      if (!pod_.empty()) {
        co_await takeFromOthers();
        co_await label(pod_, true);
      }
    } catch (const base::Cancelled&) {
      throw;
    } catch (const kube::Error& error) {
      const bool isNoPod = error.code() == kube::Error::Code::notFound;  // a process beside the cluster
      if (!isNoPod) pause = again;
      if (!isNoPod && !std::exchange(isTold, true))
        runtime_.log.warn("the leading pod is not labelled: agents may not find it", {{"error", error.what()}});
    }
    co_await runtime_.clock.sleepFor(pause);
  }
}

base::Task<void> LeaderLabel::drop() {
  if (pod_.empty()) co_return;
  try {
    co_await base::withTimeout(runtime_.clock, atMost, "taking the label", label(pod_, false));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // the next leader takes it
    runtime_.log.debug("the label of the leading pod stays", {{"error", error.what()}});
  }
}

// A pod that was killed cannot do so itself.
base::Task<void> LeaderLabel::takeFromOthers() {
  const auto labelled =
      co_await client_.api().list(pods, {.namespace_ = namespace_, .labelSelector = std::string(leaderLabel)});
  for (const auto& pod : labelled.items)
    if (auto name = json::textAt(pod, {"metadata", "name"}); name != pod_) co_await label(std::move(name), false);
}

base::Task<void> LeaderLabel::label(std::string pod, bool leads) {
  json::Value mark = leads ? json::Value("true") : json::Value(nullptr);
  json::Value patch =
      json::Object{{"metadata", json::Object{{"labels", json::Object{{leaderLabel, std::move(mark)}}}}}};
  static_cast<void>(
      co_await client_.api().patch(pods, {namespace_, std::move(pod)}, kube::PatchType::merge, std::move(patch)));
}

}  // namespace ingot::coordinator
