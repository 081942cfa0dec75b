// From an image's URL onto a disk, checksum and config drive included.
#pragma once

#include "base/runtime.hpp"
#include "json/value.hpp"
#include "sim/machine/machine.hpp"
#include "sim/ramdisk/http_clients.hpp"

#include <string>

namespace ingot::sim::ramdisk {

// What went wrong with a deployment, in words for Ironic's last_error.
class DeployError final : public base::Error {
 public:
  using Error::Error;
};

struct ImageRequest {
  std::string url, diskFormat;
  std::string algorithm, checksum;  // both empty: none wanted. A checksum may be the URL of a checksum file
  json::Object rootDevice;          // hints
  std::string configDrive;          // base64 of gzip of an ISO; "" for none
};

// Reads the request from write_image's arguments and the node that came with them.
[[nodiscard]] ImageRequest readImageRequest(const json::Value& args, const json::Value& node);

// The ISO of a config drive as Ironic hands it over: base64 of a gzipped ISO. Throws base::Error for what is no base64
// or no gzip, or unpacks to more than 64 MiB.
[[nodiscard]] std::string unpackConfigDrive(std::string_view packed);

// Bytes written. The checksum is of the bytes as downloaded; nothing but raw and qcow2 is known. Throws DeployError,
// net::HttpError, base::Error.
[[nodiscard]] base::Task<std::uint64_t> writeImage(base::Runtime runtime, HttpClients& clients, Machine& machine,
                                                   ImageRequest request);

}  // namespace ingot::sim::ramdisk
