// Small pieces of a node's record that are computed from the host (spec/ironic.md §5.1, §5.6, §5.8, §8.1). Pure.
#pragma once

#include "api/bmh/root_device_hints.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "ironic-client/node.hpp"
#include "ironic-client/node_patch.hpp"
#include "json/value.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ingot::coordinator::host::ironic_backend {

// The record may be changed now: Ironic is not at work on the node (§3.5).
[[nodiscard]] bool acceptsUpdates(const ironic::Node& node);

[[nodiscard]] std::string nodeName(std::string_view namespace_, std::string_view name);  // "metal3~worker-0"

// properties.capabilities with the boot mode put into what is there.
[[nodiscard]] std::string capabilities(const json::Object& properties, std::string_view bootMode);
// instance_info.capabilities.
[[nodiscard]] json::Object instanceCapabilities(std::string_view bootMode);

// For instance_info.root_device.
[[nodiscard]] json::Object rootDevice(const std::optional<api::RootDeviceHints>& hints);

// deploy_kernel, deploy_ramdisk, deploy_iso and kernel_append_params, all four or none: when no image can be
// determined, Ironic's own choice stands.
void setDeployImage(ironic::NodePatch& patch, const Settings& settings, bool isoBoot);

}  // namespace ingot::coordinator::host::ironic_backend
