#include "coordinator/agents/agent_boot.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::Refused;
using host::Working;

constexpr base::Duration bootAgain = std::chrono::seconds(2);  // an answer of the agent ends the wait earlier
constexpr base::Duration bootWithin = std::chrono::minutes(30);
constexpr base::Duration worthASentence = std::chrono::minutes(2);
// Somebody may have pressed a button since, and used it up.
constexpr base::Duration answerIsGoodFor = std::chrono::minutes(1);

BootStep waiting(std::string why = {}) { return {.progress = Working{.after = bootAgain, .obstacle = std::move(why)}}; }
// It goes on, and is waited for, by a deletion too.
BootStep goingOn(std::string why) { return {.progress = Working{.after = bootAgain, .stall = std::move(why)}}; }

}  // namespace

BootStep AgentBoot::prepare(const std::string& uid, const bmc::BootPlan& plan) {
  const auto now = runtime_.clock.now();
  if (!agents_.grants().serves(uid))
    return waiting(agents_.grants().mayStillCome(uid) ? std::string() : std::string(noAgent));
  if (!agents_.jobs().preparesBoots(uid))
    return waiting("the agent that serves this host is of a version that cannot set what a host boots from");
  const auto& asked = agents_.jobs().askForBoot(uid, plan);
  if (asked.result && now - asked.answeredAt > answerIsGoodFor) {
    agents_.jobs().forgetBoot(uid);
    return waiting();
  }
  if (asked.result) {
    const auto result = *asked.result;
    agents_.jobs().forgetBoot(uid);
    if (result.outcome == "done") return {.progress = host::Done{}, .lasts = result.lasts};
    return {.progress = Refused{fmt::format("the BMC could not be set to boot so: {}", result.error)},
            .declined = result.errorCode == "unsupported" || result.errorCode == "refused"};
  }
  const auto takes = asked.waited.lasts();
  if (asked.tokens.empty() || takes <= bootWithin) {
    const bool isLong = !asked.tokens.empty() && takes > worthASentence && asked.trouble.empty();
    if (asked.isOccupied) return goingOn(asked.trouble);
    return isLong ? goingOn("the agent is still setting what the host boots from") : waiting(asked.trouble);
  }
  agents_.jobs().forgetBoot(uid);
  return {.progress = Refused{fmt::format("the agent did not make the host ready to boot within {} min",
                                          bootWithin / std::chrono::minutes(1))}};
}

}  // namespace ingot::coordinator::agents
