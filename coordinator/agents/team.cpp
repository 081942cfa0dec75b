#include "coordinator/agents/team.hpp"

#include "api/bmh/boot_by.hpp"
#include "coordinator/agents/live_iso.hpp"
#include "coordinator/host/ironic/ownership.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::ironic_backend::IronicFactory;

std::optional<ownership::IronicView> viewOf(const IronicFactory* ironic, const std::string& nodeId) {
  if (ironic == nullptr || nodeId.empty()) return std::nullopt;
  const auto seen = ironic->nodes().look(nodeId);
  // A node that the first sweep has not listed yet is not the same as one that is gone.
  if (!seen) return ironic->nodes().sweptAt() ? std::nullopt : std::optional(ownership::IronicView{});
  return ownership::IronicView{.busy = host::ironic_backend::ironicOwns(*seen->node),
                               .current = !ironic->nodes().unsettled(nodeId),
                               .isLent = host::ironic_backend::isLent(*seen->node)};
}

host::HostData dataOf(const host::PoweredHost& host) {
  return {.name = host.name, .namespace_ = host.namespace_, .uid = host.uid, .provisionerId = host.provisionerId};
}

IronicRecord recordOf(IronicFactory* ironic) {
  if (ironic == nullptr) return {};
  return {.follow =
              [ironic](const host::PoweredHost& host, bool on, std::function<bool()> proved) {
                return ironic->recordPower(dataOf(host), on, std::move(proved));
              },
          .refresh = [ironic](std::string nodeId) { return ironic->refresh(std::move(nodeId)); },
          .setsBootDevice = [ironic](const host::PoweredHost& host) { return ironic->setsBootDevice(dataOf(host)); }};
}

AgentWorld worldOf(const TeamWorld& world, kube::Cache<api::ProvisioningAgent>& agents) {
  return {.client = world.client,
          .hosts = world.hosts,
          .secrets = world.secrets,
          .secretUsers = world.secretUsers,
          .agents = agents,
          .events = world.events,
          .link = world.link,
          .ironic = [ironic = world.ironic](const std::string& nodeId) { return viewOf(ironic, nodeId); },
          .wake = world.wake,
          .term = world.term,
          .key = world.keys.publicKey.empty() ? std::string() : wire::fingerprint(world.keys.publicKey),
          .readings = world.readings,
          .logs = world.logs,
          .hardware = world.hardware,
          .agentsOnly = world.agentsOnly};
}

std::unique_ptr<KeyKeeper> keeperOf(const TeamWorld& world, kube::Cache<api::ProvisioningAgent>& agents) {
  if (!world.keysNamespace) return nullptr;
  return std::make_unique<KeyKeeper>(world.runtime, KeyKeeper::World{world.client, world.hosts, agents, world.events,
                                                                     world.keys, *world.keysNamespace});
}

constexpr base::Duration untilIronicAnswers = std::chrono::seconds(5);

bool runsLiveIso(const api::BareMetalHost& host) {
  const auto& provisioning = host.status.provisioning;
  return provisioning.state == text(api::ProvisioningState::provisioned) && provisioning.image.isLiveIso();
}

// A host that runs from a live ISO boots from it again, also where its BMC keeps a boot device for one boot only, or
// has lost the image.
host::Progress prepared(const api::BareMetalHost& host, AgentBoot& boot, bool isOff) {
  const auto& provisioning = host.status.provisioning;
  auto plan = liveBoot(provisioning.image.url, provisioning.bootMode);
  plan.mayStay = true;
  plan.whileOff = isOff;
  return boot.prepare(host.metadata.uid, plan).progress;
}

}  // namespace

Team::Team(TeamWorld world)
    : world_(std::move(world)),
      agents_(world_.runtime, world_.client.api(), {.unreadable = world_.unreadable.of<api::ProvisioningAgent>()}),
      laterTerms_(world_.runtime, world_.hosts, agents_, world_.term, world_.carrying),
      keyKeeper_(keeperOf(world_, agents_)),
      service_(world_.runtime, worldOf(world_, agents_), world_.timing),
      power_(world_.runtime, service_, recordOf(world_.ironic)),
      inspection_(world_.runtime, service_),
      boot_(world_.runtime, service_),
      cleaning_({world_.runtime.clock, world_.client, service_, power_, boot_, world_.hosts}),
      liveBoot_({world_.runtime.clock, world_.client, service_, power_, boot_, world_.hosts}),
      provisioner_(world_.runtime, world_.client, service_, power_, boot_, world_.hosts) {
  power_.liveIsosBy(
      {.makeReady = [this](host::PoweredHost host, bool isOff) { return makeReady(std::move(host), isOff); },
       .whyAgentsOnly = [this](host::PoweredHost host) { return whyAgentsOnly(std::move(host)); }});
  if (world_.ironic != nullptr) world_.ironic->setGate(service_);
}

// As long as the annotation says so. The host is switched on by nobody until Ironic has said who booted it: without its
// image it would come up from its disk.
base::Task<Team::BootedBy> Team::bootedBy(host::PoweredHost host, std::shared_ptr<const api::BareMetalHost> stored) {
  if (!stored || !runsLiveIso(*stored)) co_return BootedBy{};
  if (world_.agentsOnly) co_return BootedBy{.isAgent = true};
  if (world_.ironic == nullptr || !api::asksForBootByAgent(*stored)) co_return BootedBy{};
  try {
    co_return BootedBy{
        .isAgent = co_await world_.ironic->isBootedByAgent(dataOf(host), stored->status.provisioning.image.url)};
  } catch (const host::ProvisionerError& error) {
    co_return BootedBy{.untold =
                           fmt::format("whether an agent has booted this host Ironic does not say: {}", error.what())};
  }
}

base::Task<host::Progress> Team::makeReady(host::PoweredHost host, bool isOff) {
  const auto stored = world_.hosts.find({host.namespace_, host.name});
  const BootedBy by = co_await bootedBy(std::move(host), stored);
  if (!by.untold.empty()) co_return host::Working{.after = untilIronicAnswers, .obstacle = by.untold};
  co_return by.isAgent ? prepared(*stored, boot_, isOff) : host::Progress(host::Done{});
}

base::Task<std::string> Team::whyAgentsOnly(host::PoweredHost host) {
  if (world_.agentsOnly) co_return "";  // the backend says so itself
  const auto stored = world_.hosts.find({host.namespace_, host.name});
  const BootedBy by = co_await bootedBy(std::move(host), stored);
  if (!by.isAgent) co_return by.untold;
  co_return fmt::format(
      "an agent has booted this host from its live ISO, and is to switch it on: {}; without the annotation {} "
      "Ironic does it",
      noAgent, api::annotation::bootBy);
}

std::optional<Team::Reading> Team::lastReading(const std::string& uid) const {
  const auto* known = service_.facts().find(uid);
  if (known == nullptr || !known->powerAt || !service_.grants().serves(uid)) return std::nullopt;
  const bool isSettled = service_.commands().underWay(uid) == nullptr;
  return Reading{.power = isSettled ? service_.commands().provedPower(uid) : bmc::Power::unknown,
                 .at = *known->powerAt};
}

void Team::start(base::VitalTasks& tasks) {
  agents_.start(tasks.group());
  tasks.spawn("terms of others", laterTerms_.run());
  if (keyKeeper_) keyKeeper_->start(tasks);
  power_.start(tasks.group());
  tasks.spawn("agents", service_.run());
}

}  // namespace ingot::coordinator::agents
