#include "api/bmh/hardware_profile.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/boot_choice.hpp"
#include "coordinator/host/config_data.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/history.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/machine.hpp"
#include "coordinator/host/settings.hpp"

namespace ingot::coordinator::host {
namespace {

bool wantsRegistration(State state) {
  return state != State::none && state != State::unmanaged && state != State::matchProfile && state != State::deleting;
}

bool matches(const api::CredentialsStatus& recorded, const Scope& s) {
  return isInUse(recorded, s.host.metadata.namespace_, *s.access);
}

api::CredentialsStatus inUse(const Scope& s) {
  return {.credentials = api::SecretReference{.name = s.access->secretName, .namespace_ = s.host.metadata.namespace_},
          .credentialsVersion = s.access->secretVersion};
}

// What the spec names is on the disk, or about to be.
bool specIsOnDisk(State state) { return state == State::provisioning || state == State::externallyProvisioned; }

// What the node has to be told of a deployment that is, or is about to be, on the disk: for adoption.
std::optional<api::Image> currentImage(const api::BareMetalHost& host, State state) {
  if (!provisionedImageUrl(host).empty()) return host.status.provisioning.image;
  if (specIsOnDisk(state) && !imageUrl(host).empty()) return host.spec.image;
  return std::nullopt;
}

bool hasCustomDeploy(const api::BareMetalHost& host, State state) {
  return !provisionedMethod(host).empty() || (specIsOnDisk(state) && !customDeployMethod(host).empty());
}

RegisterData dataFor(const api::BareMetalHost& host, State state) {
  RegisterData data{.state = state,
                    .bootMode = host.status.provisioning.bootMode,
                    .automatedCleaningMode = host.spec.automatedCleaningMode,
                    .cpuArchitecture = architecture(host),
                    .hasCustomDeploy = hasCustomDeploy(host, state),
                    .disablePowerOff = host.spec.disablePowerOff,
                    .currentImage = currentImage(host, state),
                    .rootDeviceHints = host.status.provisioning.rootDeviceHints,
                    .inspectionDisabled = host.inspectionDisabled(),
                    .fastInspection = host.spec.inspectionMode == "fast",
                    .restartOnFailure = failedWith(host, ErrorType::registration)};
  if (host.status.hardware) data.nics = host.status.hardware->nics;
  return data;
}

void noteToldCredentials(Scope& s) {
  s.host.status.triedCredentials = inUse(s);
  s.journal.count([](Metrics& m) { m.credentialsUpdated(); });
  s.log.info("new credentials", {{"version", s.access->secretVersion}});
}

base::Task<Registered> registerWithBackend(Scope& s, State state, bool newCredentials) {
  RegisterData data = dataFor(s.host, state);
  data.leavesCleaning = state == State::deprovisioning && erasesOutOfBand(s);
  data.mayRunElsewhere = mayRunOutOfBand(s);
  data.credentialsChanged = newCredentials;
  try {
    data.preprovisioningNetworkData = co_await preprovisioningNetworkData(s);
  } catch (const ConfigDataError& error) {
    co_return Registered{
        Refused{fmt::format("failed to read preprovisioningNetworkData: {}", error.what()), error.retryAfter()}, ""};
  }
  try {
    co_return co_await s.backend.registerHost(std::move(data));
  } catch (const ProvisionerError& error) {
    s.journal.countAttempt([](Metrics& m) { m.credentialsGaveNoAccess(); });
    throw ProvisionerError(error.code(), fmt::format("failed to validate BMC access: {}", error.what()));
  }
}

// A node that was made anew has none of the settings that the status remembers.
void noteProvisionerId(Scope& s, State state, const std::string& id) {
  auto& provisioning = s.host.status.provisioning;
  if (id.empty() || id == provisioning.ID) return;
  s.log.info("setting provisioning id", {{"id", id}});
  provisioning.ID = id;
  if (state == State::preparing) clearSettings(s.host);
}

std::optional<Step> matchHardwareProfile(Scope& s) {
  const std::string name = api::hardwareProfileOf(s.host);
  try {
    static_cast<void>(api::profileHints(name));
  } catch (const base::InvalidInput&) {
    return Fail{ErrorType::registration, fmt::format("no hardware profile named \"{}\"", name)};
  }
  auto& status = s.host.status;
  if (status.hardwareProfile != name) {
    status.hardwareProfile = name;
    s.journal.event("ProfileSet", fmt::format("Hardware profile set: {}", name));
  }
  status.provisioning.rootDeviceHints = wantedSettings(s.host).rootDeviceHints;
  return std::nullopt;
}

base::Task<void> noteVerifiedAccess(Scope& s) {
  if (matches(s.host.status.goodCredentials, s)) co_return;
  const auto& former = s.host.status.goodCredentials.credentials;
  if (former && former->name != s.access->secretName && !beingDeleted(s.host)) {  // else its last step does
    for (const std::string& name : s.cluster.formerSecrets(s.host)) co_await letGo(s.host, s.cluster, s.journal, name);
  }
  s.host.status.goodCredentials = inUse(s);
  s.journal.event("BMCAccessValidated", "Verified access to BMC");
}

}  // namespace

base::Task<std::optional<Step>> ensureRegistered(Scope& s) {
  const State state = stateOf(s.host);
  if (!s.access || !wantsRegistration(state)) co_return std::nullopt;

  const api::BareMetalHostStatus before = s.host.status;
  const bool failedBefore = failedWith(s.host, ErrorType::registration);
  if (state != State::registering && (failedBefore || !matches(s.host.status.goodCredentials, s))) {
    begin(s.host, Operation::registration, s.now);
  }
  // A password that the BMC refuses is not tried a second time. An agent never gets one from a Secret that carries
  // another label (spec/baremetalhost.md §5.3): such a host is the backend's alone.
  if (s.access->watched && !matches(s.host.status.goodCredentials, s)) {
    const Progress checked = co_await s.power.checkAccess(poweredHost(s.host));
    if (auto wait = unfinished(s, ErrorType::registration, checked)) co_return wait;
  }
  // "Tried" means taken by the backend: until it has, it is told again.
  const bool newCredentials = !matches(s.host.status.triedCredentials, s);
  const Registered registered = co_await registerWithBackend(s, state, newCredentials);
  if (newCredentials && registered.credentialsTold) noteToldCredentials(s);
  const Progress& progress = registered.progress;
  if (!std::holds_alternative<Refused>(progress)) noteProvisionerId(s, state, registered.provisionerId);
  if (auto wait = unfinished(s, ErrorType::registration, progress)) co_return wait;

  if (auto refused = matchHardwareProfile(s)) co_return refused;
  if (newCredentials && !registered.credentialsTold) {  // the backend is at work with the old ones: not now
    if (failedBefore) clearError(s.host);
    co_return std::nullopt;
  }
  co_await noteVerifiedAccess(s);
  if (failedBefore || newCredentials) clearError(s.host);   // with new credentials any old error is worth a new try
  if (state == State::registering) co_return std::nullopt;  // its transition saves what changed here

  end(s.host, s.journal, Operation::registration, s.now);
  if (s.host.status != before) co_return Stay{atOnce};  // saved before the state's own work begins
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host
