#include "sim/system/systems.hpp"

#include "base/file.hpp"
#include "sim/firstboot/error.hpp"
#include "sim/system/config_drive.hpp"

namespace ingot::sim::system {

namespace {

bool hasConfigDrive(const Machine& machine, const base::Log& log) {
  try {
    return findConfigDrive(machine.disks).has_value();
  } catch (const base::Error& error) {
    log.warn("the config drive cannot be read", {{"machine", machine.name()}, {"error", error.what()}});
    return false;
  }
}

}  // namespace

Systems::Systems(base::Runtime runtime, net::HttpTransport& transport, base::TaskGroup& tasks, std::string folder,
                 kubelet::KubeletOptions options)
    : around_{runtime.named("system"), transport, tasks, options}, folder_(std::move(folder)) {}

void Systems::booted(Machine& machine, BootDevice from) {
  if (from != BootDevice::hdd || !hasConfigDrive(machine, around_.runtime.log)) return;
  base::makeFolder(folder_);
  auto& system =
      systems_.try_emplace(&machine, around_, machine.name(), fmt::format("{}/{}.json", folder_, machine.name()))
          .first->second;
  faultsChanged(machine);
  system.boot([this, &machine] { return readDrive(machine); });
}

void Systems::stopped(Machine& machine) {
  if (const auto found = systems_.find(&machine); found != systems_.end()) found->second.powerOff();
}

void Systems::faultsChanged(const Machine& machine) {
  if (const auto found = systems_.find(&machine); found != systems_.end())
    found->second.hang(machine.faults.has(Fault::osHang));
}

base::Task<firstboot::ConfigDrive> Systems::readDrive(const Machine& machine) {
  co_await around_.runtime.clock.sleepFor(std::chrono::milliseconds(machine.spec().timing.boot));
  auto drive = findConfigDrive(machine.disks);
  if (!drive) throw firstboot::BootError("the config drive is gone");
  co_return std::move(*drive);
}

}  // namespace ingot::sim::system
