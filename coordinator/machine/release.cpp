#include "coordinator/machine/release.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/carried_status.hpp"
#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/pause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::coordinator::machine {

namespace {

namespace label = api::capm3::label;
using State = api::ProvisioningState;

bool staysOn(const BareMetalHost& host, bool fastTrack) {
  if (host.spec.disablePowerOff) return true;
  return fastTrack && host.spec.automatedCleaningMode != "disabled";
}

using Reference = std::optional<api::SecretReference>;

// What the machine brought, and no reference that the host had by itself. On a host that was told to run it replaced
// that one. As a status may be lost, what is rendered for a machine is known by its name as well (spec/capm3.md §15.6).
void clear(Reference& onHost, const std::array<Reference, 2>& brought, const std::string& rendered, bool isTold) {
  if (!onHost) return;
  const auto isIt = [&](const Reference& one) { return one && (isTold || one->name == onHost->name); };
  if (std::ranges::any_of(brought, isIt) || onHost->name == rendered) onHost.reset();
}

std::string renderedName(const Metal3Machine& machine, std::string_view suffix) {
  return machine.spec.dataTemplate ? fmt::format("{}{}", machine.metadata.name, suffix) : "";
}

}  // namespace

void stopHost(BareMetalHost& host, const Metal3Machine& machine, bool fastTrack) {
  const auto& spec = machine.spec;
  const auto& status = machine.status;
  const bool isTold = (host.spec.image || host.spec.customDeploy) && hasUserData(host, status.userData);
  clear(host.spec.metaData, {spec.metaData, status.metaData}, renderedName(machine, "-metadata"), isTold);
  clear(host.spec.networkData, {spec.networkData, status.networkData}, renderedName(machine, "-networkdata"), isTold);
  host.spec.image.reset();
  host.spec.customDeploy.reset();
  host.spec.userData.reset();
  host.metadata.annotations.erase(kToldBy);
  host.spec.online = staysOn(host, fastTrack);
}

bool isStillInUse(const BareMetalHost& host) {
  const api::KnownState known = api::knownStateOf(host);
  if (!known.state) return true;
  switch (*known.state) {
    case State::none:
    case State::unmanaged:
    case State::registering:
    case State::matchProfile:
    case State::inspecting:
    case State::available:
    case State::ready: return false;
    case State::externallyProvisioned: return known.poweredOn;
    case State::preparing:
    case State::provisioning:
    case State::provisioned:
    case State::deprovisioning:
    case State::poweringOffBeforeDelete:
    case State::deleting: return true;
  }
  return true;
}

std::string whyInUse(const BareMetalHost& host) {
  const std::string& name = host.metadata.name;
  const auto& status = host.status;
  std::string text = fmt::format("{} is {}", name, status.provisioning.state);
  if (api::awaitsStatus(host))
    text = fmt::format("the status that {} carries in its annotation {} has not been taken over yet", name,
                       api::annotation::status);
  if (!status.errorMessage.empty()) text += " (" + status.errorMessage + ")";
  if (const auto* hold = api::findHold(host, api::kHolds))
    text += fmt::format("; nothing is done to that host before its annotation {} is removed", hold->annotation);
  return text;
}

void letGo(BareMetalHost& host, const std::string& clusterName, const std::string& reuse) {
  auto& meta = host.metadata;
  host.spec.consumerRef.reset();
  meta.annotations.erase(kToldBy);
  if (!reuse.empty()) {
    meta.labels[std::string(label::nodeReuse)] = reuse;
    host.spec.consumerRef = kube::ObjectReference{.kind = std::string(Cluster::info.kind),
                                                  .namespace_ = meta.namespace_,
                                                  .name = clusterName,
                                                  .apiVersion = "cluster.x-k8s.io/v1beta2"};
  }
  const auto named = meta.labels.find(std::string(label::clusterName));
  if (named != meta.labels.end() && named->second == clusterName) meta.labels.erase(named);
  forgetPause(host);
}

}  // namespace ingot::coordinator::machine
