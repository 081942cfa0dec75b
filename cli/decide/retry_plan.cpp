#include "cli/decide/retry_plan.hpp"

#include "api/capm3/names.hpp"

namespace ingot::cli {
namespace {

constexpr std::string_view kRequested = "ingot.dev/retry-requested";

}  // namespace

json::Object retryPatch(base::WallTime now) {
  return {{"metadata", json::Object{{"annotations", json::Object{{kRequested, base::formatTime(now)}}}}}};
}

RetryPlan planRetry(const api::BareMetalHost& host, base::WallTime now) {
  json::Object annotations{{kRequested, base::formatTime(now)}};
  RetryPlan plan{.status = {}, .patch = {}, .said = "tried anew"};
  bool isUnhealthy = false;
  for (const auto mark : {api::capm3::annotation::unhealthy, api::capm3::annotation::unhealthyOld}) {
    if (!host.metadata.annotation(std::string(mark))) continue;
    annotations[mark] = nullptr;
    isUnhealthy = true;
  }
  if (isUnhealthy) plan.said += ", no longer marked unhealthy";
  if (const int failed = host.status.provisioningFailCount; failed > 0) {
    plan.status = {{"status", json::Object{{"provisioningFailCount", 0}}}};
    plan.said += fmt::format(", {} failed provisionings forgotten", failed);
  }
  plan.patch = {{"metadata", json::Object{{"annotations", std::move(annotations)}}}};
  return plan;
}

}  // namespace ingot::cli
