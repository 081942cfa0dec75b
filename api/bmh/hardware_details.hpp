// What inspection found in a host: the body of HardwareData, and (deprecated) of the host's status.hardware.
#pragma once

#include "json/boxed.hpp"
#include "json/describe.hpp"

namespace ingot::api {

inline constexpr std::string_view kMacPattern = "[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}";
inline constexpr std::string_view kMacPatternAnchored = "^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$";

struct HardwareSystemVendor {
  std::string manufacturer, productName, serialNumber;

  static void describe(auto& v) {
    v.field("manufacturer", &HardwareSystemVendor::manufacturer);
    v.field("productName", &HardwareSystemVendor::productName);
    v.field("serialNumber", &HardwareSystemVendor::serialNumber);
  }
  friend bool operator==(const HardwareSystemVendor&, const HardwareSystemVendor&) = default;
};

struct Bios {
  std::string date, vendor, version;

  static void describe(auto& v) {
    v.field("date", &Bios::date).doc("Release date of the firmware.");
    v.field("vendor", &Bios::vendor).doc("Vendor of the firmware.");
    v.field("version", &Bios::version).doc("Version of the firmware.");
  }
  friend bool operator==(const Bios&, const Bios&) = default;
};

struct HardwareFirmware {
  Bios bios;

  static void describe(auto& v) { v.field("bios", &HardwareFirmware::bios).doc("System firmware (BIOS or UEFI)."); }
  friend bool operator==(const HardwareFirmware&, const HardwareFirmware&) = default;
};

struct Vlan {
  int id = 0;
  std::string name;

  static void describe(auto& v) {
    v.field("id", &Vlan::id).format("int32").minimum(0).maximum(4094);
    v.field("name", &Vlan::name);
  }
  friend bool operator==(const Vlan&, const Vlan&) = default;
};

struct Lldp {
  std::string portID, switchID, switchSystemName;

  static void describe(auto& v) {
    v.field("portID", &Lldp::portID).doc("Port of the switch.");
    v.field("switchID", &Lldp::switchID).doc("Chassis ID of the switch.");
    v.field("switchSystemName", &Lldp::switchSystemName).doc("System name of the switch.");
  }
  friend bool operator==(const Lldp&, const Lldp&) = default;
};

struct Nic {
  std::string name, model, mac, ip, pciAddress;
  int speedGbps = 0;
  std::vector<Vlan> vlans;
  int vlanId = 0;
  bool pxe = false;
  json::Boxed<Lldp> lldp;

  static void describe(auto& v) {
    v.field("ip", &Nic::ip).doc("One IPv4 or IPv6 address; a NIC with both appears twice.");
    v.field("lldp", &Nic::lldp).doc("Neighbour announced by the switch over LLDP.");
    v.field("mac", &Nic::mac).pattern(kMacPattern).doc("Hardware address.");
    v.field("model", &Nic::model).doc("PCI vendor and product IDs, like 0x8086 0x1572.");
    v.field("name", &Nic::name).doc("Name of the interface, like eth0.");
    v.field("pciAddress", &Nic::pciAddress).doc("PCI address.");
    v.field("pxe", &Nic::pxe).doc("The NIC can boot over the network.");
    v.field("speedGbps", &Nic::speedGbps).doc("Speed in Gbit/s.");
    v.field("vlanId", &Nic::vlanId).format("int32").minimum(0).maximum(4094).doc("The untagged VLAN.");
    v.field("vlans", &Nic::vlans).doc("VLANs that are available to the interface.");
  }
  friend bool operator==(const Nic&, const Nic&) = default;
};

struct Storage {
  std::string name, type, vendor, model, serialNumber, wwn, wwnVendorExtension, wwnWithExtension, hctl;
  std::vector<std::string> alternateNames;
  bool rotational = false;
  std::int64_t sizeBytes = 0;

  static void describe(auto& v) {
    v.field("alternateNames", &Storage::alternateNames).doc("Other names of the device.");
    v.field("hctl", &Storage::hctl).doc("SCSI address.");
    v.field("model", &Storage::model).doc("Model of the disk.");
    v.field("name", &Storage::name).doc("Linux name, preferably a stable one under /dev/disk/by-path/.");
    v.field("rotational", &Storage::rotational).doc("Deprecated: see type.");
    v.field("serialNumber", &Storage::serialNumber).doc("Serial number of the disk.");
    v.field("sizeBytes", &Storage::sizeBytes).format("int64").doc("Size in bytes.");
    v.field("type", &Storage::type).oneOf({"HDD", "SSD", "NVME"}).doc("Kind of disk.");
    v.field("vendor", &Storage::vendor).doc("Vendor of the disk.");
    v.field("wwn", &Storage::wwn).doc("World Wide Name.");
    v.field("wwnVendorExtension", &Storage::wwnVendorExtension).doc("The vendor's extension of the World Wide Name.");
    v.field("wwnWithExtension", &Storage::wwnWithExtension).doc("World Wide Name with the vendor's extension.");
  }
  friend bool operator==(const Storage&, const Storage&) = default;
};

struct Cpu {
  std::string arch, model;
  double clockMegahertz = 0;
  std::vector<std::string> flags;
  int count = 0;

  static void describe(auto& v) {
    v.field("arch", &Cpu::arch);
    v.field("clockMegahertz", &Cpu::clockMegahertz).format("double").doc("Clock in MHz.");
    v.field("count", &Cpu::count);
    v.field("flags", &Cpu::flags);
    v.field("model", &Cpu::model);
  }
  friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct HardwareDetails {
  HardwareSystemVendor systemVendor;
  HardwareFirmware firmware;
  std::int64_t ramMebibytes = 0;
  std::vector<Nic> nics;
  std::vector<Storage> storage;
  Cpu cpu;
  std::string hostname;

  static void describe(auto& v) {
    v.doc("Hardware found by inspection.");
    v.field("cpu", &HardwareDetails::cpu).doc("Processors of the host.");
    v.field("firmware", &HardwareDetails::firmware).doc("Firmware of the host.");
    v.field("hostname", &HardwareDetails::hostname).doc("Name that the host gave itself.");
    v.field("nics", &HardwareDetails::nics).doc("Network interfaces of the host.");
    v.field("ramMebibytes", &HardwareDetails::ramMebibytes).doc("Memory in MiB.");
    v.field("storage", &HardwareDetails::storage).doc("Disks of the host.");
    v.field("systemVendor", &HardwareDetails::systemVendor).doc("Vendor, model and serial number of the system.");
  }
  friend bool operator==(const HardwareDetails&, const HardwareDetails&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HardwareDetails>();
