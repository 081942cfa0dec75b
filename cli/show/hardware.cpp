#include "cli/show/hardware.hpp"

#include "cli/words/plain_text.hpp"

namespace ingot::cli {
namespace {

std::string gigabytes(std::int64_t bytes) { return fmt::format("{:.0f} GB", static_cast<double>(bytes) / 1e9); }

}  // namespace

std::string hardwareLines(const api::HardwareDetails& hardware) {
  const auto& v = hardware.systemVendor;
  std::string out;
  const auto add = [&out](std::string_view part, const std::string& text) {
    out += fmt::format("  {:<9}{}\n", part, plainText(text));
  };
  add("System", fmt::format("{} {}, serial {}", v.manufacturer, v.productName, v.serialNumber));
  add("BIOS", fmt::format("{} {}", hardware.firmware.bios.vendor, hardware.firmware.bios.version));
  add("CPU", fmt::format("{} x {} {}", hardware.cpu.count, hardware.cpu.arch, hardware.cpu.model));
  add("Memory", fmt::format("{} MiB", hardware.ramMebibytes));
  for (const auto& disk : hardware.storage)
    add("Disk", fmt::format("{} {} {} {}", disk.name, gigabytes(disk.sizeBytes), disk.type, disk.serialNumber));
  for (const auto& nic : hardware.nics)
    add("NIC", fmt::format("{} {} {} {}", nic.name, nic.mac, nic.ip, nic.pxe ? "(boots)" : ""));
  return out;
}

}  // namespace ingot::cli
