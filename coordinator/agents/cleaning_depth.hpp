// How deep an agent may clean a host's disks, as its annotation says (docs/guide/without-ironic.md). Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/erasure.hpp"

#include <map>
#include <optional>
#include <string>

namespace ingot::coordinator::agents {

inline constexpr std::string_view cleaningDepthAnnotation = "ingot.dev/cleaning-depth";

struct CleaningDepth {
  bmc::EraseDepth depth = bmc::EraseDepth::crypto;
  std::map<std::string, bmc::EraseDepth> bySerial;  // in place of `depth`
};

// "crypto", "full", and for single disks by serial number "crypto,S3XYZ=full,S4XYZ=keep". nullopt: agents may not erase
// anything. Throws base::InvalidInput.
[[nodiscard]] std::optional<CleaningDepth> cleaningDepth(const api::BareMetalHost& host);

inline constexpr std::string_view cleaningStepsAnnotation = "ingot.dev/cleaning-steps";

// What else an agent is to do when it has erased the disks: "clear-sel,clear-sessions,reset-boot-order". Throws
// base::InvalidInput.
[[nodiscard]] std::vector<bmc::CleaningStep> cleaningSteps(const api::BareMetalHost& host);

// Why an agent cannot clean the disks of this host by what is known of it, with what would be right; "": it may try.
[[nodiscard]] std::string whyNotErasable(const api::BareMetalHost& host);

// What is to be erased, and done then. Throws base::InvalidInput.
[[nodiscard]] bmc::EraseOrder eraseOrder(const api::BareMetalHost& host, const CleaningDepth& depth);

// The host says this now. Never throws.
[[nodiscard]] bool stillOrders(const api::BareMetalHost& host, const bmc::EraseOrder& order);

}  // namespace ingot::coordinator::agents
