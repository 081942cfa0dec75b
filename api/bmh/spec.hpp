// What the user wants of a host (spec/baremetalhost.md §2.1).
#pragma once

#include "api/bmh/hardware_details.hpp"
#include "api/bmh/image.hpp"
#include "api/bmh/raid.hpp"
#include "api/bmh/references.hpp"
#include "api/bmh/root_device_hints.hpp"
#include "json/boxed.hpp"

namespace ingot::api {

struct BmcDetails {
  std::string address, credentialsName;
  bool disableCertificateVerification = false;

  static void describe(auto& v) {
    v.field("address", &BmcDetails::address)
        .required()
        .doc("URL of the BMC, for example redfish://10.0.0.1/redfish/v1/Systems/1.");
    v.field("credentialsName", &BmcDetails::credentialsName).required().doc("Secret with username and password.");
    v.field("disableCertificateVerification", &BmcDetails::disableCertificateVerification)
        .doc("Accept any certificate of the BMC.");
  }
  friend bool operator==(const BmcDetails&, const BmcDetails&) = default;
};

struct CustomDeploy {
  std::string method;

  static void describe(auto& v) {
    v.field("method", &CustomDeploy::method).required().doc("Name of the deploy step that the ramdisk offers.");
  }
  friend bool operator==(const CustomDeploy&, const CustomDeploy&) = default;
};

// No longer used; admission refuses it in spec.
struct FirmwareConfig {
  std::optional<bool> simultaneousMultithreadingEnabled, sriovEnabled, virtualizationEnabled;

  static void describe(auto& v) {
    v.doc("No longer supported: use HostFirmwareSettings.");
    v.field("simultaneousMultithreadingEnabled", &FirmwareConfig::simultaneousMultithreadingEnabled)
        .oneOf({true, false});
    v.field("sriovEnabled", &FirmwareConfig::sriovEnabled).oneOf({true, false});
    v.field("virtualizationEnabled", &FirmwareConfig::virtualizationEnabled).oneOf({true, false});
  }
  friend bool operator==(const FirmwareConfig&, const FirmwareConfig&) = default;
};

struct HostNetworkAttachmentRef {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.field("name", &HostNetworkAttachmentRef::name).maxLength(253).doc("Name of the HostNetworkAttachment.");
    v.field("namespace", &HostNetworkAttachmentRef::namespace_)
        .maxLength(63)
        .doc("Namespace of the object; empty means the host's namespace.");
  }
  friend bool operator==(const HostNetworkAttachmentRef&, const HostNetworkAttachmentRef&) = default;
};

struct SwitchPort {
  std::string portID, switchID;

  static void describe(auto& v) {
    v.field("portID", &SwitchPort::portID).required().doc("Port of the switch.");
    v.field("switchID", &SwitchPort::switchID)
        .required()
        .pattern(kMacPatternAnchored)
        .doc("MAC address that identifies the switch.");
  }
  friend bool operator==(const SwitchPort&, const SwitchPort&) = default;
};

struct NetworkInterface {
  std::string name, macAddress;
  std::optional<HostNetworkAttachmentRef> hostNetworkAttachment;
  std::optional<SwitchPort> switchPort;

  static void describe(auto& v) {
    v.field("hostNetworkAttachment", &NetworkInterface::hostNetworkAttachment)
        .doc("The network to attach the interface to.");
    v.field("macAddress", &NetworkInterface::macAddress)
        .pattern(kMacPatternAnchored)
        .doc("MAC address of the interface.");
    v.field("name", &NetworkInterface::name).pattern("^[a-zA-Z0-9._-]+$").doc("Name of the interface.");
    v.field("switchPort", &NetworkInterface::switchPort).doc("The switch port it is plugged into.");
  }
  friend bool operator==(const NetworkInterface&, const NetworkInterface&) = default;
};

struct BareMetalHostSpec {
  std::string architecture;
  std::string automatedCleaningMode;  // metadata | disabled; the API server fills in metadata
  BmcDetails bmc;
  std::string bootMACAddress;
  std::string bootMode;  // UEFI | UEFISecureBoot | legacy; "" works as UEFI
  std::optional<ObjectReference> consumerRef;
  std::optional<CustomDeploy> customDeploy;
  std::string description;
  bool disablePowerOff = false;
  bool externallyProvisioned = false;
  std::optional<FirmwareConfig> firmware;
  std::string hardwareProfile;
  std::optional<Image> image;
  std::string inspectionMode;  // disabled | agent | fast
  std::optional<SecretReference> metaData, networkData, userData;
  std::vector<NetworkInterface> networkInterfaces;
  bool online = false;
  std::string preprovisioningNetworkDataName;
  std::optional<RaidConfig> raid;
  json::Boxed<RootDeviceHints> rootDeviceHints;
  std::vector<Taint> taints;

  static void describe(auto& v) {
    using S = BareMetalHostSpec;
    v.doc("The wanted state of a host.");
    v.field("architecture", &S::architecture)
        .doc("CPU architecture, like x86_64 or aarch64; found by inspection when empty.");
    v.field("automatedCleaningMode", &S::automatedCleaningMode)
        .oneOf({"metadata", "disabled"})
        .defaultTo("metadata")
        .doc("Whether the disks' metadata are removed when the host is prepared and deprovisioned.");
    v.field("bmc", &S::bmc).doc("Address and credentials of the BMC.");
    v.field("bootMACAddress", &S::bootMACAddress)
        .pattern(kMacPattern)
        .doc("MAC address of the NIC that boots over the network.");
    v.field("bootMode", &S::bootMode)
        .oneOf({"UEFI", "UEFISecureBoot", "legacy"})
        .doc("Firmware boot mode; UEFI when not given.");
    v.field("consumerRef", &S::consumerRef)
        .mapType("atomic")
        .doc("Object that uses the host. A host with a consumer is not given to another.");
    v.field("customDeploy", &S::customDeploy).doc("Deploy with a custom step instead of writing an image.");
    v.field("description", &S::description).doc("Free text for people.");
    v.field("disablePowerOff", &S::disablePowerOff).doc("Never power the host off: reboot it instead.");
    v.field("externallyProvisioned", &S::externallyProvisioned)
        .doc("Something else runs on the host: manage its power only.");
    v.field("firmware", &S::firmware).doc("No longer supported: use HostFirmwareSettings.");
    v.field("hardwareProfile", &S::hardwareProfile).doc("Deprecated: use rootDeviceHints.");
    v.field("image", &S::image).doc("The image to run. Removing it deprovisions the host.");
    v.field("inspectionMode", &S::inspectionMode)
        .oneOf({"disabled", "agent", "fast"})
        .doc("Inspection mode: agent boots a ramdisk on the host, fast asks the BMC only, disabled skips inspection.");
    v.field("metaData", &S::metaData).doc("Secret with meta data (key metaData) for the config drive.");
    v.field("networkData", &S::networkData).doc("Secret with network data (key networkData) for the config drive.");
    v.field("networkInterfaces", &S::networkInterfaces).doc("Network attachments of single interfaces.");
    v.field("online", &S::online).required().doc("Whether the host should be powered on.");
    v.field("preprovisioningNetworkDataName", &S::preprovisioningNetworkDataName)
        .doc("Secret with network data for the ramdisk, where the network has no DHCP.");
    v.field("raid", &S::raid).doc("RAID volumes to make when the host is prepared.");
    v.field("rootDeviceHints", &S::rootDeviceHints).doc("Hints that select the disk which receives the image.");
    v.field("taints", &S::taints).doc("Deprecated, never used.");
    v.field("userData", &S::userData).doc("Secret with user data (key userData, or value) for the config drive.");
  }
  friend bool operator==(const BareMetalHostSpec&, const BareMetalHostSpec&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalHostSpec>();
