// A simulated machine behind our own Redfish client: two pieces of code that share nothing must understand each other.
#pragma once

#include "bmc/bmc_pool.hpp"
#include "bmc/each_capability.hpp"
#include "bmc/error.hpp"
#include "bmc/power_change.hpp"
#include "tests/sim/bench.hpp"
#include "tests/support/no_processes.hpp"

namespace ingot::tests {

struct Driven : SimBench {
  explicit Driven(sim::MachineSpec spec = {}) : SimBench(std::move(spec)) {
    transport.serve("https://bmc.example:443", service);
    driver = open();
  }
  std::unique_ptr<bmc::Driver> open(std::string user = "admin", const char* password = "ingot-sim") {
    return bmc::openDriver(
        runtime, {transport, processes},
        {.address = bmc::parseAddress("redfish://bmc.example"), .login = {std::move(user), base::Secret(password)}});
  }
  bmc::PowerChange change(bmc::PowerAction action) {
    return run(bmc::changePower(clock, *driver->power, bmc::Lane::operatorCommand, action, {}));
  }
  bmc::Error::Code failure(bmc::PowerAction action) {
    try {
      change(action);
    } catch (const bmc::Error& error) {
      return error.code();
    }
    throw std::logic_error("nothing failed");
  }

  NoProcesses processes;
  std::unique_ptr<bmc::Driver> driver;
};

}  // namespace ingot::tests
