#include "coordinator/agents/agent_erasure.hpp"

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

// A drive that was to be erased and is not, by what the agent reports; "": none.
std::string notErased(const bmc::EraseOrder& order, const wire::EraseReport& report) {
  const auto isGone = [&](const std::string& serial) {
    const bool isToStay = depthOf(order, serial) == bmc::EraseDepth::keep;
    return std::ranges::any_of(report.drives, [&](const auto& drive) {
      const bool isErased = drive.state == toText(bmc::ErasureState::erased);
      const bool isKept = drive.state == toText(bmc::ErasureState::kept);
      return bmc::sameSerial(drive.serialNumber, serial) && (isErased || (isToStay && isKept));
    });
  };
  for (const auto& serial : order.known)
    if (!isGone(serial)) return serial;
  for (const auto& drive : report.drives)
    if (!isGone(drive.serialNumber)) return drive.serialNumber;
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
  EraseStep step{.progress = host::Done{}, .isIdle = asked.result->outcome == "idle", .report = asked.result};
  if (asked.result->outcome != "done" && !step.isIdle)
    step.progress = Refused{fmt::format("the drives were not erased: {}", asked.result->error)};
  else if (const auto left = ask.resumeOnly ? std::string() : notErased(ask.order, *asked.result); !left.empty())
    step.progress = Refused{fmt::format("the agent says that it is done, and not that the drive {} is erased", left)};
  else if (!step.isIdle && !notErased(ask.order, *asked.result).empty())
    step.isIdle = true;  // the order has been changed since it ended
  agents_.forgetErasure(uid);
  return step;
}

}  // namespace ingot::coordinator::agents
