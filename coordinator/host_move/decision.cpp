#include "coordinator/host_move/decision.hpp"

#include "api/bmh/carried_status.hpp"
#include "api/bmh/move.hpp"
#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/pause.hpp"

namespace ingot::coordinator::host_move {
namespace {

const std::string kPaused(api::annotation::paused);
const std::string kBlockMove(api::capm3::annotation::blockMove);
constexpr std::string_view kOurs = api::annotation::forMove;

bool isOurs(const BareMetalHost& host, const std::string& annotation) {
  const std::string* value = host.metadata.annotation(annotation);
  return value != nullptr && *value == kOurs;
}

// Hosts of machines are their machine's business; a move waits for one in deletion.
bool isForUs(const BareMetalHost& host) {
  return !machine::consumerOf(host) && !machine::isBeingMoved(host.metadata) && !host.metadata.beingDeleted();
}

// Without a status that a move could lose. Its first writes are not to meet ours: an Ironic node is made meanwhile.
bool isNew(const BareMetalHost& host) {
  const auto state = api::knownStateOf(host).state;
  return state == api::ProvisioningState::none || state == api::ProvisioningState::registering;
}

// What is paused, or is to be when it rests, with all that it takes along.
void rest(BareMetalHost& host, const api::Carrying& carrying) {
  auto& annotations = host.metadata.annotations;
  if (machine::isPacked(host, carrying)) return;  // where it has arrived, or ready to go
  annotations.try_emplace(kBlockMove, kOurs);
  if (!machine::isPaused(host) && !machine::isAtRest(host)) return;
  carrying.put(host.metadata);
  if (machine::isPaused(host) && machine::carriesStatus(host)) return;
  if (!machine::isAtRest(host)) return;
  annotations.try_emplace(kPaused, kOurs);
  if (host.status.lastUpdated) machine::carryStatus(host);  // else nobody has looked at it yet
}

}  // namespace

bool isLeaving(const BareMetalHost& host, Clusters clusters) {
  return clusters == Clusters::paused || (clusters == Clusters::none && machine::isPaused(host));
}

void guard(BareMetalHost& host, Clusters clusters, const api::Carrying& carrying) {
  if (machine::isBeingMoved(host.metadata)) return;
  auto& annotations = host.metadata.annotations;
  if (clusters == Clusters::working && isOurs(host, kPaused)) annotations.erase(kPaused);
  if (!isForUs(host)) return;
  if (isLeaving(host, clusters)) return rest(host, carrying);
  if (clusters == Clusters::unknownKind) {
    if (isOurs(host, kBlockMove)) annotations.erase(kBlockMove);
    return;
  }
  if (clusters == Clusters::none && isNew(host)) return;
  annotations.try_emplace(kBlockMove, kOurs);
  carrying.drop(host.metadata);
}

void allowMove(BareMetalHost& host, Clusters clusters, const api::Carrying& carrying) {
  const bool mayGo = isLeaving(host, clusters) && isForUs(host) && machine::isReadyToMove(host, carrying);
  const std::string* block = host.metadata.annotation(kBlockMove);
  const bool isOfMetal3OrOurs = block != nullptr && (block->empty() || *block == kOurs);
  if (mayGo && isOfMetal3OrOurs) machine::allowMove(host);
}

}  // namespace ingot::coordinator::host_move
