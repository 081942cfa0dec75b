#include "coordinator/host_move/decision.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/pause.hpp"

namespace ingot::coordinator::host_move {
namespace {

const std::string kPaused(api::annotation::paused);
const std::string kStatus(api::annotation::status);
const std::string kBlockMove(api::capm3::annotation::blockMove);
constexpr std::string_view kOurs = "ingot.dev/move";  // the value of annotations that we have set

bool isOurs(const BareMetalHost& host, const std::string& annotation) {
  const std::string* value = host.metadata.annotation(annotation);
  return value != nullptr && *value == kOurs;
}

// Nobody has looked at it yet: there is no status to carry along.
bool isNew(const BareMetalHost& host) { return !host.status.lastUpdated; }

bool carriesStatus(const BareMetalHost& host) { return isNew(host) || api::isAnnotated(host, api::annotation::status); }

}  // namespace

bool concerns(const BareMetalHost& host) {
  return !machine::consumerOf(host) && !machine::isBeingMoved(host.metadata) && !host.metadata.beingDeleted();
}

void guard(BareMetalHost& host, Clusters clusters) {
  auto& annotations = host.metadata.annotations;
  switch (clusters) {
    case Clusters::none:
      if (isOurs(host, kBlockMove)) annotations.erase(kBlockMove);
      return;
    case Clusters::working:
      if (isOurs(host, kPaused)) annotations.erase(kPaused);
      annotations.try_emplace(kBlockMove, kOurs);
      return;
    case Clusters::paused:
      const bool isPaused = machine::isPaused(host);
      if (isPaused && carriesStatus(host)) return;  // where it has arrived, or ready to go
      annotations.try_emplace(kBlockMove, kOurs);
      if (!isPaused && !machine::isAtRest(host)) return;
      annotations.try_emplace(kPaused, kOurs);
      if (!isNew(host)) annotations[kStatus] = machine::statusToCarry(host);
      return;
  }
}

void allowMove(BareMetalHost& host, Clusters clusters) {
  if (clusters == Clusters::paused && machine::isPaused(host) && carriesStatus(host)) machine::allowMove(host);
}

}  // namespace ingot::coordinator::host_move
