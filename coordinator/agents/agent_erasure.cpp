#include "coordinator/agents/agent_erasure.hpp"

#include "coordinator/agents/agent_boot.hpp"

namespace ingot::coordinator::agents {

namespace {

using host::Refused;
using host::Working;

constexpr base::Duration lookAgain = std::chrono::seconds(5);  // the end of it ends the wait earlier

EraseStep waitFor(std::string why = {}) {
  return {.progress = Working{.after = lookAgain, .obstacle = std::move(why)}};
}

// What goes wrong while it goes on.
std::string troubleIn(const wire::EraseReport& report) {
  for (const auto& drive : report.drives)
    if (!drive.error.empty() && drive.state != toText(bmc::ErasureState::erased))
      return fmt::format("the drive {}: {}", drive.serialNumber, drive.error);
  return {};
}

}  // namespace

EraseStep AgentErasure::step(const std::string& uid, const EraseAsk& ask) {
  if (!agents_.serves(uid)) return waitFor(agents_.mayStillCome(uid) ? std::string() : std::string(noAgent));
  if (!agents_.erasesDrives(uid))
    return waitFor("the agent that serves this host is of a version that erases no drives");
  const auto& asked = agents_.askForErasure(uid, ask);
  if (!asked.result) {
    auto step = waitFor(asked.progress ? troubleIn(*asked.progress) : asked.trouble);
    step.report = asked.progress;
    return step;
  }
  EraseStep step{.progress = host::Done{}, .isUnknown = asked.result->outcome == "unknown-job", .report = asked.result};
  if (asked.result->outcome != "done" && !step.isUnknown)
    step.progress = Refused{fmt::format("the drives were not erased: {}", asked.result->error)};
  agents_.forgetErasure(uid);
  return step;
}

}  // namespace ingot::coordinator::agents
