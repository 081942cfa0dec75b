#include "coordinator/host/detachment.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/host/conditions.hpp"
#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {
namespace {

bool asksForDetachment(const api::BareMetalHost& host) { return isAnnotated(host, api::annotation::detached); }

base::Task<Step> detach(Scope& s) {
  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await s.backend.remove();
  if (const auto* refused = std::get_if<Refused>(&progress)) {
    throw ProvisionerError(ProvisionerError::Code::transient, "failed to detach: " + refused->message);
  }
  if (const auto* work = std::get_if<Working>(&progress)) {
    showObstacle(s, *work);
    co_return Stay{work->after, work->obstacle};
  }
  if (!isDetached(s.host)) s.log.info("host detached");
  s.host.status.operationalStatus = api::operational_status::detached;
  notePowerKnown(s.host, false, "the host is detached: nobody reads its power", s.now);
  co_return Stay{unmanagedPollDelay};
}

Step attach(Scope& s) {
  s.log.info("host attached again");
  s.host.status.operationalStatus =
      s.host.status.errorType.empty() ? api::operational_status::ok : api::operational_status::error;
  return Stay{atOnce};
}

}  // namespace

// {"deleteAction": "delay" | "delete", "force": bool}
std::optional<DetachmentOptions> readDetachment(const std::string& value) {
  DetachmentOptions options;
  if (value.empty()) return options;
  boost::system::error_code failed;
  const json::Value document = boost::json::parse(value, failed);
  if (failed || !document.is_object()) return std::nullopt;
  const auto& object = document.get_object();
  if (const json::Value* action = object.if_contains("deleteAction")) {
    options.delayDeletion = *action == "delay";
    if (!options.delayDeletion && *action != "delete") return std::nullopt;
  }
  if (const json::Value* force = object.if_contains("force")) {
    if (!force->is_bool()) return std::nullopt;
    options.force = force->get_bool();
  }
  return options;
}

bool isDetached(const api::BareMetalHost& host) {
  return host.status.operationalStatus == api::operational_status::detached;
}

bool keptOutOfReach(const api::BareMetalHost& host) { return isDetached(host) || asksForDetachment(host); }

bool deletionDelayed(const api::BareMetalHost& host) {
  const std::string* value = findAnnotation(host, api::annotation::detached);
  return value == nullptr ? isDetached(host) : readDetachment(*value).value_or(DetachmentOptions{}).delayDeletion;
}

base::Task<std::optional<Step>> reconcileDetachment(Scope& s, State state) {
  const bool asked = asksForDetachment(s.host);
  if (asked && rests(state)) co_return co_await detach(s);
  if (!asked && isDetached(s.host)) co_return attach(s);
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host
