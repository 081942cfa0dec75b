// An IPMI BMC: Debian's ipmi_sim as a child process, asking us about the chassis through `ingot-sim chassis`.
#pragma once

#include "base/runtime.hpp"
#include "base/subprocess.hpp"
#include "base/sync.hpp"
#include "sim/machine/machine.hpp"

#include <string>

namespace ingot::sim::ipmi {

struct BmcOptions {
  std::string folder;          // for configuration and state; made when missing
  std::string chassisCommand;  // program and words that ipmi_sim runs, "get power" … appended
  int port = 623;
};

class Bmc {
 public:
  // All are lent and outlive run().
  Bmc(base::Runtime runtime, base::ProcessRunner& runner, Machine& machine, BmcOptions options);

  // Keeps ipmi_sim running until cancelled; again when it dies.
  [[nodiscard]] base::Task<void> run();
  // The machine's faults changed: silent ones stop the process, a refused password restarts it with another.
  void refresh();

 private:
  [[nodiscard]] bool silent() const;
  void writeFiles() const;
  [[nodiscard]] base::Task<void> runOnce();

  base::Runtime runtime_;
  base::ProcessRunner& runner_;
  Machine& machine_;
  BmcOptions options_;
  base::Notifier changed_;
  std::unique_ptr<base::AbortSource> current_;
};

// The two files that ipmi_sim reads. Pure.
[[nodiscard]] std::string lanConfiguration(const MachineSpec& spec, const std::string& password,
                                           const BmcOptions& options);
[[nodiscard]] std::string startCommands(const MachineSpec& spec);

}  // namespace ingot::sim::ipmi
