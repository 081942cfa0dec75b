#include "coordinator/agents/host_steps.hpp"

#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/agents/shared_disks.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::agents {

using host::Done;
using host::Progress;
using host::Refused;
using host::Working;

namespace {

constexpr base::Duration nextStep = std::chrono::seconds(2);
constexpr base::Duration readyIsGoodFor = std::chrono::minutes(5);
// A power change that a BMC does not carry out is tried for so long before the work has failed.
constexpr base::Duration powerMayTake = std::chrono::minutes(15);

}  // namespace

base::Task<std::optional<Progress>> HostSteps::prepareWhileOff(bmc::BootPlan plan, bool* isDeclined) {
  if (!isServed()) co_return nobody();
  if (auto& tried = switching(); tried.plan != plan) tried = {.plan = plan, .provedOn = tried.provedOn};
  if (isReady(plan)) co_return std::nullopt;
  taken_.ready.erase(host_.uid);
  auto off = co_await turnOff();
  if (!std::holds_alternative<Done>(off)) co_return off;
  auto asked = plan;
  asked.whileOff = true;
  auto [progress, lasts, declined] = tools_.boot.prepare(host_.uid, asked);
  if (isDeclined != nullptr) *isDeclined = declined;
  if (!std::holds_alternative<Done>(progress)) co_return std::move(progress);
  if (plan.setting.persistent && !lasts)
    publish_("BootDeviceNotKept",
             "the BMC keeps a boot device for one boot only: after a restart that does not go through this "
             "coordinator the host boots from its disk");
  taken_.ready[host_.uid] = {std::move(plan), tools_.clock.now()};
  co_return std::nullopt;
}

base::Task<Progress> HostSteps::turnOn() { return turn(true); }

base::Task<Progress> HostSteps::turnOff() { return turn(false); }

base::Task<Progress> HostSteps::turn(bool on) {
  const auto wait = on ? &StepsTaken::Switching::toOn : &StepsTaken::Switching::toOff;
  if (auto& tried = switching().*wait; !tried) tried = WaitTime(tools_.clock.now());
  auto progress = on ? co_await tools_.power.turnOn(wished(true), backend_, {})
                     : co_await tools_.power.turnOff(wished(false), backend_, {.mode = host::RebootMode::hard});
  auto& tried = switching();  // that took its time
  const bool isThere = std::holds_alternative<Done>(progress);
  if (isThere) (tried.*wait).reset();
  if (isThere)
    tried.provedOn = on;
  else if (tried.provedOn == on)
    tried.provedOn.reset();
  co_return progress;
}

// Nothing is tried while no agent serves the host.
StepsTaken::Switching& HostSteps::switching() {
  auto& tried = taken_.switching[host_.uid];
  if (!tools_.agents.grants().serves(host_.uid)) return tried;
  for (auto* wait : {&tried.toOn, &tried.toOff})
    if (*wait) (*wait)->look(tools_.clock.now());
  return tried;
}

base::Task<Progress> HostSteps::giveBack(api::BareMetalHost host, GiveBack how) {
  auto cleaning = this->cleaning();
  std::optional<Progress> unclean;
  const auto why = how.cleans ? whyNotErasable(host) : std::string();
  if (!why.empty()) unclean = Refused{why};
  if (!how.cleans || !why.empty()) {
    if (auto wait = cleaning.callOff(host, how.isRemembered)) co_return patiently(std::move(*wait), Patience::endless);
  } else {
    if (!isServed()) co_return nobody();
    if (auto progress = co_await cleaning.erase(std::move(host)))
      unclean = patiently(std::move(*progress), Patience::endless);
  }
  if (unclean && !std::holds_alternative<Refused>(*unclean)) co_return std::move(*unclean);
  if (how.staysOn && !how.cleans) co_return Done{};
  if (auto wait = co_await prepareWhileOff({})) co_return patiently(std::move(*wait), Patience::endless);
  if (!unclean) co_return Done{};
  cleaning.told(host_.uid);
  co_return std::move(*unclean);
}

DiskCleaning HostSteps::cleaning() {
  return {{.clock = tools_.clock,
           .client = tools_.client,
           .agents = tools_.agents,
           .erasure = erasure_,
           .publish = publish_,
           .prepareWhileOff = [this](bmc::BootPlan plan,
                                     bool& declined) { return prepareWhileOff(std::move(plan), &declined); },
           .turnOn = [this] { return turnOn(); },
           .otherWithDisk = [this](const std::string& uid,
                                   const bmc::EraseOrder& order) { return otherWithDisk(tools_.hosts, uid, order); }},
          taken_.cleaning};
}

bool HostSteps::isServed() const {
  return tools_.agents.grants().serves(host_.uid) || tools_.agents.grants().mayStillCome(host_.uid);
}

Progress HostSteps::nobody() const {
  const auto host = stored();
  if (host && host->metadata.beingDeleted())
    throw host::ProvisionerError(host::ProvisionerError::Code::notReady, std::string(noAgent));
  return Working{.after = nextStep, .obstacle = std::string(noAgent)};
}

Progress HostSteps::patiently(Progress progress, Patience patience) const {
  const auto* refused = std::get_if<Refused>(&progress);
  if (refused == nullptr || !refused->retryAfter) return progress;
  const auto tried = taken_.switching.find(host_.uid);
  const auto isLong = [](const std::optional<WaitTime>& wait) { return wait && wait->lasts() > powerMayTake; };
  const bool isOver = tried != taken_.switching.end() && (isLong(tried->second.toOn) || isLong(tried->second.toOff));
  if (isOver && patience == Patience::aWhile) return progress;
  return Working{.after = *refused->retryAfter, .obstacle = refused->message};
}

// As the user wants it now, which is what the pass has read (throws otherwise).
host::PoweredHost HostSteps::wished(bool on) const {
  if (host_.confirmWish) host_.confirmWish();
  const auto host = stored();
  if (!host) throw host::HostMoved();
  auto powered = host::poweredHost(*host);
  powered.wantedOn = on;
  powered.isLent = host_.isLent;
  return powered;
}

// A host that is on has been switched on since; of one that is off somebody may have changed it again. One that is to
// boot from nothing of ours stays off, so somebody else has switched it on.
bool HostSteps::isReady(const bmc::BootPlan& plan) const {
  const auto found = taken_.ready.find(host_.uid);
  if (found == taken_.ready.end() || found->second.plan != plan) return false;
  const bool isOn = tools_.agents.facts().power(host_.uid) == bmc::Power::on;
  const bool isFresh = tools_.clock.now() - found->second.at < readyIsGoodFor;
  return plan == bmc::BootPlan{} ? isFresh && !isOn : isFresh || isOn;
}

}  // namespace ingot::coordinator::agents
