// Why a machine gets no host, in one line for people: "12 hosts: 7 in use, 3 not available (inspecting), 2 without
// label rack=a". Pure.
#pragma once

#include "coordinator/machine/host_choice.hpp"

#include <string>

namespace ingot::coordinator::machine {

// `candidates`: those that the choice was made of; `inUse`: how many more there are, all in somebody's use.
[[nodiscard]] std::string whyNoHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse,
                                    const HostWish& wish);

}  // namespace ingot::coordinator::machine
