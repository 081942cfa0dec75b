#include "coordinator/machine/pause.hpp"

#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "json/codec.hpp"

namespace ingot::coordinator::machine {

namespace {

const std::string kPaused(api::annotation::paused);
const std::string kStatus(api::annotation::status);
const std::string kBlockMove(api::capm3::annotation::blockMove);
constexpr std::string_view kOurs = "metal3.io/capm3";

bool isPausedByUs(const BareMetalHost& host) {
  const std::string* by = host.metadata.annotation(kPaused);
  return by != nullptr && *by == kOurs;
}

}  // namespace

void blockMove(BareMetalHost& host, const api::Carrying& carrying) {
  if (!isPacked(host, carrying)) host.metadata.annotations.try_emplace(kBlockMove);
}

void pauseHost(BareMetalHost& host, const api::Carrying& carrying) {
  carrying.put(host.metadata);
  if (isPaused(host) && carriesStatus(host)) return;
  host.metadata.annotations.try_emplace(kPaused, kOurs);
  if (host.status.lastUpdated) carryStatus(host);  // else what it carries, if anything, is all that is known of it
}

bool isPacked(const BareMetalHost& host, const api::Carrying& carrying) {
  return isPaused(host) && carriesStatus(host) && carrying.isOn(host.metadata);
}

bool carriesStatus(const BareMetalHost& host) {
  return !host.status.lastUpdated || host.metadata.annotation(kStatus) != nullptr;
}

void carryStatus(BareMetalHost& host) {
  json::Value status = json::encode(host.status);
  if (status.is_object()) status.get_object().erase("hardware");
  host.metadata.annotations[kStatus] = json::serialize(status);
}

bool isAtRest(const BareMetalHost& host) {
  using enum api::ProvisioningState;
  if (host.metadata.annotation(std::string(api::annotation::reboot)) != nullptr)
    return false;  // it would be done twice
  const auto state = api::knownStateOf(host).state;
  return state && (api::rests(*state) || *state == none || *state == unmanaged || *state == registering);
}

bool isPaused(const BareMetalHost& host) { return host.metadata.annotation(kPaused) != nullptr; }

bool isReadyToMove(const BareMetalHost& host, const api::Carrying& carrying) {
  return isPacked(host, carrying) && isAtRest(host);
}

void allowMove(BareMetalHost& host) { host.metadata.annotations.erase(kBlockMove); }

void resumeHost(BareMetalHost& host, const std::string& clusterName, const api::Carrying& carrying) {
  carrying.drop(host.metadata);
  const std::string* cluster = host.metadata.label(std::string(api::capm3::label::clusterName));
  if (isPausedByUs(host) && (cluster == nullptr || *cluster == clusterName)) host.metadata.annotations.erase(kPaused);
}

bool isBeingMoved(const kube::ObjectMeta& metadata) {
  return metadata.annotation(std::string(api::annotation::deleteForMove)) != nullptr;
}

void forgetPause(BareMetalHost& host) {
  if (isPausedByUs(host)) host.metadata.annotations.erase(kPaused);
  allowMove(host);
}

}  // namespace ingot::coordinator::machine
