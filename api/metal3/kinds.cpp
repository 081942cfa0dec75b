// How the API knows the kinds of metal3.io around the BareMetalHost.
#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"

namespace ingot::api {

namespace {

constexpr std::string_view kGroup = "metal3.io", kVersion = "v1alpha1";

constexpr std::string_view kSubscriptionNames[] = {"bes", "bmcevent"}, kSwitchNames[] = {"bms"},
                           kSettingsNames[] = {"hfs"}, kImageNames[] = {"ppimg"};

constexpr kube::Column kAge{
    .name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp", .description = "Time since creation"};
constexpr kube::Column kSubscriptionColumns[] = {
    {.name = "Error", .type = "string", .jsonPath = ".status.error", .description = "What went wrong"},
    kAge,
};
constexpr kube::Column kSwitchColumns[] = {
    {.name = "Driver", .type = "string", .jsonPath = ".spec.driver", .description = "Driver to use"},
    {.name = "Device Type", .type = "string", .jsonPath = ".spec.deviceType", .description = "Make of the switch"},
    {.name = "Address", .type = "string", .jsonPath = ".spec.address", .description = "Name or address"},
    {.name = "Valid",
     .type = "string",
     .jsonPath = R"(.status.conditions[?(@.type=="Valid")].status)",
     .description = "Whether it can be used"},
};
constexpr kube::Column kAttachmentColumns[] = {
    {.name = "Mode", .type = "string", .jsonPath = ".spec.mode", .description = "Mode of the port"},
    {.name = "Native VLAN",
     .type = "integer",
     .jsonPath = ".spec.nativeVLAN",
     .description = "VLAN of untagged frames"},
    kAge,
};
constexpr kube::Column kImageColumns[] = {
    {.name = "Ready",
     .type = "string",
     .jsonPath = ".status.conditions[?(@.type=='Ready')].status",
     .description = "Whether the image is there"},
    {.name = "Reason",
     .type = "string",
     .jsonPath = ".status.conditions[?(@.type=='Ready')].reason",
     .description = "Why not"},
};

}  // namespace

const kube::KindInfo BMCEventSubscription::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "BMCEventSubscription",
    .plural = "bmceventsubscriptions",
    .statusSubresource = true,
    .shortNames = kSubscriptionNames,
    .columns = kSubscriptionColumns,
    .doc = "Has the BMC of a host send its events somewhere.",
};

const kube::KindInfo BareMetalSwitch::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "BareMetalSwitch",
    .plural = "baremetalswitches",
    .statusSubresource = true,
    .shortNames = kSwitchNames,
    .columns = kSwitchColumns,
    .doc = "A switch that hosts are plugged into.",
};

const kube::KindInfo DataImage::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "DataImage",
    .plural = "dataimages",
    .statusSubresource = true,
    .doc = "An image to attach to the BareMetalHost of the same name at its next reboot.",
};

const kube::KindInfo FirmwareSchema::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "FirmwareSchema",
    .plural = "firmwareschemas",
    .doc = "The firmware settings that hosts of one make have.",
};

const kube::KindInfo HostClaim::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostClaim",
    .plural = "hostclaims",
    .statusSubresource = true,
    .doc = "Asks for a host of another namespace.",
};

const kube::KindInfo HostDeployPolicy::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostDeployPolicy",
    .plural = "hostdeploypolicies",
    .statusSubresource = true,
    .doc = "Which namespaces may claim hosts of this one.",
};

const kube::KindInfo HostFirmwareComponents::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostFirmwareComponents",
    .plural = "hostfirmwarecomponents",
    .statusSubresource = true,
    .doc = "The firmware of the BareMetalHost of the same name.",
};

const kube::KindInfo HostFirmwareSettings::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostFirmwareSettings",
    .plural = "hostfirmwaresettings",
    .statusSubresource = true,
    .shortNames = kSettingsNames,
    .doc = "The firmware settings of the BareMetalHost of the same name.",
};

const kube::KindInfo HostNetworkAttachment::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostNetworkAttachment",
    .plural = "hostnetworkattachments",
    .statusSubresource = true,
    .columns = kAttachmentColumns,
    .doc = "A network that NICs of hosts may be attached to.",
};

const kube::KindInfo HostUpdatePolicy::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "HostUpdatePolicy",
    .plural = "hostupdatepolicies",
    .doc = "When the BareMetalHost of the same name may be changed while it is in use.",
};

const kube::KindInfo PreprovisioningImage::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "PreprovisioningImage",
    .plural = "preprovisioningimages",
    .statusSubresource = true,
    .shortNames = kImageNames,
    .columns = kImageColumns,
    .doc = "A ramdisk for the BareMetalHost of the same name.",
};

}  // namespace ingot::api
