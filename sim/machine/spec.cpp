#include "sim/machine/spec.hpp"

namespace ingot::sim {

namespace {

std::string ordinalMac(std::size_t machine, std::size_t nic) {
  return fmt::format("52:54:{:02x}:{:02x}:{:02x}:{:02x}", nic & 0xff, (machine >> 16) & 0xff, (machine >> 8) & 0xff,
                     machine & 0xff);
}

void complete(NicSpec& nic, std::size_t machine, std::size_t index) {
  if (nic.name.empty()) nic.name = fmt::format("eth{}", index);
  if (nic.mac.empty()) nic.mac = ordinalMac(machine + 1, index + 1);
}

void complete(DiskSpec& disk, std::size_t machine, std::size_t index) {
  if (disk.name.empty()) disk.name = fmt::format("/dev/sd{:c}", static_cast<char>('a' + index % 26));
  if (disk.serial.empty()) disk.serial = fmt::format("DISK{:05}{:02}", machine + 1, index);
  if (disk.wwn.empty()) disk.wwn = fmt::format("0x5000{:08x}{:04x}", machine + 1, index);
}

}  // namespace

MachineSpec completed(MachineSpec spec, std::size_t position) {
  if (spec.name.empty()) spec.name = fmt::format("machine-{}", position);
  if (spec.address.empty()) spec.address = fmt::format("127.1.{}.{}", position / 250, position % 250 + 1);
  if (spec.uuid.empty()) spec.uuid = fmt::format("1e607000-51b0-4000-8000-{:012x}", position + 1);
  if (spec.serial.empty()) spec.serial = fmt::format("SIM{:06}", position + 1);
  if (spec.nics.empty()) spec.nics.emplace_back();
  if (spec.disks.empty()) spec.disks.emplace_back();
  for (std::size_t i = 0; i < spec.nics.size(); ++i) complete(spec.nics[i], position, i);
  for (std::size_t i = 0; i < spec.disks.size(); ++i) complete(spec.disks[i], position, i);
  return spec;
}

}  // namespace ingot::sim
