#include "coordinator/host/one_shots.hpp"

#include "api/bmh/annotations.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "base/cut_text.hpp"
#include "coordinator/host/intent.hpp"

#include <array>

namespace ingot::coordinator::host {
namespace {

// An order that names the time it was given stands for so long: nobody who looks for a dump now wants one tomorrow.
constexpr base::Duration orderStands = std::chrono::minutes(5);
constexpr std::size_t longestShown = 40;

struct OneShot {
  std::string_view annotation;
  bmc::PowerAction action;
  std::string_view doneReason, doneText, failedReason, failedText, unknownText;
};

constexpr std::array oneShots{
    OneShot{api::annotation::nmi, bmc::PowerAction::nmi, "NMISent", "The BMC has sent the host an NMI", "NMIFailed",
            "No NMI was sent", "Whether an NMI was sent is not known"},
    OneShot{api::annotation::acCycle, bmc::PowerAction::acCycle, "ACCycleDone",
            "The host and its BMC were without input power for a moment", "ACCycleFailed",
            "The host's input power was not taken away", "Whether the host's input power was taken away is not known"}};

void tellFailure(Scope& s, const OneShot& shot, const std::string& why) {
  s.journal.warning(std::string(shot.failedReason), fmt::format("{}: {}", shot.failedText, discreet(s, why)));
}

// Why the value of the annotation forbids it; "": it does not.
std::string wrongIn(const std::string& value, base::WallTime now) {
  if (value.empty()) return {};
  const auto given = base::parseTime(value);
  if (!given)
    return fmt::format("the annotation's value \"{}\" is neither empty nor the time it was set (RFC 3339)",
                       base::cutText(value, longestShown));
  if (*given > now + orderStands)
    return fmt::format("it was asked for at {}, which is still to come: look at the clocks", value);
  if (now - *given > orderStands)
    return fmt::format("it was asked for at {}, and stands for {} min", value, orderStands / std::chrono::minutes(1));
  return {};
}

std::string whyNot(Scope& s, State state, const OneShot& shot, const std::string& value) {
  if (auto wrong = wrongIn(value, s.now); !wrong.empty()) return wrong;
  if (!rests(state))
    return fmt::format("the host is {}; it is possible once it is available or provisioned",
                       s.host.status.provisioning.state);
  if (!s.powerRead) return "the host's power is not looked after now";
  return s.power.whyNotNow(poweredHost(s.host), shot.action);
}

}  // namespace

void tellEndedOneShots(Scope& s) {
  const auto isOrdered = [&](const OneShot& shot) { return isAnnotated(s.host, shot.annotation); };
  const auto ended = s.power.endedOnce(s.host.metadata.uid, std::ranges::any_of(oneShots, isOrdered));
  if (!ended) return;
  for (const OneShot& shot : oneShots) {
    if (shot.action != ended->action) continue;
    if (ended->done)
      s.journal.event(std::string(shot.doneReason), std::string(shot.doneText));
    else if (ended->isUnknown)
      s.journal.warning(std::string(shot.failedReason),
                        fmt::format("{}: {}", shot.unknownText, discreet(s, ended->why)));
    else
      tellFailure(s, shot, ended->why);
  }
  s.journal.onceSaved([&power = s.power, uid = s.host.metadata.uid] { power.toldOnce(uid); });
}

void takeOneShots(Scope& s, State state, const Step& step) {
  if (beingDeleted(s.host)) return;
  bool asked =
      !std::holds_alternative<Stay>(step) && !std::holds_alternative<Fail>(step);  // it goes on to another state
  for (const OneShot& shot : oneShots) {
    const std::string* value = api::findAnnotation(s.host, shot.annotation);
    if (value == nullptr) continue;
    auto why = whyNot(s, state, shot, *value);
    if (why.empty() && asked) why = "the host is about to do something else";
    s.host.metadata.annotations.erase(std::string(shot.annotation));
    if (!why.empty()) {
      tellFailure(s, shot, why);
      continue;
    }
    asked = true;
    s.power.willAskOnce(s.host.metadata.uid, shot.action);
    s.log.info("asked for once", {{"action", bmc::toText(shot.action)}});
    s.journal.onceSaved(
        [&power = s.power, uid = s.host.metadata.uid, action = shot.action] { power.askOnce(uid, action); });
  }
}

}  // namespace ingot::coordinator::host
