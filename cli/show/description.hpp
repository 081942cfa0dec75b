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
  std::optional<std::vector<kube::Event>> events = std::vector<kube::Event>();  // in any order; nullopt: not known
};

// Where it stands, why it is not further, what it is made of, conditions, what happened.
[[nodiscard]] std::string describeHost(const HostPicture& picture, base::WallTime now);

}  // namespace ingot::cli
