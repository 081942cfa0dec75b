// The config drive as Ironic hands it over: base64 of a gzipped ISO.
#pragma once

#include <string>
#include <string_view>

namespace ingot::sim::ramdisk {

// The ISO. Throws base::Error for what is no base64 or no gzip, or unpacks to more than 64 MiB.
[[nodiscard]] std::string unpackConfigDrive(std::string_view packed);

}  // namespace ingot::sim::ramdisk
