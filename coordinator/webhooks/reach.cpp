#include "coordinator/webhooks/reach.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/ipam/ip_pool.hpp"
#include "kube/core/webhook_error.hpp"

namespace ingot::coordinator::webhooks {

using base::Task;

namespace {

// Of each kind that is listed, judged when it is written, and written first: one object tells.
struct Asked {
  Part part;
  const kube::KindInfo& kind;
};
const Asked kAsked[] = {{Part::host, api::BareMetalHost::info},
                        {Part::cluster, api::capm3::v1beta2::Metal3Cluster::info},
                        {Part::machine, api::capm3::v1beta2::Metal3Machine::info},
                        {Part::ipam, api::ipam::IPPool::info}};

// Of any other error: it is no matter of webhooks, and told by who meets it.
std::string unreached(const kube::Error& error) {
  return isAdmissionUnreached(error) || isConversionUnreached(error) ? error.what() : "";
}

}  // namespace

Reach::Reach(base::Runtime runtime, ServesSince servesSince, ReachOptions options)
    : runtime_(std::move(runtime)), servesSince_(std::move(servesSince)), options_(std::move(options)) {
  if (options_.namespaces.empty()) options_.namespaces.emplace_back();
}

Task<void> Reach::awaited(kube::Api& api) {
  const base::MonoTime begun = runtime_.clock.now();
  const auto isOver = [&] { return runtime_.clock.now() >= servesSince_().value_or(begun) + options_.atMost; };
  while (!isOver()) {
    try {
      tell(co_await base::withTimeout(runtime_.clock, options_.oneTry, "a write without effect", look(api)));
    } catch (const base::TimedOut& late) {
      tell(late.what());
    }
    if (waitsFor_.empty()) co_return;
    co_await runtime_.clock.sleepFor(options_.again);
  }
  if (!std::exchange(waitsFor_, "").empty())
    runtime_.log.warn("webhooks are not reached: writes of what they judge will fail until they are");
}

// Why they are not reached; "": they are, or there is nothing to judge.
Task<std::string> Reach::look(kube::Api& api) const {
  for (const Asked& asked : kAsked) {
    if (!options_.parts.contains(asked.part)) continue;
    std::string problem;
    try {
      problem = co_await lookAt(api, kube::Resource::of(asked.kind));
    } catch (const kube::Error& error) {
      problem = unreached(error);
    }
    if (!problem.empty()) co_return problem;
  }
  co_return "";
}

Task<std::string> Reach::lookAt(kube::Api& api, kube::Resource kind) const {
  for (const auto& namespace_ : options_.namespaces) {
    const auto some = co_await api.listPage(kind, {.namespace_ = namespace_, .pageSize = 1}, "");
    if (some.items.empty()) continue;
    const kube::ObjectKey key{json::textAt(some.items.front(), {"metadata", "namespace"}),
                              json::textAt(some.items.front(), {"metadata", "name"})};
    static_cast<void>(co_await api.patch(kind, key, kube::PatchType::merge, json::Object{}, "", {.dryRun = true}));
    co_return "";
  }
  co_return "";
}

void Reach::tell(std::string problem) {
  const bool isFirst = waitsFor_.empty() && !problem.empty(), isOver = !waitsFor_.empty() && problem.empty();
  if (isFirst)
    runtime_.log.info("the controllers wait until webhooks are reached", {{"why", problem}});
  else if (isOver)
    runtime_.log.info("webhooks are reached");
  waitsFor_ = std::move(problem);
}

}  // namespace ingot::coordinator::webhooks
