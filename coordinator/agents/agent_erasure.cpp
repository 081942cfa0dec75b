#include "coordinator/agents/agent_erasure.hpp"

#include "bmc/model/unerased.hpp"
#include "coordinator/agents/agent_boot.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::Refused;
using host::Working;

constexpr base::Duration lookAgain = std::chrono::seconds(5);  // the end of it ends the wait earlier

// As long as it takes, also when the host is to go: a drive must not lose its power in the middle.
EraseStep waitFor(std::string why = {}) { return {.progress = Working{.after = lookAgain, .stall = std::move(why)}}; }

// What goes wrong while it goes on.
std::string troubleIn(const wire::EraseReport& report) {
  for (const auto& drive : report.drives)
    if (!drive.error.empty() && drive.state != toText(bmc::ErasureState::erased))
      return fmt::format("the drive {}: {}", drive.serialNumber, drive.error);
  return {};
}

}  // namespace

EraseStep AgentErasure::step(const std::string& uid, const EraseAsk& ask) {
  if (!agents_.grants().serves(uid))
    return waitFor(agents_.grants().mayStillCome(uid) ? std::string() : std::string(noAgent));
  if (!agents_.jobs().erasesDrives(uid))
    return waitFor("the agent that serves this host is of a version that erases no drives");
  const auto& asked = agents_.jobs().askForErasure(uid, ask);
  if (!asked.result) {
    auto step = waitFor(asked.progress ? troubleIn(*asked.progress) : asked.trouble);
    step.report = asked.progress;
    return step;
  }
  EraseStep step{.progress = host::Done{}, .report = asked.result};
  agents_.jobs().forgetErasure(uid);
  const auto& outcome = step.report->outcome;
  step.isIdle = outcome == "idle";
  if (step.isIdle) return step;
  if (outcome != "done") {
    step.progress = Refused{fmt::format("the drives were not erased: {}", step.report->error)};
    return step;
  }
  const auto left = bmc::firstUnerased(ask.order, step.report->drives);
  const bool isStepLeft = bmc::firstUntaken(ask.order, step.report->steps).has_value();
  step.isIdle = ask.resumeOnly && isStepLeft;  // an order that begins something has the agent take it
  if (left.empty()) return step;
  if (ask.resumeOnly)
    step.isIdle = true;  // the order has been changed since it ended
  else
    step.progress = Refused{fmt::format("the agent says that it is done, and not that the drive {} is erased", left)};
  return step;
}

}  // namespace ingot::coordinator::agents
