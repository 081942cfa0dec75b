// Debian's ipmi_sim as a BMC: real RMCP+, spoken to with the real ipmitool (spec/bmc.md §20.3).
#pragma once

#include "tests/integration/bmc_peers/peer.hpp"

namespace ingot::tests {

// What ipmi_sim calls for everything about the chassis: power is a file, each change a line of the journal.
inline constexpr auto simChassis = R"sh(#!/bin/sh
cd "$1"; shift 2
verb=$1; shift
case $verb in
  get) for what in "$@"; do
         case $what in power) echo "power:$(cat power)";; *) echo "$what:0";; esac
       done;;
  set) while [ $# -gt 1 ]; do
         echo "$1=$2" >> journal
         case $1 in power) echo "$2" > power;; shutdown) echo 0 > power;; esac
         shift 2
       done;;
esac
)sh";

// A FRU device of the BMC: of ACME a product "m1" with the serial number "S1".
inline std::string simFru(int device) {
  return fmt::format(
      "mc_add_fru_data 0x20 {} 32 data 0x01 0x00 0x00 0x00 0x01 0x00 0x00 0xfe 0x01 0x03 0x00 0xc4 0x41 0x43 0x4d 0x45 "
      "0xc2 0x6d 0x31 0x00 0x00 0xc2 0x53 0x31 0x00 0x00 0xc1 0x00 0x00 0x00 0x00 0xbb\n",
      device);
}

inline std::string simCommands(const std::string& parts) {
  return "mc_setbmc 0x20\nmc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr\n"
         "sel_enable 0x20 1000 0x0a\n" +
         parts + "mc_enable 0x20\n";
}

inline std::string simConfiguration(std::uint16_t port, const std::string& program) {
  return fmt::format(R"(name "peer"
set_working_mc 0x20
  startlan 1
    addr 127.0.0.1 {}
    priv_limit admin
    allowed_auths_callback none md2 md5 straight
    allowed_auths_user none md2 md5 straight
    allowed_auths_operator none md2 md5 straight
    allowed_auths_admin none md2 md5 straight
    guid a123456789abcdefa123456789abcdef
  endlan
  chassis_control "{}"
  user 1 true "" "test" user 10 none md2 md5 straight
  user 2 true "admin" "s3cret" admin 10 none md2 md5 straight
  user 3 true "reader" "s3cret" user 10 none md2 md5 straight
)",
                     port, program);
}

struct SimParts {
  std::string commands = simFru(0);  // that make what the BMC has
  std::string records = {};          // of its sensors, as sdrcomp takes them
};

struct IpmiSim : PeerBench {
  explicit IpmiSim(bool powered = false, const SimParts& parts = {}) : PeerBench(SOCK_DGRAM) {
    folder.write("power", powered ? "1\n" : "0\n");
    folder.write("chassis.sh", simChassis, 0700);
    folder.write("lan.conf",
                 simConfiguration(port, fmt::format("{} {} 0x20", folder.at("chassis.sh"), folder.at("."))));
    folder.write("commands", simCommands(parts.commands));
    std::filesystem::create_directories(folder.at("state/ipmi_sim/peer"));
    if (!parts.records.empty()) compile(parts.records);
    world.startPeer({.argv = {"ipmi_sim", "-c", folder.at("lan.conf"), "-f", folder.at("commands"), "-s",
                              folder.at("state"), "-n"}});
    world.await([this] { return reach(); });
  }
  void compile(const std::string& records) {
    folder.write("records", records);
    const auto done = world.run(world.processes->run(
        {.argv = {"sdrcomp", "-o", folder.at("state/ipmi_sim/peer/sdr.20.main"), folder.at("records")},
         .deadline = std::chrono::seconds(30)}));
    if (done.exitCode != 0 || !done.standardError.empty())
      throw base::Error(fmt::format("sdrcomp: {}{}", done.standardOutput, done.standardError));
  }
  base::Task<void> reach() {
    const auto ready = driver();
    co_await ready->identity->identify(bmc::Lane::polling);
  }

  [[nodiscard]] std::string address(const std::string& query = "") const {
    return fmt::format("ipmi://127.0.0.1:{}{}", port, query);
  }
  std::unique_ptr<bmc::Driver> driver(const std::string& user = "admin", const std::string& password = "s3cret",
                                      const std::string& query = "") {
    return open({.address = bmc::parseAddress(address(query)), .login = {user, base::Secret(password)}});
  }
  [[nodiscard]] std::string journal() const { return base::readFileIfExists(folder.at("journal")).value_or(""); }
};

}  // namespace ingot::tests
