#include "coordinator/agents/erase_book.hpp"

#include "base/cut_text.hpp"
#include "coordinator/agents/passing.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestReason = 1024, longestDriveText = 256;  // bytes
constexpr std::size_t mostSteps = 16;
constexpr base::Duration afterEraseRefusal = std::chrono::seconds(2);
constexpr base::Duration whileBusy = std::chrono::seconds(15);  // each time the agent looks at all drives
constexpr base::Duration afterObstacle = std::chrono::seconds(15);
constexpr base::Duration askedHowFar = std::chrono::seconds(30);
// A server shows its drives minutes after it was switched on.
constexpr base::Duration obstaclePasses = std::chrono::minutes(15);

// Or it is waited for what somebody else does to a drive.
bool isGoingOn(const wire::EraseReport& report) {
  return std::ranges::any_of(report.drives, [](const auto& drive) {
    const bool waits = drive.state == toText(bmc::ErasureState::waiting) && !drive.error.empty();
    return waits || drive.state == toText(bmc::ErasureState::running);
  });
}

void bound(wire::EraseReport& report) {
  report.error = base::cutText(report.error, longestReason);
  for (auto* text :
       {&report.manufacturer, &report.model, &report.serialNumber, &report.systemUuid, &report.bmcFirmware})
    *text = base::cutText(*text, longestDriveText);
  if (report.drives.size() > bmc::mostErasedDrives) report.drives.resize(bmc::mostErasedDrives);
  for (auto& drive : report.drives) {
    for (auto* text : {&drive.name, &drive.vendor, &drive.model, &drive.serialNumber, &drive.kind, &drive.method,
                       &drive.state, &drive.verification, &drive.error})
      *text = base::cutText(*text, longestDriveText);
    drive.path.clear();
    drive.task.clear();
  }
  if (report.steps.size() > mostSteps) report.steps.resize(mostSteps);
  for (auto& step : report.steps)
    for (auto* text : {&step.step, &step.outcome, &step.detail}) *text = base::cutText(*text, longestReason);
}

}  // namespace

AskedErasure& EraseBook::ask(const std::string& uid, const EraseAsk& ask, base::MonoTime now) {
  auto& asked = asked_[uid];
  if (asked.tokens.empty() || asked.ask != ask) asked = {.ask = ask, .againAt = now, .idle = WaitTime(now)};
  return asked;
}

bool EraseBook::answered(const std::string& agent, wire::EraseReport report, base::MonoTime now) {
  auto* asked = find(report.host);
  if (asked == nullptr || asked->agent != agent || asked->result || asked->ask.job != report.job ||
      !asked->tokens.contains(report.token))
    return false;
  bound(report);
  if (report.outcome == "running") {
    asked->againAt = now + askedHowFar;
    if (!isGoingOn(report)) return false;  // the agent has begun to look
    asked->idle = WaitTime(now);
    asked->trouble.clear();
    const bool isNew = !asked->progress;
    asked->progress = std::move(report);
    return isNew;
  }
  asked->trouble.clear();
  if (isRefusedForNow(report.outcome, report.errorCode)) {
    asked->againAt = now + (report.errorCode == "busy" ? whileBusy : afterEraseRefusal);
    asked->progress.reset();
    asked->trouble = std::move(report.error);
    return false;
  }
  if (mayPass(report.outcome, report.errorCode) && asked->idle.lasts() < obstaclePasses) {
    asked->againAt = now + afterObstacle;
    asked->trouble = std::move(report.error);
    asked->progress.reset();
    return true;
  }
  asked->result = std::move(report);
  return true;
}

}  // namespace ingot::coordinator::agents
