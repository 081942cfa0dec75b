// What Ironic tells the ramdisk on its kernel command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ingot::sim::ramdisk {

struct Parameters {
  std::string apiUrl;              // where to look up and to send heartbeats
  std::string inspectionCallback;  // "" unless an inspection was asked for
  std::string agentToken;          // given with virtual media only
};

// Finds them anywhere in what Ironic prepared: an iPXE script, or the bytes of an ISO. nullopt when none is there.
[[nodiscard]] std::optional<Parameters> findParameters(std::string_view prepared);

}  // namespace ingot::sim::ramdisk
