#include "coordinator/machine/release.hpp"

#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/pause.hpp"

namespace ingot::coordinator::machine {

namespace {

namespace label = api::capm3::label;
using State = api::ProvisioningState;

bool staysOn(const BareMetalHost& host, bool fastTrack) {
  if (host.spec.disablePowerOff) return true;
  return fastTrack && host.spec.automatedCleaningMode != "disabled";
}

}  // namespace

void stopHost(BareMetalHost& host, const Metal3Machine& machine, bool fastTrack) {
  host.spec.image.reset();
  host.spec.customDeploy.reset();
  host.spec.userData.reset();
  const auto& spec = machine.spec;
  const auto& status = machine.status;  // it may be lost
  if (spec.dataTemplate || spec.metaData || status.metaData) host.spec.metaData.reset();
  if (spec.dataTemplate || spec.networkData || status.networkData) host.spec.networkData.reset();
  host.spec.online = staysOn(host, fastTrack);
}

bool isStillInUse(const BareMetalHost& host) {
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  if (!state) return true;
  switch (*state) {
    case State::none:
    case State::unmanaged:
    case State::registering:
    case State::matchProfile:
    case State::inspecting:
    case State::available:
    case State::ready: return false;
    case State::externallyProvisioned: return host.status.poweredOn;
    case State::preparing:
    case State::provisioning:
    case State::provisioned:
    case State::deprovisioning:
    case State::poweringOffBeforeDelete:
    case State::deleting: return true;
  }
  return true;
}

void letGo(BareMetalHost& host, const std::string& clusterName, const std::string& reuse) {
  auto& meta = host.metadata;
  host.spec.consumerRef.reset();
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
