// A server: power, boot, media, disks, sensors and what is wrong with it. Knows nothing of Redfish, IPMI or Ironic.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "sim/machine/boot.hpp"
#include "sim/machine/disk.hpp"
#include "sim/machine/event_log.hpp"
#include "sim/machine/fault.hpp"
#include "sim/machine/journal.hpp"
#include "sim/machine/power.hpp"
#include "sim/machine/spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::sim {

// A virtual drive of the BMC and what lies in it.
struct MediaSlot {
  std::string id;
  std::vector<std::string> types;
  std::string image;  // URL; "" when empty
  bool writeProtected = true;
  base::MonoTime filledAt{};

  [[nodiscard]] bool inserted() const { return !image.empty(); }
};

class Machine;

// Of the firmware's boot menu.
struct BootEntry {
  std::string id, name, devicePath;
};
// Those that `ids` does not name come last.
void orderBy(const std::vector<std::string>& ids, std::vector<BootEntry>& entries);

// Told after the fact, on the loop thread.
class MachineListener {
 public:
  virtual ~MachineListener() = default;
  virtual void booted(Machine& machine, BootDevice from) = 0;
  virtual void stopped(Machine& machine) = 0;  // also before a restart boots again
};

enum class ResetAnswer { accepted, noInputPower };

class Machine {
 public:
  // `tasks` and `journal` are lent; tasks must be closed before the machine dies. Disk files live in `diskFolder`.
  Machine(base::Runtime runtime, MachineSpec spec, Journal& journal, base::TaskGroup& tasks,
          const std::string& diskFolder);

  [[nodiscard]] const MachineSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& name() const { return spec_.name; }
  void listen(MachineListener* listener) { listener_ = listener; }

  [[nodiscard]] bool on() const { return on_; }
  [[nodiscard]] bool reportedOn() const;  // what the BMC says: see Fault::liePower
  // After a full power cycle: nothing is answered until it has started again.
  [[nodiscard]] bool bmcIsAway() const { return runtime_.clock.now() < bmcBackAt_; }
  [[nodiscard]] unsigned bmcBoots() const { return bmcBoots_; }
  [[nodiscard]] bool hasInputPower() const { return !faults.has(Fault::cordOut); }
  [[nodiscard]] BootDevice bootedFrom() const { return bootedFrom_; }
  // Since the power came and went last; a day for never.
  [[nodiscard]] base::Duration sinceOn() const { return since(lastOn_); }
  [[nodiscard]] base::Duration sinceOff() const { return since(lastOff_); }
  [[nodiscard]] bool isInPost() const { return on_ && sinceOn() < std::chrono::milliseconds(spec_.timing.boot); }

  // Accepted is not done: the power changes after the hardware's delays. A newer request replaces an unfinished one.
  [[nodiscard]] ResetAnswer reset(Reset request);
  void setFault(Fault fault, bool on);  // pulls and replugs the cord, too
  [[nodiscard]] std::map<std::string, std::string> factoryBios() const;
  void logEvent(std::string severity, std::string message);  // now

  Faults faults;
  BootOverride boot;
  std::optional<BootOverride> pendingBoot;  // in force at the next power-on
  // In their order; an operating system that boots from a disk adds its own in front.
  std::vector<BootEntry> bootEntries{
      {"Boot0001", "Disk 1", "PciRoot(0x0)/Pci(0x1,0x0)/NVMe(0x1,01-00-00-00-00-00-00-00)"},
      {"Boot0002", "Network 1", "PciRoot(0x0)/Pci(0x2,0x0)/MAC(020000000001,0x1)/IPv4(0.0.0.0)"}};
  std::vector<std::string> pendingOrder;  // ids, in force at the next power-on; none: as it is
  BootDevice virtualCd = BootDevice::cd;  // what the firmware calls the virtual drive `cd`
  MediaSlot cd{.id = "Cd", .types = {"CD", "DVD"}};
  MediaSlot floppy{.id = "Floppy", .types = {"Floppy", "USBStick"}};
  std::map<std::string, std::string> bios;         // attributes in force
  std::map<std::string, std::string> pendingBios;  // in force after the next power-on
  std::map<std::string, std::string> firmware;     // component → version
  std::vector<Disk> disks;
  EventLog log;
  base::Notifier logged;  // something came into the log

 private:
  [[nodiscard]] base::Task<void> perform(std::vector<PowerStep> steps, unsigned generation);
  void powerUp();
  void enterSystem();
  void powerDown(const std::string& why);
  void cycleInputPower();
  [[nodiscard]] BootDevice takeBootDevice();
  [[nodiscard]] base::Duration since(const std::optional<base::MonoTime>& when) const;

  base::Runtime runtime_;
  MachineSpec spec_;
  Journal& journal_;
  base::TaskGroup& tasks_;
  MachineListener* listener_ = nullptr;
  bool on_ = false;
  std::optional<base::MonoTime> lastOn_, lastOff_;
  base::MonoTime bmcBackAt_{};
  unsigned bmcBoots_ = 0;
  unsigned generation_ = 0;  // of power requests; an older one in flight gives up
  BootDevice bootedFrom_ = BootDevice::none;
};

}  // namespace ingot::sim
