#include "coordinator/host/intake.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "coordinator/host/annotations.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/intent.hpp"

namespace ingot::coordinator::host {
namespace {

using Found = std::optional<api::HardwareDetails>;

bool dropAnnotation(api::BareMetalHost& host, std::string_view name) {
  return host.metadata.annotations.erase(std::string(name)) > 0;
}

// The status that a tool carried over from another cluster counts only while we have never written one. Without it a
// deployed machine would be taken for a new one: it would be inspected, or left running by a deletion. So a carried
// status that cannot be read stops everything but the host's deletion.
Taken restoreStatus(Intake& in, const Found& found) {
  if (!api::awaitsStatus(in.host)) return Taken::everything;
  try {
    api::BareMetalHostStatus status = api::parseCarriedStatus(*findAnnotation(in.host, api::annotation::status));
    if (found) status.hardware = found;
    if (!status.lastUpdated) status.lastUpdated = std::chrono::floor<std::chrono::seconds>(in.now);
    in.host.status = std::move(status);
  } catch (const std::exception& error) {
    if (beingDeleted(in.host)) {
      giveUpCarriedStatus(in.host, in.journal, error.what());
      return Taken::unsaved;
    }
    refuseCarriedStatus(in.host, in.journal, Refusal::unreadable, error.what());
    return Taken::nothing;
  }
  return Taken::unsaved;
}

// The status has what the HardwareData says from the moment of the inspection: no other object is read for this.
void fillArchitecture(api::BareMetalHost& host, const Found& found) {
  const Found& source = found ? found : host.status.hardware;
  if (host.spec.architecture.empty() && source && !source->cpu.arch.empty()) host.spec.architecture = source->cpu.arch;
}

// The previous pass has taken over the annotation's value and saved it.
bool taken(const api::BareMetalHost& host) {
  const auto written = hardwareDetailsIn(host);
  return written && *written == host.status.hardware;
}

// Returns true when there is something new to save first. The annotation is removed in the next pass.
bool updateHardware(Intake& in, const Found& fromCluster) {
  const std::string* text = findAnnotation(in.host, api::annotation::hardwareDetails);
  Found source;
  if (!in.host.status.hardware || in.host.inspectionDisabled()) {
    const auto written = hardwareDetailsIn(in.host);
    if (!fromCluster && !written) return false;  // it stays until somebody corrects it
    source = fromCluster ? fromCluster : *written;
  }
  if (source && source != in.host.status.hardware) {
    in.host.status.hardware = source;
    in.journal.event("UpdateHardwareDetails", "Set hardware details from annotation or HardwareData");
    return true;
  }
  if (text == nullptr) return false;
  if (!source && !taken(in.host))
    in.journal.event("RemoveAnnotation",
                     "HardwareDetails annotation ignored, status already set and inspection is not disabled");
  dropAnnotation(in.host, api::annotation::hardwareDetails);
  return true;
}

// True when it has to be on the object before this pass may go on: a new host is only written to, not worked on.
bool addFinalizer(api::BareMetalHost& host) {
  auto& finalizers = host.metadata.finalizers;
  if (beingDeleted(host) || std::ranges::find(finalizers, api::finalizer::host) != finalizers.end()) return false;
  finalizers.emplace_back(api::finalizer::host);
  return !host.status.provisioning.state.empty();
}

// Work and re-inspection make new HardwareData; only a host that may lack its details needs to look.
bool needsHardwareData(const api::BareMetalHost& host) {
  const bool lacksArchitecture =
      host.spec.architecture.empty() && (!host.status.hardware || host.status.hardware->cpu.arch.empty());
  return !host.status.hardware || host.inspectionDisabled() || lacksArchitecture ||
         isAnnotated(host, api::annotation::hardwareDetails);
}

// A host can work without a HardwareData that may not be read.
base::Task<Found> hardwareData(Intake& in) {
  try {
    co_return co_await in.cluster.hardwareData(in.host);
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    in.log.warn("the HardwareData cannot be read", {{"host", in.host.metadata.name}, {"error", error.what()}});
  } catch (const json::DecodeError& error) {
    in.log.warn("the HardwareData cannot be read", {{"host", in.host.metadata.name}, {"error", error.what()}});
  }
  co_return std::nullopt;
}

// The last step of the deletion retries what fails here, and reports it.
base::Task<void> releaseHardwareData(Intake& in) {
  try {
    co_await in.cluster.releaseHardwareData(in.host);
  } catch (const kube::Error& error) {
    if (!changeFails(error)) throw;
    in.log.warn("the HardwareData is not released yet", {{"host", in.host.metadata.name}, {"error", error.what()}});
  }
}

// Only the finalizer is left to be removed. Anything learnt now would be saved before that, and such a save may fail
// while the removal of the finalizer would not.
bool isOnlyToBeReleased(const api::BareMetalHost& host) {
  return beingDeleted(host) && host.status.provisioning.state == text(State::deleting);
}

}  // namespace

base::Task<Taken> takeIn(Intake in) {
  const bool learns = !isOnlyToBeReleased(in.host);
  Found found;
  if (learns && needsHardwareData(in.host)) found = co_await hardwareData(in);
  if (beingDeleted(in.host)) co_await releaseHardwareData(in);
  if (!learns) co_return Taken::everything;

  if (const Taken restored = restoreStatus(in, found); restored != Taken::everything) co_return restored;
  if (dropAnnotation(in.host, api::annotation::status)) co_return Taken::unsaved;
  fillArchitecture(in.host, found);
  const bool unsaved = updateHardware(in, found) || addFinalizer(in.host);
  co_return unsaved ? Taken::unsaved : Taken::everything;
}

}  // namespace ingot::coordinator::host
