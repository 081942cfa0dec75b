// The image of a host as Ironic wants it (spec/ironic.md §5.9). Pure.
#pragma once

#include "api/bmh/image.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"
#include "ironic-client/node_patch.hpp"

#include <string>

namespace ingot::coordinator::host::ironic_backend {

// What shall be on the disk, or boot.
struct Deployment {
  std::string uid;
  api::Image image;                // url empty: none (custom deployment)
  std::string customDeployMethod;  // empty: none
  std::string bootMode;
  std::optional<api::RootDeviceHints> rootDeviceHints;
  std::string imagePullSecret;
  bool moved = false;  // the node has changed its state since this attempt at it began
};

[[nodiscard]] Deployment deploymentOf(const std::string& uid, const ProvisionData& data);

// Everything a node must know before "active" is sent.
void setInstance(ironic::NodePatch& patch, const ironic::Node& node, const Deployment& wanted,
                 const Settings& settings);

// The deploy_interface that `wanted` needs; "" for Ironic's default.
[[nodiscard]] std::string deployInterface(const Deployment& wanted);
// The node's deploy_interface must change, which only some states allow.
[[nodiscard]] bool needsOtherDeployInterface(const ironic::Node& node, const Deployment& wanted);

// What the node was told is this text. Ironic shows "******" in place of what it takes for a password, also in the
// middle of a URL (?token=…).
[[nodiscard]] bool readsAs(std::string_view told, std::string_view text);

// The node was last told to deploy an image from somewhere else. Of OCI images Ironic may keep a name of its own.
[[nodiscard]] bool holdsOther(const ironic::Node& node, const api::Image& image);

// The node was last told to deploy exactly this image.
[[nodiscard]] bool sameImage(const ironic::Node& node, const api::Image& image);

}  // namespace ingot::coordinator::host::ironic_backend
