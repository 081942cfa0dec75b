// `ingotctl describe host` as text.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "kube/core/event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::cli {

struct HostPicture {
  api::BareMetalHost host;
  std::optional<api::HardwareDetails> hardware;
  std::vector<kube::Event> events;  // in any order
};

// Where it stands, why it is not further, what it is made of, conditions, what happened.
[[nodiscard]] std::string describeHost(const HostPicture& picture, base::WallTime now);

}  // namespace ingot::cli
