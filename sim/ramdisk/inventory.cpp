#include "sim/ramdisk/agent.hpp"

namespace ingot::sim::ramdisk {

namespace {

json::Array interfaces(const Machine& machine) {
  json::Array all;
  const auto& nics = machine.spec().nics;
  for (std::size_t i = 0; i < nics.size(); ++i)
    all.push_back({{"name", nics[i].name},
                   {"mac_address", nics[i].mac},
                   {"ipv4_address", i == 0 ? json::Value("192.0.2." + std::to_string(10 + i)) : json::Value()},
                   {"ipv6_address", nullptr},
                   {"has_carrier", true},
                   {"lldp", nullptr},
                   {"vendor", "0x1af4"},
                   {"product", "0x0001"},
                   {"client_id", nullptr},
                   {"biosdevname", nullptr},
                   {"speed_mbps", nics[i].speedMbps},
                   {"pci_address", fmt::format("0000:{:02x}:00.0", i + 1)},
                   {"driver", "virtio_net"}});
  return all;
}

json::Array disks(const Machine& machine) {
  json::Array all;
  for (const auto& disk : machine.disks) {
    const auto& spec = disk.spec();
    all.push_back({{"name", spec.name},
                   {"model", spec.model},
                   {"size", disk.size()},
                   {"rotational", spec.rotational},
                   {"wwn", spec.wwn},
                   {"serial", spec.serial},
                   {"vendor", "Ingot"},
                   {"wwn_with_extension", spec.wwn},
                   {"wwn_vendor_extension", nullptr},
                   {"hctl", fmt::format("0:0:0:{}", all.size())},
                   {"by_path", fmt::format("/dev/disk/by-path/pci-0000:00:1f.2-ata-{}", all.size() + 1)},
                   {"logical_sectors", 512},
                   {"physical_sectors", 512}});
  }
  return all;
}

}  // namespace

json::Object inventoryOf(const Machine& machine) {
  const auto& spec = machine.spec();
  json::Object inventory;
  inventory["interfaces"] = interfaces(machine);
  inventory["disks"] = disks(machine);
  inventory["cpu"] = {{"model_name", "Simulated CPU"},
                      {"frequency", "2100.0000"},
                      {"count", spec.cpus},
                      {"architecture", spec.arch},
                      {"flags", json::Array{"fpu", "sse2", "vmx"}},
                      {"socket_count", 1}};
  inventory["memory"] = {{"total", static_cast<std::int64_t>(spec.memoryMiB) << 20}, {"physical_mb", spec.memoryMiB}};
  inventory["bmc_address"] = spec.address;
  inventory["bmc_v6address"] = "::/0";
  inventory["system_vendor"] = {
      {"product_name", spec.model},
      {"serial_number", spec.serial},
      {"manufacturer", spec.manufacturer},
      {"firmware", {{"vendor", "Ingot"}, {"version", machine.firmware.at("BIOS")}, {"build_date", "01/01/2026"}}}};
  inventory["boot"] = {{"current_boot_mode", machine.boot.uefi ? "uefi" : "bios"},
                       {"pxe_interface", spec.nics.front().mac}};
  inventory["hostname"] = spec.name;
  return inventory;
}

}  // namespace ingot::sim::ramdisk
