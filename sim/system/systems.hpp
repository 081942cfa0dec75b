// The systems that were deployed to a fleet's machines: each starts when its machine boots from a disk, ends with the
// power, and is a Node if its config drive says so.
#pragma once

#include "sim/kubelet/installed_machine.hpp"
#include "sim/machine/machine.hpp"

#include <map>
#include <memory>
#include <string>

namespace ingot::sim::system {

class Systems final : public MachineListener {
 public:
  // `transport` and `tasks` are lent; tasks are closed before this and the machines die. `folder`: where what a
  // system keeps on its disk besides the image is kept.
  Systems(base::Runtime runtime, net::HttpTransport& transport, base::TaskGroup& tasks, std::string folder,
          kubelet::KubeletOptions options = {});

  void booted(Machine& machine, BootDevice from) override;
  void stopped(Machine& machine) override;
  // After its faults have changed: see Fault::osHang.
  void faultsChanged(const Machine& machine);

 private:
  [[nodiscard]] base::Task<firstboot::ConfigDrive> readDrive(const Machine& machine);

  kubelet::Surroundings around_;
  std::string folder_;
  std::map<const Machine*, kubelet::InstalledMachine> systems_;
};

}  // namespace ingot::sim::system
