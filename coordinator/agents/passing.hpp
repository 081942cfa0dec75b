// Whether what an agent answered may be otherwise a moment later. Pure.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace ingot::coordinator::agents {

// The right to act has changed, or the agent is at work for this host.
[[nodiscard]] inline bool isRefusedForNow(std::string_view outcome, std::string_view errorCode) {
  static constexpr std::array<std::string_view, 3> passing{"busy", "no-lease", "stale-token"};
  return outcome == "refused" && std::ranges::find(passing, errorCode) != passing.end();
}

// The BMC cannot be spoken to at the moment.
[[nodiscard]] inline bool mayPass(std::string_view outcome, std::string_view errorCode) {
  static constexpr std::array<std::string_view, 6> passing{"unreachable",     "timeout",    "busy",
                                                           "outcome-unknown", "locked-out", "not-reached"};
  return outcome == "failed" && std::ranges::find(passing, errorCode) != passing.end();
}

}  // namespace ingot::coordinator::agents
