// A BareMetalHost, as far as its machine's first boot needs it.
#pragma once

#include "base/secret.hpp"
#include "sim/firstboot/first_boot.hpp"

#include <string>

namespace ingot::sim::nodes {

// Names of the Secrets that its config drive is made of; "" for none.
struct DriveSecrets {
  std::string userData, metaData, networkData;
  bool operator==(const DriveSecrets&) const = default;
};

struct Host {
  std::string ns, name, uid, resourceVersion;
  bool running = false;  // an image is on its disk, and its power is on
  bool blank = false;    // nothing of an earlier image is on its disk, or is to stay there
  bool hangs = false;    // its annotation says so
  DriveSecrets secrets;

  [[nodiscard]] std::string key() const { return ns + "/" + name; }
};

// Makes the machine hang while its value is "os-hang".
inline constexpr std::string_view faultAnnotation = "sim.ingot.dev/fault";

[[nodiscard]] Host hostOf(const json::Value& object);

// The value of a Secret at `key`, or at "value"; nullopt when it has neither. Throws firstboot's BootError for no
// base64.
[[nodiscard]] std::optional<std::string> secretText(const json::Value& secret, std::string_view key);

// What reaches the machine: the meta data that every host has, with `metaData` over it. The two are YAML; an empty
// `networkData` is none. Throws BootError.
[[nodiscard]] firstboot::ConfigDrive configDriveOf(const Host& host, std::string userData, std::string_view metaData,
                                                   std::string_view networkData);

}  // namespace ingot::sim::nodes
