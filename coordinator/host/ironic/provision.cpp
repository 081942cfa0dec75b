#include "coordinator/host/ironic/operations.hpp"

#include "cloudinit/config_drive.hpp"
#include "coordinator/host/ironic/history.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;
using ironic::Verb;

constexpr int customDeployPriority = 80;  // after the image would be written, before the boot is prepared

// Custom deployments need no image; an image that is given must be usable.
std::string imageProblem(const Deployment& wanted) {
  if (wanted.image.url.empty()) return "";
  const auto checksum = api::resolveChecksum(wanted.image);
  return checksum.error.empty() ? "" : "Validation failed: " + checksum.error;
}

std::string failureText(const ironic::Node& node, const api::Image& image) {
  const std::string checksum = api::resolveChecksum(image).value;
  return fmt::format("Image provisioning failed (url: {}{}): {}", image.url,
                     checksum.empty() ? "" : ", checksum: " + checksum, errorOf(node));
}

// This is shown for a moment only: the failed deployment is torn down, and the image that is wanted now is deployed.
std::string otherImageText(const ironic::Node& node, const api::Image& image) {
  return fmt::format("the image changed while it was being deployed: {} is wanted, node {} holds another", image.url,
                     node.uuid);
}

base::Task<json::Value> configDriveOf(Session& session, Deployment wanted, HostConfigData* sources) {
  if (wanted.image.isLiveIso() && wanted.customDeployMethod.empty()) co_return json::Value();
  cloudinit::Sources texts;
  if (sources) {
    texts.userData = co_await sources->userData();
    texts.networkData = co_await sources->networkData();
    texts.metaData = co_await sources->metaData();
  }
  const HostData& host = session.host();
  try {
    co_return cloudinit::configDrive({host.uid, host.namespace_, host.name}, texts);
  } catch (const cloudinit::ConfigDriveError& error) {
    throw ProvisionerError(ProvisionerError::Code::transient, error.what());
  }
}

// A host that was made anew finds the instance of its predecessor on the node: Ironic takes a new one only into an
// empty field.
base::Task<Updated> dropForeignInstance(Session& session, NodePtr node) {
  if (node->instanceUuid.empty() || node->instanceUuid == session.host().uid || node->state() != State::available)
    co_return node;
  ironic::NodePatch patch(*node);
  patch.set("", "instance_uuid", nullptr);
  co_return co_await session.update(node, patch);
}

// An agent's image may be in the drives until Ironic has begun: a host that is not wanted any more before that is still
// to be ejected.
base::Task<Progress> deploy(Session& session, NodePtr node, Deployment wanted, HostConfigData* sources) {
  const auto ready = co_await setUp(session, node, wanted, owesEjection(*node) ? BootPhase::lent : BootPhase::none);
  if (!ready) co_return ready.error();

  ironic::ProvisionRequest request{.verb = Verb::deploy,
                                   .configDrive = co_await configDriveOf(session, wanted, sources)};
  if (!wanted.customDeployMethod.empty())
    request.deploySteps.push_back(
        {.interface = "deploy", .step = wanted.customDeployMethod, .priority = customDeployPriority});
  const Working sent = co_await session.changeState(*ready, std::move(request));
  if (sent.started)
    session.event("ProvisioningStarted", fmt::format("Image provisioning started for {}", wanted.image.url));
  co_return sent;
}

struct Provisioning : Operation<> {
  using Operation::operator();
  const Deployment& wanted;
  HostConfigData* sources;

  base::Task<Progress> operator()(Deploy) const { return deploy(session, node, wanted, sources); }
  base::Task<Progress> operator()(ReportDeployed) const { return reportDeployed(session, node, wanted.image.url); }
};

ProvisioningPlan planAfterFailure(const ironic::Node& node, const Deployment& wanted) {
  if (sameImage(node, wanted.image)) {
    // The reason may be written a moment after the state, by the task that still holds the node.
    if (node.lastError.empty() && !node.reservation.empty()) return Wait{Pause::brief};
    return Fail{failureText(node, wanted.image)};
  }
  // The interface cannot change in this state: go back to available first.
  if (needsOtherDeployInterface(node, wanted)) return Send{Verb::undeploy};
  return Deploy{};
}

// An agent has booted this image: the node becomes active without a deployment, whoever is asked for one by now.
bool isBooted(const ironic::Node& node, const Deployment& wanted) {
  return bootPhaseOf(node) == BootPhase::booted && wanted.image.isLiveIso() && wanted.customDeployMethod.empty() &&
         sameImage(node, wanted.image);
}

// Nothing was deployed, and what is wanted by now takes a deployment.
bool isBootedInstead(const ironic::Node& node, const Deployment& wanted) {
  return isBootedByAgent(node) && !(wanted.image.isLiveIso() && wanted.customDeployMethod.empty());
}

std::string bootedInsteadText(const ironic::Node& node) {
  return fmt::format("the way of deployment changed while it was under way: node {} was booted by an agent", node.uuid);
}

}  // namespace

base::Task<Progress> reportDeployed(Session& session, NodePtr node, std::string image) {
  if (bootPhaseOf(*node) != BootPhase::booted) {  // Ironic has deployed it, and with that emptied the drives
    ironic::NodePatch patch(*node);
    setBootPhase(patch, BootPhase::none);
    const Updated updated = co_await session.update(node, patch);
    if (!updated) co_return updated.error();
  }
  session.shared().starts.forget(node->uuid);
  session.event("ProvisioningComplete", fmt::format("Image provisioning completed for {}", image));
  co_return Done{};
}

base::Task<std::expected<NodePtr, Progress>> setUp(Session& session, NodePtr node, Deployment wanted, BootPhase phase) {
  const Updated free = co_await dropForeignInstance(session, node);
  if (!free) co_return std::unexpected(free.error());
  ironic::NodePatch patch(**free);
  setInstance(patch, **free, wanted, session.shared().settings);
  setBootPhase(patch, phase);
  const Updated ready = co_await session.update(*free, patch);
  if (!ready) co_return std::unexpected(ready.error());

  const auto validation =
      co_await session.ask("failed to validate host during registration: ", session.client().validate(node->uuid));
  if (!validation) co_return std::unexpected(session.wait(Pause::brief));
  if (std::string problem = validationProblem(*validation); !problem.empty())
    co_return std::unexpected(Refused{std::move(problem)});
  co_return *ready;
}

CommonStep planAfterCleaning(const ironic::Node& node, const Deployment& wanted) {
  if (wanted.moved) return Fail{fmt::format("Cleaning failed: {}", errorOf(node))};
  if (node.maintenance) return ClearMaintenance{};
  return Send{Verb::manage};
}

std::string validationProblem(const ironic::Validation& validation) {
  std::string reasons;
  for (const auto* interface : {&validation.boot, &validation.deploy}) {
    if (interface->result == true) continue;
    reasons += (reasons.empty() ? "" : "; ") + interface->reason;
  }
  const bool fine = validation.boot.result == true && validation.deploy.result == true;
  return fine ? "" : "host validation error: " + reasons;
}

ProvisioningPlan planProvisioning(const ironic::Node& node, const Deployment& wanted, bool forceReboot) {
  switch (node.state()) {
    case State::deployFailed: return planAfterFailure(node, wanted);
    case State::manageable: return Send{isBooted(node, wanted) ? Verb::adopt : Verb::provide};
    case State::cleanFailed: return widened<ProvisioningPlan>(planAfterCleaning(node, wanted));
    case State::available:
      if (isBooted(node, wanted)) return Send{Verb::manage};
      return Deploy{};
    case State::adoptFailed:
      if (isBooted(node, wanted)) return Fail{fmt::format("Host adoption failed: {}", errorOf(node))};
      if (isBootedInstead(node, wanted)) return Fail{bootedInsteadText(node)};
      return Wait{Pause::extended};
    case State::active:
      if (holdsOther(node, wanted.image)) return Fail{otherImageText(node, wanted.image)};
      if (isBootedInstead(node, wanted)) return Fail{bootedInsteadText(node)};
      return ReportDeployed{};
    case State::deployWait:
      if (forceReboot) return Send{Verb::undeploy};
      return Wait{Pause::extended};
    default: return Wait{Pause::extended};
  }
}

Deployment wantedOn(Session& session, const ironic::Node& node, const ProvisionData& data) {
  Deployment wanted = deploymentOf(session.host().uid, data);
  if (!data.begun) return wanted;
  DeploymentStarts& starts = session.shared().starts;
  starts.note(node, *data.begun);
  wanted.moved = starts.hasMoved(node);
  return wanted;
}

base::Task<Updated> putBootPhase(Session& session, NodePtr node, BootPhase phase) {
  ironic::NodePatch patch(*node);
  setBootPhase(patch, phase);
  co_return co_await session.update(std::move(node), std::move(patch));
}

base::Task<Progress> provision(Session& session, ProvisionData data) {
  const NodePtr node = co_await session.nodeWithReason();
  const Deployment wanted = wantedOn(session, *node, data);
  if (std::string problem = imageProblem(wanted); !problem.empty()) co_return Refused{std::move(problem)};

  const Provisioning work{{session, node}, wanted, data.hostConfig};
  co_return co_await std::visit(work, planProvisioning(*node, wanted, data.forceReboot));
}

}  // namespace ingot::coordinator::host::ironic_backend
