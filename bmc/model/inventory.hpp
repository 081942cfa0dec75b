// The hardware of a host as its BMC knows it (spec/bmc.md §17.2). Empty or 0 where it says nothing.
#pragma once

#include "bmc/model/component.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::bmc {

struct Processors {
  std::string architecture;  // x86_64, aarch64, …
  std::string model;
  std::int64_t megahertz = 0;
  std::int64_t threads = 0;

  static void describe(auto& v) {
    v.field("architecture", &Processors::architecture);
    v.field("model", &Processors::model);
    v.field("megahertz", &Processors::megahertz);
    v.field("threads", &Processors::threads);
  }
  friend bool operator==(const Processors&, const Processors&) = default;
};

// What the switch at the other end of a cable tells over LLDP.
struct LldpNeighbour {
  std::string switchId, portId, systemName;

  static void describe(auto& v) {
    v.field("switchId", &LldpNeighbour::switchId);
    v.field("portId", &LldpNeighbour::portId);
    v.field("systemName", &LldpNeighbour::systemName);
  }
  friend bool operator==(const LldpNeighbour&, const LldpNeighbour&) = default;
};

struct NetworkCard {
  std::string name;  // as the BMC calls it; an operating system may call it otherwise
  std::string mac;   // lower case
  std::string model;
  std::int64_t megabitsPerSecond = 0;
  std::vector<std::string> addresses;
  std::string link;         // up | down; "" when not told
  std::int64_t vlanId = 0;  // 0: none
  LldpNeighbour neighbour;

  static void describe(auto& v) {
    v.field("name", &NetworkCard::name);
    v.field("mac", &NetworkCard::mac);
    v.field("model", &NetworkCard::model);
    v.field("megabitsPerSecond", &NetworkCard::megabitsPerSecond);
    v.field("addresses", &NetworkCard::addresses);
    v.field("link", &NetworkCard::link);
    v.field("vlanId", &NetworkCard::vlanId);
    v.field("neighbour", &NetworkCard::neighbour);
  }
  friend bool operator==(const NetworkCard&, const NetworkCard&) = default;
};

struct Disk {
  std::string name;  // as the BMC calls it: no device name of an operating system
  std::string kind;  // HDD | SSD | NVME
  std::string vendor, model, serialNumber, wwn;
  std::int64_t bytes = 0;

  static void describe(auto& v) {
    v.field("name", &Disk::name);
    v.field("kind", &Disk::kind);
    v.field("vendor", &Disk::vendor);
    v.field("model", &Disk::model);
    v.field("serialNumber", &Disk::serialNumber);
    v.field("wwn", &Disk::wwn);
    v.field("bytes", &Disk::bytes);
  }
  friend bool operator==(const Disk&, const Disk&) = default;
};

struct Firmware {
  std::string name, version;
  std::string releaseDate;  // "2026-01-31"
  bool updateable = false;

  static void describe(auto& v) {
    v.field("name", &Firmware::name);
    v.field("version", &Firmware::version);
    v.field("releaseDate", &Firmware::releaseDate);
    v.field("updateable", &Firmware::updateable);
  }
  friend bool operator==(const Firmware&, const Firmware&) = default;
};

// Numbers are as `lspci -n` writes them, with 0x before them: "0x8086".
struct PcieFunction {
  std::string deviceClass;  // Redfish's word: "NetworkController"
  std::string classCode, vendorId, deviceId, subsystemVendorId, subsystemId, revision;

  static void describe(auto& v) {
    v.field("deviceClass", &PcieFunction::deviceClass);
    v.field("classCode", &PcieFunction::classCode);
    v.field("vendorId", &PcieFunction::vendorId);
    v.field("deviceId", &PcieFunction::deviceId);
    v.field("subsystemVendorId", &PcieFunction::subsystemVendorId);
    v.field("subsystemId", &PcieFunction::subsystemId);
    v.field("revision", &PcieFunction::revision);
  }
  friend bool operator==(const PcieFunction&, const PcieFunction&) = default;
};

struct PcieDevice {
  std::string name, manufacturer, model, slot;
  std::vector<PcieFunction> functions;

  static void describe(auto& v) {
    v.field("name", &PcieDevice::name);
    v.field("manufacturer", &PcieDevice::manufacturer);
    v.field("model", &PcieDevice::model);
    v.field("slot", &PcieDevice::slot);
    v.field("functions", &PcieDevice::functions);
  }
  friend bool operator==(const PcieDevice&, const PcieDevice&) = default;
};

// A part that carries an identity of its own (a FRU of IPMI): a board, a power supply, a memory module.
struct Module {
  std::string name;  // as the BMC calls it
  std::string kind;  // board | power-supply | memory | processor | drive | fan | chassis | other
  std::string manufacturer, model, partNumber, serialNumber;

  static void describe(auto& v) {
    v.field("name", &Module::name);
    v.field("kind", &Module::kind);
    v.field("manufacturer", &Module::manufacturer);
    v.field("model", &Module::model);
    v.field("partNumber", &Module::partNumber);
    v.field("serialNumber", &Module::serialNumber);
  }
  friend bool operator==(const Module&, const Module&) = default;
};

// Where the BMC itself is on its network.
struct BmcNetwork {
  std::string mac;  // lower case
  std::string address;

  static void describe(auto& v) {
    v.field("mac", &BmcNetwork::mac);
    v.field("address", &BmcNetwork::address);
  }
  friend bool operator==(const BmcNetwork&, const BmcNetwork&) = default;
};

// Of one host; the rest is left out, and said to be.
constexpr std::size_t mostFirmware = 200, mostPcieDevices = 64, mostPcieFunctions = 8, mostComponents = 512;
constexpr std::size_t mostModules = 16;

struct Inventory {
  std::string manufacturer, model, serialNumber, biosVersion, hostname;
  std::int64_t memoryMib = 0;
  Processors processors;
  std::vector<NetworkCard> networkCards;
  std::vector<Disk> disks;
  std::string biosReleaseDate;     // "2026-01-31"
  std::vector<Firmware> firmware;  // of all that the BMC serves
  std::vector<PcieDevice> pcieDevices;
  std::vector<Component> components;
  // What the BMC has and did not show, and why: "/redfish/v1/Systems/1/Storage: HTTP 500: …".
  std::vector<std::string> unread;
  std::vector<Module> modules;
  BmcNetwork bmc;
  // What no BMC tells over the protocol that was spoken ("disks"): that none are there is not said. An inventory with
  // any of these is not all of a machine.
  std::vector<std::string> untold;

  static void describe(auto& v) {
    v.field("manufacturer", &Inventory::manufacturer);
    v.field("model", &Inventory::model);
    v.field("serialNumber", &Inventory::serialNumber);
    v.field("biosVersion", &Inventory::biosVersion);
    v.field("hostname", &Inventory::hostname);
    v.field("memoryMib", &Inventory::memoryMib);
    v.field("processors", &Inventory::processors);
    v.field("networkCards", &Inventory::networkCards);
    v.field("disks", &Inventory::disks);
    v.field("biosReleaseDate", &Inventory::biosReleaseDate);
    v.field("firmware", &Inventory::firmware);
    v.field("pcieDevices", &Inventory::pcieDevices);
    v.field("components", &Inventory::components);
    v.field("unread", &Inventory::unread);
    v.field("modules", &Inventory::modules);
    v.field("bmc", &Inventory::bmc);
    v.field("untold", &Inventory::untold);
  }
  friend bool operator==(const Inventory&, const Inventory&) = default;
};

// Calls `use` with each text that the BMC has written.
void eachText(PcieDevice& device, auto use) {
  for (auto* text : {&device.name, &device.manufacturer, &device.model, &device.slot}) use(*text);
  for (auto& function : device.functions)
    for (auto* text : {&function.deviceClass, &function.classCode, &function.vendorId, &function.deviceId,
                       &function.subsystemVendorId, &function.subsystemId, &function.revision})
      use(*text);
}

void eachText(NetworkCard& card, auto use) {
  for (auto* text : {&card.name, &card.mac, &card.model, &card.link, &card.neighbour.switchId, &card.neighbour.portId,
                     &card.neighbour.systemName})
    use(*text);
  for (auto& address : card.addresses) use(address);
}

void eachText(Inventory& inventory, auto use) {
  for (auto* text : {&inventory.manufacturer, &inventory.model, &inventory.serialNumber, &inventory.biosVersion,
                     &inventory.biosReleaseDate, &inventory.hostname, &inventory.processors.architecture,
                     &inventory.processors.model})
    use(*text);
  for (auto& card : inventory.networkCards) eachText(card, use);
  for (auto& disk : inventory.disks)
    for (auto* text : {&disk.name, &disk.kind, &disk.vendor, &disk.model, &disk.serialNumber, &disk.wwn}) use(*text);
  for (auto& one : inventory.firmware)
    for (auto* text : {&one.name, &one.version, &one.releaseDate}) use(*text);
  for (auto& device : inventory.pcieDevices) eachText(device, use);
  for (auto& one : inventory.components) eachText(one, use);
  for (auto& one : inventory.modules)
    for (auto* text : {&one.name, &one.kind, &one.manufacturer, &one.model, &one.partNumber, &one.serialNumber})
      use(*text);
  for (auto* text : {&inventory.bmc.mac, &inventory.bmc.address}) use(*text);
  for (auto& why : inventory.unread) use(why);
}

}  // namespace ingot::bmc
