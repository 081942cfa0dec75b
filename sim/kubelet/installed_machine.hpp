// A machine with a system on its disk: each boot reads its config drive and plays the Node that it asks for.
#pragma once

#include "sim/firstboot/first_boot.hpp"
#include "sim/kubelet/kubelet.hpp"

#include <functional>
#include <memory>
#include <string>

namespace ingot::sim::kubelet {

// What the machines of one place share; lent, and outliving them. `tasks` is closed before a machine dies.
struct Surroundings {
  base::Runtime runtime;
  net::HttpTransport& transport;
  base::TaskGroup& tasks;
  KubeletOptions options;
};

class InstalledMachine {
 public:
  using ReadDrive = std::function<base::Task<firstboot::ConfigDrive>()>;

  // `stateFile`: what its disk keeps when the simulator ends; "" for nothing.
  InstalledMachine(Surroundings& around, std::string name, std::string stateFile = {});
  ~InstalledMachine();
  InstalledMachine(const InstalledMachine&) = delete;
  InstalledMachine& operator=(const InstalledMachine&) = delete;

  // The system starts, also again. `read` is asked until it gives something usable: a failure is logged once.
  void boot(ReadDrive read);
  void powerOff();
  // What its disk holds is gone, the state file too.
  void erase();
  [[nodiscard]] bool running() const { return boot_ != nullptr; }

  // The power is on, and the system does nothing.
  void hang(bool on) { *hangs_ = on; }

 private:
  struct Disk;
  class Boot;
  Surroundings& around_;
  std::string name_;
  std::shared_ptr<Disk> disk_;
  std::shared_ptr<Boot> boot_;
  std::shared_ptr<bool> hangs_ = std::make_shared<bool>(false);  // a boot that ends may look once more
};

}  // namespace ingot::sim::kubelet
