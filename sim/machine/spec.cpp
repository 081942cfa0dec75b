#include "sim/machine/spec.hpp"

namespace ingot::sim {

namespace {

std::string ordinalMac(std::size_t machine, std::size_t nic) {
  return fmt::format("52:54:{:02x}:{:02x}:{:02x}:{:02x}", nic & 0xff, (machine >> 16) & 0xff, (machine >> 8) & 0xff,
                     machine & 0xff);
}

struct Make {
  std::string_view manufacturer, model, bmcFirmware;
};

Make makeOf(Personality personality) {
  switch (personality) {
    case Personality::plain: break;
    case Personality::idrac9: return {"Dell Inc.", "PowerEdge R650", "7.10.50.00"};
    case Personality::idrac10: return {"Dell Inc.", "PowerEdge R670", "1.20.25.00"};
    case Personality::ilo5: return {"HPE", "ProLiant DL360 Gen10", "iLO 5 v3.06"};
    case Personality::ilo6: return {"HPE", "ProLiant DL360 Gen11", "iLO 6 v1.62"};
    case Personality::xcc: return {"Lenovo", "ThinkSystem SR675 V3", "AFBT58B"};
    case Personality::supermicro: return {"Supermicro", "SYS-620U-TNR", "01.04.08"};
    case Personality::openbmc: return {"Quanta", "S7Q", "3.0.0"};
    case Personality::ami: return {"Wistron", "ES200G2", "13.05.00"};
  }
  return {"Ingot", "Simulated Server", "2.0.0"};
}

void complete(std::string& text, std::string_view otherwise) {
  if (text.empty()) text = otherwise;
}

void complete(NicSpec& nic, std::size_t machine, std::size_t index) {
  if (nic.name.empty()) nic.name = fmt::format("eth{}", index);
  if (nic.mac.empty()) nic.mac = ordinalMac(machine + 1, index + 1);
  complete(nic.switchName, "sim-leaf");
  if (nic.switchPort.empty()) nic.switchPort = fmt::format("Ethernet{}/{}", machine + 1, index + 1);
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
  const auto make = makeOf(spec.personality);
  complete(spec.manufacturer, make.manufacturer);
  complete(spec.model, make.model);
  complete(spec.bmcFirmware, make.bmcFirmware);
  if (spec.nics.empty()) spec.nics.emplace_back();
  if (spec.disks.empty()) spec.disks.emplace_back();
  for (std::size_t i = 0; i < spec.nics.size(); ++i) complete(spec.nics[i], position, i);
  for (std::size_t i = 0; i < spec.disks.size(); ++i) complete(spec.disks[i], position, i);
  return spec;
}

}  // namespace ingot::sim
