#include "sim/fleet/options.hpp"

#include "base/file.hpp"
#include "json/config.hpp"

#include <set>

namespace ingot::sim {

namespace {

void refuseTwins(const std::vector<MachineSpec>& machines, const std::string& where) {
  std::set<std::string> seen;
  const auto once = [&](const std::string& what, const std::string& value) {
    if (!seen.insert(what + value).second)
      throw base::InvalidInput(where, fmt::format("two machines have the {} {}", what, value));
  };
  for (const auto& machine : machines) {
    once("name", machine.name);
    once("BMC", fmt::format("{} port {}", machine.address, machine.port));
    for (const auto& nic : machine.nics) once("MAC", nic.mac);
  }
}

std::vector<MachineSpec> completeAll(std::vector<MachineSpec> machines) {
  for (std::size_t i = 0; i < machines.size(); ++i) machines[i] = completed(std::move(machines[i]), i);
  return machines;
}

}  // namespace

std::vector<MachineSpec> readFleet(const std::string& path) {
  auto machines = completeAll(json::loadConfig<FleetFile>(base::readFile(path), path).machines);
  refuseTwins(machines, path);
  return machines;
}

std::vector<MachineSpec> uniformFleet(std::size_t count, bool tls) {
  std::vector<MachineSpec> machines(count);
  for (auto& machine : machines) machine.tls = tls;
  return completeAll(std::move(machines));
}

}  // namespace ingot::sim
