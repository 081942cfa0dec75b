// What one can wait for.
#pragma once

#include "api/bmh/baremetalhost.hpp"

#include <string>
#include <string_view>

namespace ingot::cli {

struct Goal {
  enum class What { state, power, condition, deleted, rebooted, inspected } what = What::state;
  std::string name;   // the state; the condition's type
  std::string value;  // on | off; True | False | Unknown
};

// A provisioning state ("provisioned"), "power=on", "power=off", "condition=TYPE[=STATUS]", "deleted".
// Throws base::InvalidInput that lists what there is.
[[nodiscard]] Goal parseGoal(std::string_view text);

// `host` is what the API says now. Nothing stale counts: unknown power is neither on nor off.
[[nodiscard]] bool reached(const Goal& goal, const api::BareMetalHost& host);

// "provisioned", "powered off", "Ready: True", "gone", "rebooted", "inspected"
[[nodiscard]] std::string textOf(const Goal& goal);

}  // namespace ingot::cli
