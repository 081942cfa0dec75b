#include "coordinator/agents/agent_provisioner.hpp"

#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/agents/live_iso.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::agents {

using host::Done;
using host::Progress;
using host::ProvisionerError;
using host::Refused;
using host::Working;

namespace {

constexpr base::Duration nextStep = std::chrono::seconds(2);
constexpr std::string_view ours = "agent-";  // of status.provisioning.ID: no node of Ironic

// Whether the disks of a host that is given back are to be cleaned.
bool wantsCleaning(const std::string& mode) { return mode != "disabled"; }

struct Wanted {
  const api::Image* image = nullptr;
  std::string customDeployMethod, bootMode, bmcAddress;
};

// Why only Ironic could do this; "": an agent can.
std::string beyondAgents(const Wanted& wanted) {
  const std::string asked = !wanted.customDeployMethod.empty()
                                ? fmt::format("customDeploy '{}'", wanted.customDeployMethod)
                            : wanted.image == nullptr    ? std::string("a host without image")
                            : !wanted.image->isLiveIso() ? fmt::format("image.format '{}'", wanted.image->format)
                                                         : std::string();
  if (!asked.empty()) return asked + " takes Ironic; without it a host boots a live ISO only (image.format live-iso)";
  return whyNotByAgent({.url = wanted.image->url, .bootMode = wanted.bootMode, .bmcAddress = wanted.bmcAddress});
}

// A live ISO may be in the drive: the host runs from it, or what was attempted last is nothing that is refused before
// it is begun, whatever is asked for since.
bool mayHaveBegun(const api::BareMetalHost& host) {
  const auto& attempted = host.status.lastAttemptedImage;
  return !host.status.provisioning.image.url.empty() || beyondAgents({.image = attempted ? &*attempted : nullptr,
                                                                      .customDeployMethod = {},
                                                                      .bootMode = host.status.provisioning.bootMode,
                                                                      .bmcAddress = host.spec.bmc.address})
                                                            .empty();
}

}  // namespace

class AgentProvisioner final : public host::Provisioner {
 public:
  AgentProvisioner(host::HostData host, host::Publish publish, HostSteps::Tools tools, AgentProvisioning& progress)
      : host_(std::move(host)),
        publish_(std::move(publish)),
        agents_(tools.agents),
        progress_(progress),
        steps_({{host_.namespace_, host_.name}, host_.uid, host_.confirmWish}, publish_, tools, *this, progress.steps) {
  }

  // The BMC has been asked by now, where its credentials are new and somebody is there to ask it
  // (PowerActor::checkAccess).
  base::Task<host::Registered> registerHost(host::RegisterData data) override {
    const bool isKnown = host_.provisionerId == ownId() && !progress_.letGo.contains(uid());
    if (!host_.provisionerId.empty() && !host_.provisionerId.starts_with(ours))
      co_return host::Registered{
          Refused{fmt::format("node {} of Ironic is recorded for this host, and Ironic may go on switching it: "
                              "delete that node, then clear status.provisioning.ID",
                              host_.provisionerId)},
          ""};
    if (!isKnown && host_.reserveMachine)
      if (auto why = host_.reserveMachine(); !why.empty()) co_return host::Registered{Refused{std::move(why)}, ""};
    progress_.letGo.erase(uid());
    if (data.state != api::ProvisioningState::provisioning) progress_.seenFree.insert(uid());
    host::Registered registered{
        .progress = Done{}, .provisionerId = ownId(), .credentialsTold = agents_.grants().usesPresentAccess(uid())};
    if (data.state != api::ProvisioningState::registering) co_return registered;
    if (agents_.grants().serves(uid())) {
      if (!isKnown) publish_("Registered", "Registered new host");
      co_return registered;
    }
    registered.progress = agents_.grants().mayStillCome(uid()) ? Progress(Working{nextStep})
                                                               : Progress(Refused{std::string(noAgent), nextStep});
    co_return registered;
  }

  [[nodiscard]] bool inspects() const override { return false; }
  base::Task<host::Inspected> inspectHardware(host::InspectData) override {
    if (agents_.grants().mayStillCome(uid())) co_return Working{nextStep};
    if (!agents_.grants().serves(uid())) co_return Working{.after = nextStep, .obstacle = std::string(noAgent)};
    co_return Refused{
        "an agent inspects a host through Redfish only; set inspectionMode to 'disabled', or use Ironic for hosts "
        "behind IPMI"};
  }

  base::Task<Progress> adopt(host::AdoptData) override { co_return Done{}; }

  base::Task<Progress> prepare(host::PrepareData) override {
    const auto host = steps_.stored();
    if (!host) co_return Done{};
    if (host->spec.raid) co_return Refused{"spec.raid takes Ironic; remove it"};
    if (wantsCleaning(host->spec.automatedCleaningMode))
      if (auto why = whyNotErasable(*host); !why.empty()) co_return Refused{std::move(why)};
    co_return Done{};
  }

  base::Task<Progress> provision(host::ProvisionData data) override {
    std::string why = beyondAgents({.image = data.image ? &*data.image : nullptr,
                                    .customDeployMethod = data.customDeployMethod,
                                    .bootMode = data.bootMode,
                                    .bmcAddress = host_.bmcAddress});
    if (why.empty() && host_.disablePowerOff) why = mustBeSwitchedOff;
    const auto host = steps_.stored();
    const bool isBegun = progress_.begun.contains(uid());
    // An attempt that a coordinator before this one made may have come further than this one gets.
    const bool isOurs = progress_.seenFree.contains(uid());
    if (why.empty() && !isBegun && host && wantsCleaning(host->spec.automatedCleaningMode)) why = whyNotErasable(*host);
    if (!why.empty()) {
      const bool mayBeBegun = !isOurs && host && mayHaveBegun(*host);
      if (!isBegun) (mayBeBegun ? progress_.inherited : progress_.refused).insert(uid());
      co_return Refused{std::move(why)};
    }
    progress_.refused.erase(uid());
    progress_.steps.cleaning.erase(uid());
    if (!isOurs) progress_.occupied.insert(uid());
    if (progress_.begun.insert(uid()).second)
      publish_("ProvisioningStarted", "Image provisioning started for " + data.image->url);
    if (auto wait = co_await steps_.prepareWhileOff(liveBoot(data.image->url, data.bootMode)))
      co_return steps_.patiently(std::move(*wait), HostSteps::Patience::aWhile);
    progress_.occupied.insert(uid());
    auto on = co_await steps_.turnOn();
    if (!std::holds_alternative<Done>(on)) co_return steps_.patiently(std::move(on), HostSteps::Patience::aWhile);
    publish_("ProvisioningComplete", "Image provisioning completed for " + data.image->url);
    co_return Done{};
  }

  // The image is taken out also where the disks cannot be cleaned: a host that goes is not to boot it again.
  base::Task<Progress> deprovision(host::DeprovisionData data) override {
    const auto host = steps_.stored();
    if (!isUntouched(host.get())) {
      if (host_.disablePowerOff) co_return Refused{std::string(mustBeSwitchedOff)};
      if (!host) {
        if (auto wait = co_await steps_.prepareWhileOff({}))
          co_return steps_.patiently(std::move(*wait), HostSteps::Patience::endless);
      } else {
        const bool cleans = wantsCleaning(data.automatedCleaningMode) && isOccupied(*host);
        const bool isRemembered = progress_.begun.contains(uid());
        auto progress = co_await steps_.giveBack(*host, {.cleans = cleans, .isRemembered = isRemembered});
        if (!std::holds_alternative<Done>(progress)) co_return progress;
      }
      publish_("DeprovisioningComplete", "Image deprovisioning completed");
    }
    progress_.begun.erase(uid());
    progress_.inherited.erase(uid());
    progress_.occupied.erase(uid());  // the rest holds until the next one begins: this pass may not be saved
    co_return Done{};
  }

  base::Task<Progress> remove() override {
    progress_.forget(uid());
    if (const auto host = steps_.stored(); host && !host->metadata.beingDeleted()) progress_.letGo.insert(uid());
    agents_.jobs().forgetBoot(uid());
    agents_.jobs().forgetErasure(uid());
    co_return Done{};
  }

  // Without an agent nobody knows and nobody does anything; with one it is not asked here (agent_power.hpp).
  base::Task<std::optional<bool>> poweredOn() override { co_return std::nullopt; }
  base::Task<Progress> powerOn(host::PowerOn) override { co_return steps_.nobody(); }
  base::Task<Progress> powerOff(host::PowerOff, std::string) override { co_return steps_.nobody(); }
  base::Task<bool> hasPowerFailure() override { co_return false; }
  base::Task<std::string> obstacle(base::Duration) override {
    co_return agents_.grants().serves(uid()) ? std::string() : std::string(noAgent);
  }
  // A host that was registered has its machine to itself. Of one that never was, another host may have it.
  base::Task<Progress> endWork(std::string) override {
    if (host_.provisionerId != ownId())
      throw ProvisionerError(ProvisionerError::Code::needsRegistration, "the host was never registered");
    co_return Done{};
  }

  base::Task<bool> acquireSlot() override { co_return true; }
  // Agents are asked beside it (agent_health.hpp). Where none has told of it, nobody can.
  base::Task<std::string> health() override {
    const bool isToBeTold =
        agents_.grants().serves(uid()) ? agents_.facts().find(uid()) == nullptr : agents_.grants().mayStillCome(uid());
    co_return isToBeTold ? std::string() : std::string(toText(bmc::Health::unknown));
  }

 private:
  [[nodiscard]] const std::string& uid() const { return host_.uid; }
  // Its disks may hold what a tenant wrote. Whoever has forgotten how far its provisioning came takes it for one.
  [[nodiscard]] bool isOccupied(const api::BareMetalHost& host) const {
    return !host.status.provisioning.image.url.empty() || progress_.occupied.contains(uid()) ||
           !progress_.begun.contains(uid());
  }

  [[nodiscard]] std::string ownId() const { return fmt::format("{}{}", ours, host_.uid); }

  // What was asked for was refused before anything was begun. After a restart the error that stands tells so.
  [[nodiscard]] bool isUntouched(const api::BareMetalHost* host) const {
    if (progress_.inherited.contains(uid())) return false;
    if (progress_.refused.contains(uid())) return true;
    const bool hasFailed = host != nullptr && host::failedWith(*host, host::ErrorType::provisioning);
    return hasFailed && !mayHaveBegun(*host) && !progress_.begun.contains(uid());
  }

  host::HostData host_;
  host::Publish publish_;
  AgentService& agents_;
  AgentProvisioning& progress_;
  HostSteps steps_;
};

base::Task<std::unique_ptr<host::Provisioner>> AgentProvisionerFactory::open(host::HostData host,
                                                                             host::Publish publish) {
  co_return std::make_unique<AgentProvisioner>(
      std::move(host), std::move(publish), HostSteps::Tools{runtime_.clock, client_, agents_, power_, boot_, hosts_},
      progress_);
}

}  // namespace ingot::coordinator::agents
