// Why a machine gets a host or none, in one line for people: "12 hosts: 7 in use, 3 not available (inspecting), 2
// without label rack=a". Pure.
#pragma once

#include "coordinator/machine/host_choice.hpp"

#include <functional>
#include <string>

namespace ingot::coordinator::machine {

// Whether there is nothing of whom hosts are kept for, see nodeReuseName(). Empty: nobody knows.
using IsGone = std::function<bool(const std::string& owner)>;

// `candidates`: those that the choice was made of; `inUse`: how many more there are, all in somebody's use;
// `unreadable`: how many may be anything.
[[nodiscard]] std::string whyNoHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse,
                                    const HostWish& wish, const IsGone& isGone = {}, std::size_t unreadable = 0);

// Why it got the host of `choice`: "host h2, one of 3 that fit (12 hosts: 7 in use, 2 without label rack=a)".
[[nodiscard]] std::string whyThisHost(std::span<const BareMetalHost* const> candidates, std::size_t inUse,
                                      const HostWish& wish, const HostChoice& choice);
// The same without a look at each candidate: where there are more than kFew that would cost more than the choice.
inline constexpr std::size_t kFew = 256;
[[nodiscard]] std::string whyThisHost(std::size_t candidates, std::size_t inUse, const HostWish& wish,
                                      const HostChoice& choice);

}  // namespace ingot::coordinator::machine
