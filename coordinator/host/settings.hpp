// Root device hints and RAID as they are to be applied before the host becomes available (spec/baremetalhost.md §8.5).
// Pure: status in, status out.
#pragma once

#include "api/bmh/baremetalhost.hpp"

namespace ingot::coordinator::host {

struct HostSettings {
  std::optional<api::RootDeviceHints> rootDeviceHints;
  std::optional<api::RaidConfig> raid;
};

// What status.provisioning records now, and what spec and profile ask for (throws base::InvalidInput for an unknown
// one).
[[nodiscard]] HostSettings appliedSettings(const api::BareMetalHost& host);
[[nodiscard]] HostSettings wantedSettings(const api::BareMetalHost& host);

[[nodiscard]] bool settingsDiffer(const api::BareMetalHost& host);

void recordSettings(api::BareMetalHost& host, const HostSettings& settings);

// Forgets what is to be applied afresh. Hardware RAID volumes are kept, so that they are not built again.
void clearSettings(api::BareMetalHost& host);

}  // namespace ingot::coordinator::host
