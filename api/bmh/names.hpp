// Names that are part of the host API: finalizers, annotations, labels (spec/baremetalhost.md §1, §9).
#pragma once

#include <string_view>

namespace ingot::api {

namespace finalizer {
inline constexpr std::string_view host = "baremetalhost.metal3.io";
inline constexpr std::string_view secret = "baremetalhost.metal3.io/secret";
inline constexpr std::string_view hardwareData = "baremetalhost.metal3.io/hardwareData";
inline constexpr std::string_view preprovisioningImage = "baremetalhost.metal3.io/preprovisioningImage";
}  // namespace finalizer

namespace annotation {
inline constexpr std::string_view paused = "baremetalhost.metal3.io/paused";
inline constexpr std::string_view detached = "baremetalhost.metal3.io/detached";
inline constexpr std::string_view status = "baremetalhost.metal3.io/status";
inline constexpr std::string_view reboot = "reboot.metal3.io";  // and reboot.metal3.io/<key>
inline constexpr std::string_view rebootPrefix = "reboot.metal3.io/";
inline constexpr std::string_view inspect = "inspect.metal3.io";
inline constexpr std::string_view hardwareDetails = "inspect.metal3.io/hardwaredetails";
inline constexpr std::string_view agent = "ingot.dev/agent";
inline constexpr std::string_view bmcPinnedKey = "ingot.dev/bmc-pinned-key";
inline constexpr std::string_view bmcTls = "ingot.dev/bmc-tls";
inline constexpr std::string_view nmi = "ingot.dev/nmi";
inline constexpr std::string_view acCycle = "ingot.dev/ac-cycle";
inline constexpr std::string_view deleteForMove = "clusterctl.cluster.x-k8s.io/delete-for-move";
}  // namespace annotation

namespace label {
inline constexpr std::string_view environment = "environment.metal3.io";
inline constexpr std::string_view environmentBaremetal = "baremetal";
}  // namespace label

}  // namespace ingot::api
