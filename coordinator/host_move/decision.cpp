#include "coordinator/host_move/decision.hpp"

#include "api/bmh/carried_status.hpp"
#include "api/bmh/move.hpp"
#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/pause.hpp"

#include <fmt/format.h>

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

// A block that may be ours to take off: Metal3's, too.
bool isOfMetal3OrOurs(const std::string& block) { return block.empty() || block == kOurs; }

std::string whyItIsAtWork(const BareMetalHost& host) {
  if (host.metadata.annotation(std::string(api::annotation::reboot)) != nullptr)
    return fmt::format("it is still to be restarted (annotation {})", api::annotation::reboot);
  if (!api::knownStateOf(host).state) return "its state is not known";
  const std::string& state = host.status.provisioning.state;
  if (!machine::isPaused(host)) return fmt::format("it is {}, and goes once it is at rest", state);
  return fmt::format("it is {}, and paused it does not come to rest: end its pause, and move it later", state);
}

}  // namespace

bool isLeaving(const BareMetalHost& host, Clusters clusters) {
  return clusters == Clusters::paused || (clusters == Clusters::none && machine::isPaused(host));
}

bool isPausedByUs(const BareMetalHost& host) { return isOurs(host, kPaused); }

void guard(BareMetalHost& host, Clusters clusters, const api::Carrying& carrying) {
  if (machine::isBeingMoved(host.metadata)) return;
  auto& annotations = host.metadata.annotations;
  if (clusters == Clusters::working && isPausedByUs(host)) annotations.erase(kPaused);
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
  if (mayGo && block != nullptr && isOfMetal3OrOurs(*block)) machine::allowMove(host);
}

std::string whyItWaits(const BareMetalHost& host, Clusters clusters, const api::Carrying& carrying) {
  const std::string* block = host.metadata.annotation(kBlockMove);
  const bool isMachines = machine::consumerOf(host).has_value();
  const bool isAsked = clusters == Clusters::paused || (!isMachines && isLeaving(host, clusters));
  if (block == nullptr || !isAsked || machine::isBeingMoved(host.metadata)) return "";
  if (host.metadata.beingDeleted()) return "it is being deleted";
  if (!machine::isAtRest(host)) return whyItIsAtWork(host);
  if (!isOfMetal3OrOurs(*block)) return fmt::format("its annotation {} is somebody else's", kBlockMove);
  if (!machine::isPaused(host)) return "it is not paused yet";
  if (!machine::carriesStatus(host))
    return fmt::format("its status is not in annotation {} yet", api::annotation::status);
  return carrying.isOn(host.metadata) ? "" : "it does not carry the term that its agents obey";
}

}  // namespace ingot::coordinator::host_move
