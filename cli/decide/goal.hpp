// What one can wait for.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::cli {

struct Goal {
  // oneShot: an NMI or an AC cycle has been carried out, which its Event alone tells.
  enum class What { state, power, condition, deleted, rebooted, inspected, oneShot } what = What::state;
  std::string name;   // the state; the condition's type; nmi | ac-cycle
  std::string value;  // on | off; True | False | Unknown
};

// A provisioning state ("provisioned"), "power=on", "power=off", "condition=TYPE[=STATUS]", "deleted".
// Throws base::InvalidInput that lists what there is.
[[nodiscard]] Goal parseGoal(std::string_view text);

// How a one-shot ended, by the reason of an Event of its host; nullopt: it tells of something else.
[[nodiscard]] std::optional<bool> hasDone(const Goal& goal, std::string_view reason);

// `host` is what the API says now. Nothing stale counts: unknown power is neither on nor off.
[[nodiscard]] bool reached(const Goal& goal, const api::BareMetalHost& host);

// "provisioned", "powered off", "Ready: True", "gone", "rebooted", "inspected", "sent an NMI", "AC-cycled"
[[nodiscard]] std::string textOf(const Goal& goal);

}  // namespace ingot::cli
