#include "coordinator/agents/agent_provisioner.hpp"

#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/agents/served.hpp"
#include "coordinator/agents/shared_disks.hpp"
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
constexpr base::Duration readyIsGoodFor = std::chrono::minutes(5);
// A power change that a BMC does not carry out is tried for so long before the provisioning has failed.
constexpr base::Duration powerMayTake = std::chrono::minutes(15);

constexpr std::size_t longestUrl = 2048;

constexpr std::string_view mustBeSwitchedOff =
    "a host is switched off before its live ISO is inserted and before it is ejected, which disablePowerOff forbids";
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
  if (wanted.bootMode == "UEFISecureBoot")
    return "bootMode UEFISecureBoot takes Ironic; set it to UEFI, or switch secure boot on by hand";
  if (const auto length = wanted.image->url.size(); length > longestUrl)
    return fmt::format("image.url has {} characters; at most {} fit a BMC", length, longestUrl);
  if (speaksIpmi(wanted.bmcAddress)) return "a BMC behind IPMI has no virtual media, which a live ISO is booted from";
  return {};
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
  struct Parts {
    base::Clock& clock;
    kube::Client& client;
    AgentService& agents;
    AgentPower& power;
    AgentBoot& boot;
    AgentErasure& erasure;
    const kube::Cache<api::BareMetalHost>& hosts;
    AgentProvisioning& progress;
  };
  AgentProvisioner(host::HostData host, host::Publish publish, Parts parts)
      : host_(std::move(host)), publish_(std::move(publish)), parts_(parts) {}

  // The BMC has been asked by now, where its credentials are new and somebody is there to ask it
  // (PowerActor::checkAccess).
  base::Task<host::Registered> registerHost(host::RegisterData data) override {
    const bool isKnown = host_.provisionerId == ownId() && !parts_.progress.letGo.contains(uid());
    if (!host_.provisionerId.empty() && !host_.provisionerId.starts_with(ours))
      co_return host::Registered{
          Refused{fmt::format("node {} of Ironic is recorded for this host, and Ironic may go on switching it: "
                              "delete that node, then clear status.provisioning.ID",
                              host_.provisionerId)},
          ""};
    if (!isKnown && host_.reserveMachine)
      if (auto why = host_.reserveMachine(); !why.empty()) co_return host::Registered{Refused{std::move(why)}, ""};
    parts_.progress.letGo.erase(uid());
    host::Registered registered{
        .progress = Done{}, .provisionerId = ownId(), .credentialsTold = parts_.agents.usesPresentAccess(uid())};
    if (data.state != api::ProvisioningState::registering) co_return registered;
    if (parts_.agents.serves(uid())) {
      if (!isKnown) publish_("Registered", "Registered new host");
      co_return registered;
    }
    registered.progress = parts_.agents.mayStillCome(uid()) ? Progress(Working{nextStep})
                                                            : Progress(Refused{std::string(noAgent), nextStep});
    co_return registered;
  }

  [[nodiscard]] bool inspects() const override { return false; }
  base::Task<host::Inspected> inspectHardware(host::InspectData) override {
    if (parts_.agents.mayStillCome(uid())) co_return Working{nextStep};
    if (!parts_.agents.serves(uid())) co_return Working{.after = nextStep, .obstacle = std::string(noAgent)};
    co_return Refused{
        "an agent inspects a host through Redfish only; set inspectionMode to 'disabled', or use Ironic for hosts "
        "behind IPMI"};
  }

  base::Task<Progress> adopt(host::AdoptData) override { co_return Done{}; }

  base::Task<Progress> prepare(host::PrepareData) override {
    const auto host = stored();
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
    const auto host = stored();
    const bool isBegun = parts_.progress.begun.contains(uid());
    if (why.empty() && !isBegun && host && wantsCleaning(host->spec.automatedCleaningMode)) why = whyNotErasable(*host);
    if (!why.empty()) {
      // An attempt that a coordinator before this one made may have come further than its refusal.
      const bool isOurs = data.begun && *data.begun >= parts_.progress.since;
      const bool mayBeBegun = !isOurs && host && mayHaveBegun(*host);
      if (!isBegun) (mayBeBegun ? parts_.progress.inherited : parts_.progress.refused).insert(uid());
      co_return Refused{std::move(why)};
    }
    parts_.progress.refused.erase(uid());
    parts_.progress.cleaning.erase(uid());
    if (parts_.progress.begun.insert(uid()).second)
      publish_("ProvisioningStarted", "Image provisioning started for " + data.image->url);
    if (auto wait = co_await prepareWhileOff(liveBoot(data.image->url, data.bootMode)))
      co_return patiently(std::move(*wait), data.begun);
    parts_.progress.occupied.insert(uid());
    auto on = co_await parts_.power.turnOn(wished(true), *this, {});
    if (!std::holds_alternative<Done>(on)) co_return patiently(std::move(on), data.begun);
    publish_("ProvisioningComplete", "Image provisioning completed for " + data.image->url);
    co_return Done{};
  }

  // The image is taken out also where the disks cannot be cleaned: a host that goes is not to boot it again.
  base::Task<Progress> deprovision(host::DeprovisionData data) override {
    const auto host = stored();
    if (!isUntouched(host.get())) {
      if (host_.disablePowerOff) co_return Refused{std::string(mustBeSwitchedOff)};
      auto cleaning = diskCleaning();
      std::optional<Progress> unclean;
      std::string why;
      const bool cleans = host && wantsCleaning(data.automatedCleaningMode) && isOccupied(*host);
      if (cleans) why = whyNotErasable(*host);
      if (cleans && why.empty()) {
        if (!parts_.agents.serves(uid()) && !parts_.agents.mayStillCome(uid())) co_return nobody();
        if (auto progress = co_await cleaning.erase(*host)) unclean = patiently(std::move(*progress), std::nullopt);
      } else if (host) {
        if (auto wait = cleaning.callOff(*host, parts_.progress.begun.contains(uid())))
          co_return patiently(std::move(*wait), std::nullopt);
      }
      if (!why.empty()) unclean = Refused{std::move(why)};
      if (unclean && !std::holds_alternative<Refused>(*unclean)) co_return std::move(*unclean);
      if (auto wait = co_await prepareWhileOff({})) co_return patiently(std::move(*wait), std::nullopt);
      if (unclean) {
        cleaning.told(uid());
        co_return std::move(*unclean);
      }
      publish_("DeprovisioningComplete", "Image deprovisioning completed");
    }
    parts_.progress.begun.erase(uid());
    parts_.progress.inherited.erase(uid());
    parts_.progress.occupied.erase(uid());  // the rest holds until the next one begins: this pass may not be saved
    co_return Done{};
  }

  base::Task<Progress> remove() override {
    parts_.progress.forget(uid());
    if (const auto host = stored(); host && !host->metadata.beingDeleted()) parts_.progress.letGo.insert(uid());
    parts_.agents.forgetBoot(uid());
    parts_.agents.forgetErasure(uid());
    co_return Done{};
  }

  // Without an agent nobody knows and nobody does anything; with one it is not asked here (agent_power.hpp).
  base::Task<std::optional<bool>> poweredOn() override { co_return std::nullopt; }
  base::Task<Progress> powerOn(host::PowerOn) override { co_return nobody(); }
  base::Task<Progress> powerOff(host::PowerOff, std::string) override { co_return nobody(); }
  base::Task<bool> hasPowerFailure() override { co_return false; }
  base::Task<std::string> obstacle(base::Duration) override {
    co_return parts_.agents.serves(uid()) ? std::string() : std::string(noAgent);
  }
  // A host that was registered has its machine to itself. Of one that never was, another host may have it.
  base::Task<Progress> endWork(std::string) override {
    if (host_.provisionerId != ownId())
      throw ProvisionerError(ProvisionerError::Code::needsRegistration, "the host was never registered");
    co_return Done{};
  }

  base::Task<bool> acquireSlot() override { co_return true; }
  base::Task<std::string> health() override {
    const auto* facts = parts_.agents.facts(uid());
    const bool isKnown = facts != nullptr && facts->health != bmc::Health::unknown;
    co_return isKnown ? std::string(toText(facts->health)) : std::string();
  }

 private:
  [[nodiscard]] const std::string& uid() const { return host_.uid; }
  // Its disks may hold what a tenant wrote. Whoever has forgotten how far its provisioning came takes it for one.
  [[nodiscard]] bool isOccupied(const api::BareMetalHost& host) const {
    const auto& progress = parts_.progress;
    return !host.status.provisioning.image.url.empty() || progress.occupied.contains(uid()) ||
           !progress.begun.contains(uid());
  }

  base::Task<Progress> turnOn() { co_return co_await parts_.power.turnOn(wished(true), *this, {}); }

  [[nodiscard]] DiskCleaning diskCleaning() {
    return {{.clock = parts_.clock,
             .client = parts_.client,
             .agents = parts_.agents,
             .erasure = parts_.erasure,
             .publish = publish_,
             .prepareWhileOff = [this](bmc::BootPlan plan,
                                       bool& declined) { return prepareWhileOff(std::move(plan), &declined); },
             .turnOn = [this] { return turnOn(); },
             .otherWithDisk = [this](const std::string& uid,
                                     const bmc::EraseOrder& order) { return otherWithDisk(parts_.hosts, uid, order); }},
            parts_.progress.cleaning};
  }

  [[nodiscard]] std::string ownId() const { return fmt::format("{}{}", ours, host_.uid); }
  [[nodiscard]] std::shared_ptr<const api::BareMetalHost> stored() const {
    return parts_.hosts.find({host_.namespace_, host_.name});
  }

  // A host that goes is not given up for an agent that restarts: it would run on, from an image that is still there.
  [[nodiscard]] Progress nobody() const {
    const auto host = stored();
    if (host && host->metadata.beingDeleted())
      throw ProvisionerError(ProvisionerError::Code::notReady, std::string(noAgent));
    return Working{.after = nextStep, .obstacle = std::string(noAgent)};
  }

  // A power change that has not come about, and may yet, is no failure of the work.
  [[nodiscard]] Progress patiently(Progress progress, std::optional<base::WallTime> begun) const {
    const auto* refused = std::get_if<Refused>(&progress);
    if (refused == nullptr || !refused->retryAfter) return progress;
    if (begun && parts_.clock.wall() - *begun > powerMayTake) return progress;
    return Working{.after = *refused->retryAfter, .obstacle = refused->message};
  }

  // As the user wants it now, which is what the pass has read (throws otherwise).
  [[nodiscard]] host::PoweredHost wished(bool on) const {
    if (host_.confirmWish) host_.confirmWish();
    const auto host = stored();
    if (!host) throw host::HostMoved();
    auto powered = host::poweredHost(*host);
    powered.wantedOn = on;
    return powered;
  }

  // What was asked for was refused before anything was begun. After a restart the error that stands tells so.
  [[nodiscard]] bool isUntouched(const api::BareMetalHost* host) const {
    if (parts_.progress.inherited.contains(uid())) return false;
    if (parts_.progress.refused.contains(uid())) return true;
    const bool hasFailed = host != nullptr && host::failedWith(*host, host::ErrorType::provisioning);
    return hasFailed && !mayHaveBegun(*host) && !parts_.progress.begun.contains(uid());
  }

  // nullopt: the host will boot so, and has been switched off for it.
  base::Task<std::optional<Progress>> prepareWhileOff(bmc::BootPlan plan, bool* isDeclined = nullptr) {
    if (!parts_.agents.serves(uid()) && !parts_.agents.mayStillCome(uid())) co_return nobody();
    if (isReady(plan)) co_return std::nullopt;
    parts_.progress.ready.erase(uid());
    auto off = co_await parts_.power.turnOff(wished(false), *this, {.mode = host::RebootMode::hard});
    if (!std::holds_alternative<Done>(off)) co_return off;
    auto asked = plan;
    asked.whileOff = true;
    auto [progress, lasts, declined] = parts_.boot.prepare(uid(), asked);
    if (isDeclined != nullptr) *isDeclined = declined;
    if (!std::holds_alternative<Done>(progress)) co_return std::move(progress);
    if (plan.setting.persistent && !lasts)
      publish_("BootDeviceNotKept",
               "the BMC keeps a boot device for one boot only: after a restart that does not go through this "
               "coordinator the host boots from its disk");
    parts_.progress.ready[uid()] = {std::move(plan), parts_.clock.now()};
    co_return std::nullopt;
  }

  // A host that is on has been switched on since; of one that is off somebody may have changed it again.
  [[nodiscard]] bool isReady(const bmc::BootPlan& plan) const {
    const auto found = parts_.progress.ready.find(uid());
    if (found == parts_.progress.ready.end() || found->second.plan != plan) return false;
    return parts_.clock.now() - found->second.at < readyIsGoodFor || parts_.agents.power(uid()) == bmc::Power::on;
  }

  host::HostData host_;
  host::Publish publish_;
  Parts parts_;
};

base::Task<std::unique_ptr<host::Provisioner>> AgentProvisionerFactory::open(host::HostData host,
                                                                             host::Publish publish) {
  co_return std::make_unique<AgentProvisioner>(
      std::move(host), std::move(publish),
      AgentProvisioner::Parts{runtime_.clock, client_, agents_, power_, boot_, erasure_, hosts_, progress_});
}

}  // namespace ingot::coordinator::agents
