// How the API knows the kinds of metal3.io around the BareMetalHost.
#include "api/kind_words.hpp"
#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"

namespace ingot::api {

namespace {

constexpr GroupVersion kHere{"metal3.io", "v1alpha1"};

constexpr std::string_view kSubscriptionNames[] = {"bes", "bmcevent"}, kSwitchNames[] = {"bms"},
                           kSettingsNames[] = {"hfs"}, kImageNames[] = {"ppimg"};

constexpr kube::Column kSubscriptionColumns[] = {
    {.name = "Error", .type = "string", .jsonPath = ".status.error", .description = "What went wrong"},
    column::age,
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
    column::age,
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

constinit const kube::KindInfo BMCEventSubscription::info =
    infoOf(kHere, {.kind = "BMCEventSubscription",
                   .plural = "bmceventsubscriptions",
                   .doc = "Has the BMC of a host send its events somewhere.",
                   .shortNames = kSubscriptionNames,
                   .columns = kSubscriptionColumns});

constinit const kube::KindInfo BareMetalSwitch::info = infoOf(kHere, {.kind = "BareMetalSwitch",
                                                                      .plural = "baremetalswitches",
                                                                      .doc = "A switch that hosts are plugged into.",
                                                                      .shortNames = kSwitchNames,
                                                                      .columns = kSwitchColumns});

constinit const kube::KindInfo DataImage::info =
    infoOf(kHere, {.kind = "DataImage",
                   .plural = "dataimages",
                   .doc = "An image to attach to the BareMetalHost of the same name at its next reboot."});

constinit const kube::KindInfo FirmwareSchema::info =
    infoOf(kHere, {.kind = "FirmwareSchema",
                   .plural = "firmwareschemas",
                   .doc = "The firmware settings that hosts of one make have.",
                   .status = false});

constinit const kube::KindInfo HostClaim::info =
    infoOf(kHere, {.kind = "HostClaim", .plural = "hostclaims", .doc = "Asks for a host of another namespace."});

constinit const kube::KindInfo HostDeployPolicy::info =
    infoOf(kHere, {.kind = "HostDeployPolicy",
                   .plural = "hostdeploypolicies",
                   .doc = "Which namespaces may claim hosts of this one."});

constinit const kube::KindInfo HostFirmwareComponents::info =
    infoOf(kHere, {.kind = "HostFirmwareComponents",
                   .plural = "hostfirmwarecomponents",
                   .doc = "The firmware of the BareMetalHost of the same name."});

constinit const kube::KindInfo HostFirmwareSettings::info =
    infoOf(kHere, {.kind = "HostFirmwareSettings",
                   .plural = "hostfirmwaresettings",
                   .doc = "The firmware settings of the BareMetalHost of the same name.",
                   .shortNames = kSettingsNames});

constinit const kube::KindInfo HostNetworkAttachment::info =
    infoOf(kHere, {.kind = "HostNetworkAttachment",
                   .plural = "hostnetworkattachments",
                   .doc = "A network that NICs of hosts may be attached to.",
                   .columns = kAttachmentColumns});

constinit const kube::KindInfo HostUpdatePolicy::info =
    infoOf(kHere, {.kind = "HostUpdatePolicy",
                   .plural = "hostupdatepolicies",
                   .doc = "When the BareMetalHost of the same name may be changed while it is in use.",
                   .status = false});

constinit const kube::KindInfo PreprovisioningImage::info =
    infoOf(kHere, {.kind = "PreprovisioningImage",
                   .plural = "preprovisioningimages",
                   .doc = "A ramdisk for the BareMetalHost of the same name.",
                   .shortNames = kImageNames,
                   .columns = kImageColumns});

}  // namespace ingot::api

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::FirmwareSchema>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostFirmwareSettings>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostFirmwareComponents>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostClaim>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostDeployPolicy>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::DataImage>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostUpdatePolicy>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BMCEventSubscription>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::PreprovisioningImage>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalSwitch>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostNetworkAttachment>();
