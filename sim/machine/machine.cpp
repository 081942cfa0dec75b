#include "sim/machine/machine.hpp"

namespace ingot::sim {

Machine::Machine(base::Runtime runtime, MachineSpec spec, Journal& journal, base::TaskGroup& tasks,
                 const std::string& diskFolder)
    : logged(runtime.executor), runtime_(std::move(runtime)), spec_(std::move(spec)), journal_(journal), tasks_(tasks) {
  boot.uefi = !spec_.legacyBoot;
  bios = factoryBios();
  firmware = {{"BIOS", "1.0.0"}, {"BMC", spec_.bmcFirmware}};
  for (std::size_t i = 0; i < spec_.disks.size(); ++i)
    disks.emplace_back(spec_.disks[i], fmt::format("{}/{}-{}.img", diskFolder, spec_.name, i));
}

std::map<std::string, std::string> Machine::factoryBios() const {
  return {{"BootMode", spec_.legacyBoot ? "Legacy" : "Uefi"},
          {"ProcVirtualization", "Enabled"},
          {"SriovGlobalEnable", "Disabled"},
          {"NumaNodesPerSocket", "1"}};
}

bool Machine::reportedOn() const { return faults.has(Fault::liePower) ? !on_ : on_; }

ResetAnswer Machine::reset(Reset request) {
  auto steps = planReset(request, on_, spec_.timing);
  const bool wantsPower = std::ranges::any_of(steps, &PowerStep::on);
  if (wantsPower && !hasInputPower()) return ResetAnswer::noInputPower;
  const bool hangs = faults.has(Fault::osHang) && bootedFrom_ == BootDevice::hdd;
  if (faults.has(Fault::ignoreReset) || (hangs && asksTheSystem(request, on_))) return ResetAnswer::accepted;

  if (request == Reset::nmi) {
    logEvent("Warning", "NMI");
    journal_.event(spec_.name, "nmi", on_ ? "" : "nothing runs");
    return ResetAnswer::accepted;
  }
  ++generation_;
  if (request == Reset::fullPowerCycle) cycleInputPower();
  if (!steps.empty()) tasks_.spawn("power of " + spec_.name, perform(std::move(steps), generation_));
  return ResetAnswer::accepted;
}

void Machine::setFault(Fault fault, bool on) {
  if (faults.has(fault) == on) return;
  faults.set(fault, on);
  journal_.event(spec_.name, "fault", fmt::format("{} {}", json::textOf(fault), on ? "on" : "off"));
  if (fault != Fault::cordOut) return;

  logEvent(on ? "Critical" : "OK", on ? "Power supply input lost" : "Power supply input restored");
  ++generation_;
  if (on && on_) powerDown("no input power");
  if (!on && spec_.powerOnAfterCord) (void)reset(Reset::on);
}

base::Task<void> Machine::perform(std::vector<PowerStep> steps, unsigned generation) {
  for (const auto& step : steps) {
    co_await runtime_.clock.sleepFor(step.after);
    if (generation != generation_) co_return;
    if (step.on)
      powerUp();
    else
      powerDown("");
  }
}

void orderBy(const std::vector<std::string>& ids, std::vector<BootEntry>& entries) {
  auto next = entries.begin();
  for (const auto& id : ids) {
    const auto found = std::ranges::find(next, entries.end(), id, &BootEntry::id);
    if (found != entries.end()) std::rotate(next++, found, found + 1);
  }
}

void Machine::enterSystem() {
  constexpr std::string_view id = "Boot0003";
  if (std::ranges::find(bootEntries, id, &BootEntry::id) != bootEntries.end()) return;
  bootEntries.insert(bootEntries.begin(),
                     {std::string(id), "ubuntu",
                      R"(HD(1,GPT,5B2FA57E-1D1C-4C3A-9B4D-2A1D3C4E5F60,0x800,0x100000)/\EFI\ubuntu\shimx64.efi)"});
}

void Machine::powerUp() {
  on_ = true;
  lastOn_ = runtime_.clock.now();
  for (const auto& [name, value] : pendingBios) bios[name] = value;
  pendingBios.clear();
  if (!pendingOrder.empty()) orderBy(std::exchange(pendingOrder, {}), bootEntries);
  bootedFrom_ = takeBootDevice();
  if (bootedFrom_ == BootDevice::hdd) enterSystem();
  logEvent("OK", "System power on");
  journal_.event(spec_.name, "power", "on");
  journal_.event(spec_.name, "boot", std::string(json::textOf(bootedFrom_)));
  if (listener_) listener_->booted(*this, bootedFrom_);
}

void Machine::powerDown(const std::string& why) {
  on_ = false;
  lastOff_ = runtime_.clock.now();
  logEvent("OK", "System power off");
  bootedFrom_ = BootDevice::none;
  journal_.event(spec_.name, "power", why.empty() ? "off" : "off: " + why);
  if (listener_) listener_->stopped(*this);
}

void Machine::cycleInputPower() {
  if (on_) powerDown("no input power");
  bmcBackAt_ = runtime_.clock.now() + std::chrono::milliseconds(spec_.timing.bmcBoot);
  ++bmcBoots_;
  journal_.event(spec_.name, "power", "input power cycled");
  if (spec_.powerOnAfterCord)
    tasks_.spawn("power of " + spec_.name,
                 perform({{std::chrono::milliseconds(spec_.timing.bmcBoot), true}}, generation_));
}

void Machine::logEvent(std::string severity, std::string message) {
  log.add(runtime_.clock.wall(), std::move(severity), std::move(message));
  logged.notifyAll();
}

base::Duration Machine::since(const std::optional<base::MonoTime>& when) const {
  return when ? runtime_.clock.now() - *when : base::Duration(std::chrono::hours(24));
}

// The override of the BMC first, then the boot order: a disk that can boot, then the network. A CD drive that is not
// the virtual one is empty.
BootDevice Machine::takeBootDevice() {
  if (pendingBoot) boot = *std::exchange(pendingBoot, std::nullopt);
  const bool overridden = boot.enabled != OverrideEnabled::disabled && boot.target != BootDevice::none;
  if (overridden) {
    if (boot.enabled == OverrideEnabled::once) boot.enabled = OverrideEnabled::disabled;
    const bool isCd = boot.target == BootDevice::cd || boot.target == BootDevice::usbCd;
    if (!isCd) return boot.target;
    if (boot.target == virtualCd) return BootDevice::cd;
  }
  const bool bootable = std::ranges::any_of(disks, [](const Disk& disk) { return disk.bootable(); });
  return bootable ? BootDevice::hdd : BootDevice::pxe;
}

}  // namespace ingot::sim
