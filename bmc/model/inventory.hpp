// The hardware of a host as its BMC knows it (spec/bmc.md §17.2). Empty or 0 where it says nothing.
#pragma once

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

struct NetworkCard {
  std::string name;  // as the BMC calls it; an operating system may call it otherwise
  std::string mac;   // lower case
  std::string model;
  std::int64_t megabitsPerSecond = 0;
  std::vector<std::string> addresses;

  static void describe(auto& v) {
    v.field("name", &NetworkCard::name);
    v.field("mac", &NetworkCard::mac);
    v.field("model", &NetworkCard::model);
    v.field("megabitsPerSecond", &NetworkCard::megabitsPerSecond);
    v.field("addresses", &NetworkCard::addresses);
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

struct Inventory {
  std::string manufacturer, model, serialNumber, biosVersion, hostname;
  std::int64_t memoryMib = 0;
  Processors processors;
  std::vector<NetworkCard> networkCards;
  std::vector<Disk> disks;
  // What the BMC has and did not show, and why: "/redfish/v1/Systems/1/Storage: HTTP 500: …".
  std::vector<std::string> unread;

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
    v.field("unread", &Inventory::unread);
  }
  friend bool operator==(const Inventory&, const Inventory&) = default;
};

// Calls `use` with each text that the BMC has written.
void eachText(Inventory& inventory, auto use) {
  for (auto* text : {&inventory.manufacturer, &inventory.model, &inventory.serialNumber, &inventory.biosVersion,
                     &inventory.hostname, &inventory.processors.architecture, &inventory.processors.model})
    use(*text);
  for (auto& card : inventory.networkCards) {
    for (auto* text : {&card.name, &card.mac, &card.model}) use(*text);
    for (auto& address : card.addresses) use(address);
  }
  for (auto& disk : inventory.disks)
    for (auto* text : {&disk.name, &disk.kind, &disk.vendor, &disk.model, &disk.serialNumber, &disk.wwn}) use(*text);
  for (auto& why : inventory.unread) use(why);
}

}  // namespace ingot::bmc
