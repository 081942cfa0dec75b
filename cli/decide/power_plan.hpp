// What to write so that a host's power becomes what the operator wants. Power goes through intent: nobody but the
// coordinator switches anything (spec/baremetalhost.md §8.11).
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"
#include "cli/command/command.hpp"

#include <string>
#include <vector>

namespace ingot::cli {

struct PowerPlan {
  std::string refusal;             // not empty: it cannot be had, why, and what to do
  json::Object patch;              // merge patch; empty: nothing is left to ask for
  std::string said;                // one line: what was asked for and how
  std::vector<std::string> notes;  // what stands in the way
};

// `verb` is on, off or reboot.
[[nodiscard]] PowerPlan planPower(PowerVerb verb, bool hard, const api::BareMetalHost& host);

// The same for an NMI or an AC cycle, which are done once, at once or not at all: `now` is when they were asked for.
[[nodiscard]] PowerPlan planOneShot(PowerVerb verb, const api::BareMetalHost& host, base::WallTime now);

// The same for a new inspection, which is asked for by an annotation.
[[nodiscard]] PowerPlan planInspection(const api::BareMetalHost& host);

}  // namespace ingot::cli
