#include "coordinator/host/ironic/provision.hpp"

#include "cloudinit/config_drive.hpp"

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
                     checksum.empty() ? "" : ", checksum: " + checksum, node.lastError);
}

// Shown for a moment: a failed deployment is torn down, and the image that is wanted now deployed.
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
    co_return Updated{node, {}};
  ironic::NodePatch patch(*node);
  patch.set("", "instance_uuid", nullptr);
  co_return co_await session.update(node, patch);
}

base::Task<Updated> setUp(Session& session, NodePtr node, Deployment wanted) {
  Updated free = co_await dropForeignInstance(session, node);
  if (!free.node) co_return free;
  ironic::NodePatch patch(*free.node);
  setInstance(patch, *free.node, wanted, session.shared().settings);
  Updated ready = co_await session.update(free.node, patch);
  if (!ready.node) co_return ready;

  const auto validation =
      co_await session.ask("failed to validate host during registration: ", session.client().validate(node->uuid));
  if (!validation) co_return Updated{nullptr, session.wait(Pause::brief)};
  if (std::string problem = validationProblem(*validation); !problem.empty())
    co_return Updated{nullptr, Result::failed(std::move(problem))};
  co_return ready;
}

base::Task<Result> deploy(Session& session, NodePtr node, Deployment wanted, HostConfigData* sources) {
  const Updated ready = co_await setUp(session, node, wanted);
  if (!ready.node) co_return ready.result;

  ironic::ProvisionRequest request{.verb = Verb::deploy,
                                   .configDrive = co_await configDriveOf(session, wanted, sources)};
  if (!wanted.customDeployMethod.empty())
    request.deploySteps.push_back(
        {.interface = "deploy", .step = wanted.customDeployMethod, .priority = customDeployPriority});
  const Sent sent = co_await session.changeState(ready.node, std::move(request));
  if (sent.accepted)
    session.event("ProvisioningStarted", fmt::format("Image provisioning started for {}", wanted.image.url));
  co_return sent.result;
}

Plan planAfterFailure(const ironic::Node& node, const Deployment& wanted) {
  if (sameImage(node, wanted.image)) {
    if (node.lastError.empty()) return Plan::wait(Pause::none);
    return Plan::fail(failureText(node, wanted.image));
  }
  // The interface cannot change in this state: go back to available first.
  if (needsOtherDeployInterface(node, wanted)) return Plan::send(Verb::undeploy);
  return Plan::just(Plan::Kind::deploy);
}

}  // namespace

std::string validationProblem(const ironic::Validation& validation) {
  std::string reasons;
  for (const auto* interface : {&validation.boot, &validation.deploy}) {
    if (interface->result == true) continue;
    reasons += (reasons.empty() ? "" : "; ") + interface->reason;
  }
  const bool fine = validation.boot.result == true && validation.deploy.result == true;
  return fine ? "" : "host validation error: " + reasons;
}

Plan planProvisioning(const ironic::Node& node, const Deployment& wanted, bool forceReboot) {
  switch (node.state()) {
    case State::deployFailed: return planAfterFailure(node, wanted);
    case State::manageable: return Plan::send(Verb::provide);
    case State::cleanFailed:
      return node.maintenance ? Plan::just(Plan::Kind::clearMaintenance) : Plan::send(Verb::manage);
    case State::available: return Plan::just(Plan::Kind::deploy);
    case State::active:
      if (holdsOther(node, wanted.image)) return Plan::fail(otherImageText(node, wanted.image));
      return Plan::just(Plan::Kind::reportDeployed);
    case State::deployWait: return forceReboot ? Plan::send(Verb::undeploy) : Plan::wait(Pause::extended);
    default: return Plan::wait(Pause::extended);
  }
}

base::Task<Result> provision(Session& session, ProvisionData data, bool forceReboot) {
  const Deployment wanted = deploymentOf(session.host().uid, data);
  const NodePtr node = co_await session.node();
  if (std::string problem = imageProblem(wanted); !problem.empty()) co_return Result::failed(std::move(problem));

  const Plan plan = planProvisioning(*node, wanted, forceReboot);
  if (plan.kind == Plan::Kind::deploy) co_return co_await deploy(session, node, wanted, data.hostConfig);
  if (plan.kind == Plan::Kind::reportDeployed) {
    session.event("ProvisioningComplete", fmt::format("Image provisioning completed for {}", wanted.image.url));
    co_return Result::complete();
  }
  const Sent sent = co_await session.carryOut(plan, node);
  co_return sent.result;
}

}  // namespace ingot::coordinator::host::ironic_backend
