// From an image's URL onto a disk, checksum and config drive included.
#pragma once

#include "base/runtime.hpp"
#include "json/value.hpp"
#include "sim/machine/machine.hpp"
#include "sim/ramdisk/origins.hpp"

#include <string>

namespace ingot::sim::ramdisk {

// What went wrong with a deployment, in words for Ironic's last_error.
class DeployError final : public base::Error {
 public:
  using Error::Error;
};

struct ImageOrder {
  std::string url, diskFormat;
  std::string algorithm, checksum;  // both empty: none wanted. A checksum may be the URL of a checksum file
  json::Object rootDevice;          // hints
  std::string configDrive;          // base64 of gzip of an ISO; "" for none
};

// Reads the order from write_image's arguments and the node that came with them.
[[nodiscard]] ImageOrder readImageOrder(const json::Value& args, const json::Value& node);

// Bytes written. The checksum is of the bytes as downloaded; nothing but raw and qcow2 is known. Throws DeployError,
// net::HttpError, base::Error.
[[nodiscard]] base::Task<std::uint64_t> writeImage(base::Runtime runtime, Origins& origins, Machine& machine,
                                                   ImageOrder order);

}  // namespace ingot::sim::ramdisk
