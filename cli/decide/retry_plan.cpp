#include "cli/decide/retry_plan.hpp"

#include "api/capi/pause.hpp"
#include "api/capm3/names.hpp"
#include "api/retry_request.hpp"
#include "cli/decide/host_facts.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::cli {
namespace {

json::Object annotate(json::Object annotations, base::WallTime now) {
  annotations[api::kRetryRequested] = base::formatTime(now);  // the time is only there to be new
  return {{"metadata", json::Object{{"annotations", std::move(annotations)}}}};
}

std::vector<std::string> holdsOf(const api::BareMetalHost& host) {
  std::vector<std::string> holds;
  for (const auto& [annotation, word] : api::kHolds)
    if (isAnnotated(host, annotation))
      holds.push_back(fmt::format("it is {}: nothing is tried as long as it has annotation {}", word, annotation));
  const auto state = stateOf(host);
  if (state && api::isAvailable(*state) && hasDeployment(host) && !host.spec.online)
    holds.emplace_back("only a host that should be on is provisioned: nothing is tried until spec.online is true");
  return holds;
}

std::string saidOf(const RetryPlan& plan) { return plan.notes.empty() ? "tried anew" : "tried anew later"; }

}  // namespace

RetryPlan planRetry(const api::BareMetalHost& host, base::WallTime now) {
  RetryPlan plan{.notes = holdsOf(host)};
  plan.said = saidOf(plan);
  json::Object annotations;
  for (const auto mark : {api::capm3::annotation::unhealthy, api::capm3::annotation::unhealthyOld})
    if (isAnnotated(host, mark)) annotations[mark] = nullptr;
  if (!annotations.empty()) plan.said += ", no longer marked unhealthy";
  json::Object counts;
  if (const int failed = host.status.provisioningFailCount; failed > 0) {
    counts["provisioningFailCount"] = 0;
    plan.said += fmt::format(", {} failed provisionings forgotten", failed);
  }
  // Of a host on its way out the count says when its deletion stops insisting.
  if (host.status.errorCount > 0 && !host.metadata.beingDeleted()) counts["errorCount"] = 0;
  if (!counts.empty()) plan.status = {{"status", std::move(counts)}};
  plan.patch = annotate(std::move(annotations), now);
  return plan;
}

RetryPlan planRetry(const MachinePicture& picture, base::WallTime now) {
  const auto& machine = picture.machine;
  if (picture.host && !mayBeItsHost(picture))
    return {.refusal =
                consumerText(picture) + ", which the machine's annotation names all the same; nothing is written"};
  RetryPlan plan;
  const auto* paused = kube::findCondition(machine.status.conditions, "Paused");
  if (api::capi::isPaused(machine.metadata) || (paused != nullptr && paused->status == "True"))
    plan.notes.emplace_back("it is paused: nothing is tried until its pause ends");
  const bool isOff = isOffByWish(picture);
  if (isOff)
    plan.notes.push_back(
        fmt::format("its remediation has failed, and the next one would too, until spec.online of host {} is true",
                    picture.host->metadata.name));
  plan.said = saidOf(plan);
  if (hasFailedForGood(picture.remediation) && !isOff) {
    plan.remediation = picture.remediation->metadata;
    plan.said += ", its failed remediation removed";
  }
  plan.patch = annotate({}, now);
  return plan;
}

}  // namespace ingot::cli
