// What an agent can boot a host from. Pure.
#pragma once

#include "bmc/model/boot.hpp"

#include <string>

namespace ingot::coordinator::agents {

struct LiveIso {
  std::string url, bootMode, bmcAddress;
};

// Why only Ironic could boot it; "": an agent may try.
[[nodiscard]] std::string whyNotByAgent(const LiveIso& wanted);

// How a host that runs from a live ISO boots, now and at each later power-on.
[[nodiscard]] bmc::BootPlan liveBoot(const std::string& image, const std::string& bootMode);

// For people: for want of what a live ISO is neither inserted nor ejected.
inline constexpr std::string_view mustBeSwitchedOff =
    "a host is switched off before its live ISO is inserted and before it is ejected, which disablePowerOff forbids";

}  // namespace ingot::coordinator::agents
