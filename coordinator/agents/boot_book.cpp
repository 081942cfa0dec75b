#include "coordinator/agents/boot_book.hpp"

#include "base/cut_text.hpp"
#include "coordinator/agents/passing.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr std::size_t longestError = 1024;  // bytes
constexpr base::Duration afterBootRefusal = std::chrono::seconds(2);
constexpr base::Duration afterTrouble = std::chrono::seconds(15);
constexpr base::Duration troublePasses = std::chrono::minutes(5);

}  // namespace

AskedBoot& BootBook::ask(const std::string& uid, const bmc::BootPlan& plan, base::MonoTime now) {
  auto& asked = asked_[uid];
  if (asked.tokens.empty() || asked.plan != plan) asked = {.plan = plan, .waited = WaitTime(now), .againAt = now};
  return asked;
}

bool BootBook::answered(const std::string& agent, const wire::BootResult& result, base::MonoTime now) {
  auto* asked = find(result.host);
  if (asked == nullptr || asked->agent != agent || asked->result || !asked->tokens.contains(result.token)) return false;
  if (isRefusedForNow(result.outcome, result.errorCode)) {
    asked->againAt = now + afterBootRefusal;
    asked->trouble = base::cutText(result.error, longestError);
    asked->isOccupied = result.errorCode == "busy";
    return false;
  }
  if (mayPass(result.outcome, result.errorCode) && asked->waited.lasts() < troublePasses) {
    asked->againAt = now + afterTrouble;
    asked->trouble = base::cutText(result.error, longestError);
    asked->isOccupied = false;
    return true;
  }
  asked->result = result;
  asked->answeredAt = now;
  asked->result->error = base::cutText(result.error, longestError);
  return true;
}

}  // namespace ingot::coordinator::agents
