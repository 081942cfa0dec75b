// What a simulated server is made of, as a fleet file says it. Everything has a default.
#pragma once

#include "json/describe.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::sim {

enum class Protocol { redfish, ipmi };
constexpr auto namesOf(Protocol) {
  return std::to_array<json::EnumName<Protocol>>({{Protocol::redfish, "redfish"}, {Protocol::ipmi, "ipmi"}});
}

// Whose BMC it is: names, paths and habits of its Redfish service (redfish/personality.hpp). `plain` does as Redfish
// says.
enum class Personality { plain, idrac9, idrac10, ilo5, ilo6, xcc, supermicro, openbmc, ami };
constexpr auto namesOf(Personality) {
  return std::to_array<json::EnumName<Personality>>({{Personality::plain, "plain"},
                                                     {Personality::idrac9, "idrac9"},
                                                     {Personality::idrac10, "idrac10"},
                                                     {Personality::ilo5, "ilo5"},
                                                     {Personality::ilo6, "ilo6"},
                                                     {Personality::xcc, "xcc"},
                                                     {Personality::supermicro, "supermicro"},
                                                     {Personality::openbmc, "openbmc"},
                                                     {Personality::ami, "ami"}});
}

struct NicSpec {
  std::string name;  // "eth0", "eth1", … by position
  std::string mac;   // 52:54:01:… by machine and position
  bool pxe = true;
  int speedMbps = 10'000;
  bool cabled = true;      // else nothing is at the other end of its port
  int vlanId = 0;          // that the BMC tells; 0: none
  std::string switchName;  // "sim-leaf"
  std::string switchPort;  // "Ethernet1/1", … by machine and position
  static void describe(auto& v) {
    v.field("name", &NicSpec::name);
    v.field("mac", &NicSpec::mac);
    v.field("pxe", &NicSpec::pxe).always();
    v.field("speedMbps", &NicSpec::speedMbps);
    v.field("cabled", &NicSpec::cabled).always();
    v.field("vlanId", &NicSpec::vlanId);
    v.field("switchName", &NicSpec::switchName);
    v.field("switchPort", &NicSpec::switchPort);
  }
};

struct DiskSpec {
  std::string name;             // "/dev/sda", … by position
  std::int64_t sizeMiB = 8192;  // sparse: takes no room until written
  std::string model = "Simulated SSD", serial, wwn;
  bool rotational = false;
  static void describe(auto& v) {
    v.field("name", &DiskSpec::name);
    v.field("sizeMiB", &DiskSpec::sizeMiB);
    v.field("model", &DiskSpec::model);
    v.field("serial", &DiskSpec::serial);
    v.field("wwn", &DiskSpec::wwn);
    v.field("rotational", &DiskSpec::rotational);
  }
};

// How long the hardware takes, in milliseconds.
struct TimingSpec {
  int powerOn = 200, powerOff = 200, softOff = 1000, boot = 500, task = 3000, bmcBoot = 8000, settle = 8000;
  static void describe(auto& v) {
    v.field("powerOn", &TimingSpec::powerOn).always();
    v.field("powerOff", &TimingSpec::powerOff).always();
    v.field("softOff", &TimingSpec::softOff).always();
    v.field("boot", &TimingSpec::boot).always();
    v.field("task", &TimingSpec::task).always();
    v.field("bmcBoot", &TimingSpec::bmcBoot).always();
    v.field("settle", &TimingSpec::settle).always();
  }
};

struct MachineSpec {
  std::string name;
  Protocol protocol = Protocol::redfish;
  Personality personality = Personality::plain;  // redfish only
  std::string address;                           // of the BMC; 127.1.x.y by position
  int port = 0;                                  // 0: a free one
  bool tls = true;                               // redfish only
  std::string username = "admin", password = "ingot-sim";
  std::string uuid, serial;                      // by position
  std::string manufacturer, model, bmcFirmware;  // by personality
  std::string arch = "x86_64";
  int cpus = 8;
  int memoryMiB = 16'384;
  bool legacyBoot = false;        // BIOS instead of UEFI
  bool powerOnAfterCord = false;  // what the server does when input power returns
  std::vector<NicSpec> nics;      // one when none is given
  std::vector<DiskSpec> disks;    // one when none is given
  TimingSpec timing;

  static void describe(auto& v) {
    v.field("name", &MachineSpec::name);
    v.field("protocol", &MachineSpec::protocol);
    v.field("personality", &MachineSpec::personality);
    v.field("address", &MachineSpec::address);
    v.field("port", &MachineSpec::port);
    v.field("tls", &MachineSpec::tls).always();
    v.field("username", &MachineSpec::username);
    v.field("password", &MachineSpec::password);
    v.field("uuid", &MachineSpec::uuid);
    v.field("serial", &MachineSpec::serial);
    v.field("manufacturer", &MachineSpec::manufacturer);
    v.field("model", &MachineSpec::model);
    v.field("bmcFirmware", &MachineSpec::bmcFirmware);
    v.field("arch", &MachineSpec::arch);
    v.field("cpus", &MachineSpec::cpus);
    v.field("memoryMiB", &MachineSpec::memoryMiB);
    v.field("legacyBoot", &MachineSpec::legacyBoot);
    v.field("powerOnAfterCord", &MachineSpec::powerOnAfterCord);
    v.field("nics", &MachineSpec::nics);
    v.field("disks", &MachineSpec::disks);
    v.field("timing", &MachineSpec::timing);
  }
};

// Fills what was left out; `position` counts from 0 and makes names, addresses and MACs unique and repeatable.
[[nodiscard]] MachineSpec completed(MachineSpec spec, std::size_t position);

}  // namespace ingot::sim
