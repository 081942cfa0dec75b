// What is known of a host's power, and what is wanted.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"

#include <optional>
#include <string>

namespace ingot::cli {

struct PowerKnowledge {
  enum class State { never, unknown, on, off } state = State::never;  // never: nobody has looked yet
  bool lastOn = false;                                                // what it was when it was last known
  std::optional<base::WallTime> since;                                // of `unknown`
};

// status.poweredOn, unless the condition PowerStateKnown says that it is stale.
[[nodiscard]] PowerKnowledge powerOf(const api::BareMetalHost& host);

// "on", "off", "-"; "on->off" while it is on and should be off; "unknown(2m)" since then. One word, for tables.
[[nodiscard]] std::string powerWord(const api::BareMetalHost& host, base::WallTime now);

// A sentence: "on, and should be off".
[[nodiscard]] std::string powerSentence(const api::BareMetalHost& host, base::WallTime now);

}  // namespace ingot::cli
