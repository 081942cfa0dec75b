#include "cli/apply/topics.hpp"

namespace ingot::cli {
namespace {

struct Topic {
  std::string_view words, field;
};

// The first line whose words are in the sentence counts.
constexpr Topic topics[] = {
    // BareMetalHost
    {"BMC type", "spec.bmc.address"},
    {"BMC address", "spec.bmc.address"},
    {"requires a BootMACAddress", "spec.bootMACAddress"},
    {"support configuring RAID", "spec.raid"},
    {"support secure boot", "spec.bootMode"},
    {"support fast (out-of-band)", "spec.inspectionMode"},
    {"BMC driver", "spec.bmc.address"},
    {"bootMACAddress", "spec.bootMACAddress"},
    {"BootMACAddress", "spec.bootMACAddress"},
    {"MAC address", "spec.bootMACAddress"},
    {"image URL", "spec.image.url"},
    {"Image URL", "spec.image.url"},
    {"hecksum", "spec.image.checksum"},
    {"the Firmware field", "spec.firmware"},
    {"hardwareRAIDVolumes and softwareRAIDVolumes", "spec.raid"},
    {"softwareRAIDVolumes", "spec.raid.softwareRAIDVolumes"},
    {"hardware RAID volume", "spec.raid.hardwareRAIDVolumes"},
    {"numberOfPhysicalDisks", "spec.raid.hardwareRAIDVolumes"},
    {"RAID", "spec.raid"},
    {"inspectionMode", "spec.inspectionMode"},
    {"forbidden: userData", "spec.userData.namespace"},
    {"forbidden: metaData", "spec.metaData.namespace"},
    {"forbidden: networkData", "spec.networkData.namespace"},
    {"BareMetalHost resource name", "metadata.name"},
    {"reboot.metal3.io", "metadata.annotations.reboot.metal3.io"},
    {"hardwaredetails annotation", "metadata.annotations.inspect.metal3.io/hardwaredetails"},
    {"inspect.metal3.io annotation", "metadata.annotations.inspect.metal3.io"},
    {"status annotation", "metadata.annotations.baremetalhost.metal3.io/status"},
    {"baremetalhost.metal3.io/status", "metadata.annotations.baremetalhost.metal3.io/status"},
    {"root device hint", "spec.rootDeviceHints"},
    {"deviceName", "spec.rootDeviceHints.deviceName"},
    {"networkInterfaces", "spec.networkInterfaces"},
    {"power off disabled", "spec.online"},
    // The kinds around it
    {"in FirmwareUpdate", "spec.updates"},
    {"URL \"", "spec.url"},
    {"hostName cannot", "spec.hostName"},
    {"hostname-only destination", "spec.destination"},
    {"httpHeadersRef", "spec.httpHeadersRef"},
    {"destination", "spec.destination"},
    {"allowedVLANs", "spec.allowedVLANs"},
    {"matchExpr ", "spec.hostSelector.matchExpressions"},
    {"name part must", "spec.hostSelector.matchLabels"},
    {"a valid label must", "spec.hostSelector.matchLabels"},
    // Metal3ClusterTemplate
    {"ControlPlaneEndpoint", "spec.template.spec.controlPlaneEndpoint"},
};

}  // namespace

std::string fieldMeant(std::string_view sentence) {
  for (const Topic& topic : topics)
    if (sentence.find(topic.words) != std::string_view::npos) return std::string(topic.field);
  return "";
}

}  // namespace ingot::cli
