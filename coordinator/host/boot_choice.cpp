#include "coordinator/host/boot_choice.hpp"

#include "api/bmh/boot_by.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/intent.hpp"

namespace ingot::coordinator::host {

namespace {

using api::annotation::bootBy;

constexpr base::Duration untilSomebodyMay = std::chrono::seconds(10);

const std::string* bootByOf(const Scope& s) {
  return s.backend.lendsToBoot() ? api::findAnnotation(s.host, bootBy) : nullptr;
}

bool asksForAgent(const Scope& s) { return s.backend.lendsToBoot() && api::asksForBootByAgent(s.host); }

bool isLiveIso(const api::BareMetalHost& host) {
  return host.spec.image && host.spec.image->isLiveIso() && customDeployMethod(host).empty();
}

// Without access no agent is given the host; only one that goes gets here without.
std::string whyNobody(const Scope& s) {
  if (!s.access)
    return fmt::format("the credentials of its BMC (Secret {}) cannot be used, without which no agent serves this host",
                       s.host.spec.bmc.credentialsName);
  if (s.boot == nullptr) return "this coordinator has no agents (--agents-endpoint)";
  return s.boot->whyNobody(s.host);
}

// The user can always have it booted by the backend instead.
std::string orByBackend(const std::string& why) {
  return fmt::format("annotation {} asks for an agent: {}; without the annotation Ironic does it", bootBy, why);
}

Progress orByBackend(Progress progress) {
  if (auto* work = std::get_if<Working>(&progress); work != nullptr && !work->obstacle.empty())
    work->obstacle = orByBackend(work->obstacle);
  if (auto* refused = std::get_if<Refused>(&progress)) refused->message = orByBackend(refused->message);
  return progress;
}

void forget(Scope& s) {
  if (s.boot != nullptr) s.boot->forget(s.host.metadata.uid);
}

// Something stands in the way of the loan: what was done with the machine before may be undone by whoever has it.
base::Task<void> forgetWhatOthersMayUndo(Scope& s) {
  const auto provedOn = s.boot == nullptr ? std::nullopt : s.boot->provedOn(s.host.metadata.uid);
  if (!co_await s.backend.leavesLentAsItIs(provedOn)) forget(s);
}

Publish publishOf(Scope& s) {
  return [&journal = s.journal](std::string reason, std::string message) {
    journal.event(std::move(reason), std::move(message));
  };
}

// A deletion is not given up for what stands in the way: the host would run on, from an image that is still there, with
// its disks as they are.
Progress waits(const Scope& s, Progress progress) {
  auto* work = std::get_if<Working>(&progress);
  if (work != nullptr && !work->obstacle.empty() && s.host.metadata.beingDeleted())
    work->stall = std::exchange(work->obstacle, {});
  return progress;
}

bool isOthers(const Progress& loan) {
  const auto* work = std::get_if<Working>(&loan);
  return work != nullptr ? !work->obstacle.empty() || !work->stall.empty() : std::holds_alternative<Refused>(loan);
}

// Nobody is lent a machine who is not there. One that is lent already stays so: an agent may still be at it.
Progress nobody(const std::string& why) { return Working{.after = untilSomebodyMay, .obstacle = orByBackend(why)}; }

}  // namespace

bool bootsOutOfBand(const Scope& s) { return asksForAgent(s) && isLiveIso(s.host); }

bool mayRunOutOfBand(const Scope& s) {
  if (!asksForAgent(s)) return false;
  const auto& status = s.host.status;
  if (!provisionedImageUrl(s.host).empty()) return status.provisioning.image.isLiveIso();
  const State state = stateOf(s.host);
  const bool isUnderWay = state == State::provisioning || state == State::deprovisioning;
  return isUnderWay && status.lastAttemptedImage && status.lastAttemptedImage->isLiveIso();
}

std::string whyNotBootedSo(const Scope& s) {
  const auto* by = bootByOf(s);
  if (by == nullptr || imageUrl(s.host).empty()) return {};
  if (*by != api::bootByAgent)
    return fmt::format("annotation {}: '{}' is nobody who boots hosts; it is {}, or is left out: Ironic does it then",
                       bootBy, *by, api::bootByAgent);
  if (!isLiveIso(s.host) || s.boot == nullptr) return {};
  const auto why = s.boot->whyNot(s.host);
  return why.empty() ? why : orByBackend(why);
}

std::string whyBootedByBackend(const Scope& s) {
  if (!asksForAgent(s) || isLiveIso(s.host)) return {};
  return fmt::format(
      "annotation {} asks for an agent, which boots a live ISO only (image.format live-iso): Ironic "
      "deploys this host",
      bootBy);
}

base::Task<Progress> bootOutOfBand(Scope& s, ProvisionData data) {
  const auto nobodyIs = whyNobody(s);
  if (!nobodyIs.empty() && !co_await s.backend.isPastBoot(*s.host.spec.image)) co_return nobody(nobodyIs);
  const BootLoan loan = co_await s.backend.lendToBoot(std::move(data));
  if (!std::holds_alternative<Lent>(loan)) {
    if (const auto* work = std::get_if<Working>(&loan)) co_return *work;
    if (const auto* others = std::get_if<NotLent>(&loan)) {
      co_await forgetWhatOthersMayUndo(s);
      co_return others->wait;
    }
    if (const auto* refused = std::get_if<Refused>(&loan)) co_return *refused;
    if (s.boot != nullptr) s.journal.onceSaved([boot = s.boot, uid = s.host.metadata.uid] { boot->forget(uid); });
    co_return Done{};
  }
  if (!nobodyIs.empty()) co_return nobody(nobodyIs);
  const Publish publish = publishOf(s);
  auto progress = co_await s.boot->boot(s.host, s.backend, publish);
  if (!std::holds_alternative<Done>(progress)) co_return orByBackend(std::move(progress));
  co_return co_await s.backend.noteBooted();
}

base::Task<std::optional<Progress>> ejectOutOfBand(Scope& s) {
  if (!co_await s.backend.owesEjection()) co_return std::nullopt;
  if (!asksForAgent(s)) {
    forget(s);
    co_return std::nullopt;
  }
  if (auto why = whyNobody(s); !why.empty()) co_return waits(s, nobody(why));
  auto progress = co_await s.backend.lend(Loan::toBoot);
  if (isOthers(progress)) co_await forgetWhatOthersMayUndo(s);
  if (!std::holds_alternative<Done>(progress)) co_return waits(s, std::move(progress));
  const Publish publish = publishOf(s);
  progress = co_await s.boot->eject(s.host, s.backend, publish);
  if (!std::holds_alternative<Done>(progress)) co_return orByBackend(std::move(progress));
  progress = co_await s.backend.noteEjected();
  if (!std::holds_alternative<Done>(progress)) co_return waits(s, std::move(progress));
  forget(s);
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host
