// What a simulator is started with.
#pragma once

#include "sim/kubelet/kubelet.hpp"
#include "sim/machine/spec.hpp"

#include <string>
#include <vector>

namespace ingot::sim {

// The fleet file.
struct FleetFile {
  std::vector<MachineSpec> machines;
  static void describe(auto& v) { v.field("machines", &FleetFile::machines).required(); }
};

struct FleetOptions {
  std::vector<MachineSpec> machines;
  std::string dataFolder;             // disks, certificate authority, IPMI state
  std::string httpRoot;               // of Ironic; "" serves no files
  std::string address = "127.0.0.1";  // of the front: files, ramdisk commands and control
  int port = 0;
  kubelet::KubeletOptions kubelet;  // of the systems that are deployed
  std::string readyFile;            // written once everything listens; "" for none
  std::string accessLog;            // every request to a Redfish BMC (http/access_log.hpp); "" for none
  std::string program;              // ourselves, for ipmi_sim to call
};

// Completed specs of the file, or of `count` machines with every default. Throws base::InvalidInput with file and line;
// two machines with one name, address or MAC are refused.
[[nodiscard]] std::vector<MachineSpec> readFleet(const std::string& path);
[[nodiscard]] std::vector<MachineSpec> uniformFleet(std::size_t count, bool tls);

}  // namespace ingot::sim
