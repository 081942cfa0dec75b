#include "api/bmh/names.hpp"
#include "tests/matrix/life.hpp"

namespace ingot::tests::matrix {

namespace {

using namespace std::chrono_literals;

constexpr base::Duration pauseLasts = 10s;

// At rest, as wanted, and nothing remembered of what went wrong on the way.
bool settled(Plant& plant, const std::string& name, std::string_view state, bool on) {
  const auto* it = plant.host(name);
  if (it == nullptr || it->status.provisioning.state != state || it->status.poweredOn != on) return false;
  if (plant.server(name).bmc.powerState != (on ? "On" : "Off")) return false;
  const auto& status = it->status;
  const bool known = std::ranges::any_of(
      status.conditions, [](const auto& c) { return c.type == "PowerStateKnown" && c.status == "True"; });
  return known && status.operationalStatus == "OK" && status.errorType.empty() && status.errorMessage.empty() &&
         status.errorCount == 0;
}

void add(Plant& plant, const std::string& host) { plant.addHost(host); }
void deploy(Plant& plant, const std::string& host) { plant.patchHost(host, deployment); }
void switchOff(Plant& plant, const std::string& host) { plant.patchHost(host, R"({"spec":{"online":false}})"); }
void switchOn(Plant& plant, const std::string& host) { plant.patchHost(host, R"({"spec":{"online":true}})"); }
void release(Plant& plant, const std::string& host) { plant.patchHost(host, R"({"spec":{"image":null}})"); }
void remove(Plant& plant, const std::string& host) { plant.removeHost(host); }
void inspectAgain(Plant& plant, const std::string& host) {
  plant.patchHost(host, R"({"metadata":{"annotations":{"inspect.metal3.io":""}}})");
}
void reboot(Plant& plant, const std::string& host) {
  plant.patchHost(host, R"({"metadata":{"annotations":{"reboot.metal3.io":""}}})");
}
void rotatePassword(Plant& plant, const std::string& host) { plant.rotatePassword(host, "n3wer"); }
void pauseAndSwitchOff(Plant& plant, const std::string& host) {
  plant.patchHost(host,
                  R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}},"spec":{"online":false}})");
}
void goOn(Plant& plant, const std::string& host) {
  plant.patchHost(host, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
}

template <bool on>
bool isAvailable(Plant& plant, const std::string& host, base::Duration) {
  return settled(plant, host, "available", on);
}
template <bool on>
bool isProvisioned(Plant& plant, const std::string& host, base::Duration) {
  return settled(plant, host, "provisioned", on);
}
bool isGone(Plant& plant, const std::string& host, base::Duration) { return plant.host(host) == nullptr; }

bool fulfilled(Plant& plant, const std::string& host, std::string_view annotation) {
  const auto* it = plant.host(host);
  return it != nullptr && !it->metadata.annotations.contains(std::string(annotation));
}
bool isInspectedAgain(Plant& plant, const std::string& host, base::Duration) {
  return fulfilled(plant, host, api::annotation::inspect) && settled(plant, host, "available", false);
}
bool isRebooted(Plant& plant, const std::string& host, base::Duration) {
  return fulfilled(plant, host, api::annotation::reboot) && settled(plant, host, "provisioned", true);
}
bool hasNewPassword(Plant& plant, const std::string& host, base::Duration) {
  const auto secret = plant.secretOf(host);
  const auto& good = plant.host(host)->status.goodCredentials;
  return good.credentialsVersion == secret->metadata.resourceVersion && settled(plant, host, "provisioned", true);
}
bool hasPaused(Plant& plant, const std::string& host, base::Duration since) {
  return since >= pauseLasts && plant.host(host)->status.poweredOn;
}

constexpr Station plainStations[] = {{add, isAvailable<false>},         {deploy, isProvisioned<true>},
                                     {switchOff, isProvisioned<false>}, {switchOn, isProvisioned<true>},
                                     {release, isAvailable<true>},      {remove, isGone}};

constexpr Station eventfulStations[] = {
    {add, isAvailable<false>},    {inspectAgain, isInspectedAgain}, {deploy, isProvisioned<true>},
    {reboot, isRebooted},         {rotatePassword, hasNewPassword}, {pauseAndSwitchOff, hasPaused},
    {goOn, isProvisioned<false>}, {switchOn, isProvisioned<true>},  {remove, isGone}};

}  // namespace

const Story plainLife{.stations = plainStations, .inspections = 1, .requestedAgain = 0, .timesOff = 1};
const Story eventfulLife{.stations = eventfulStations, .inspections = 2, .requestedAgain = 1, .timesOff = 2};

}  // namespace ingot::tests::matrix
