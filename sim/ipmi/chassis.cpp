#include "sim/ipmi/chassis.hpp"

namespace ingot::sim::ipmi {

namespace {

struct BootWord {
  std::string_view word;
  BootDevice device;
};
// ipmi_sim says "default" for the disk.
constexpr BootWord bootWords[] = {{"none", BootDevice::none},
                                  {"pxe", BootDevice::pxe},
                                  {"default", BootDevice::hdd},
                                  {"cdrom", BootDevice::cd},
                                  {"bios", BootDevice::biosSetup}};

std::string_view wordOf(const BootOverride& boot) {
  if (boot.enabled != OverrideEnabled::disabled)
    for (const auto& [word, device] : bootWords)
      if (device == boot.target) return word;
  return "none";
}

ChassisAnswer get(const Machine& machine, std::span<const std::string> names) {
  ChassisAnswer answer;
  for (const auto& name : names) {
    if (name == "power")
      answer.text += fmt::format("power:{}\n", machine.reportedOn() ? 1 : 0);
    else if (name == "boot")
      answer.text += fmt::format("boot:{}\n", wordOf(machine.boot));
    else
      return {"unknown parameter " + name, 1};
  }
  return answer;
}

// IPMI cannot tell how long an override lasts, and ipmi_sim forgets it: it stays until it is changed.
ChassisAnswer setBoot(Machine& machine, const std::string& value) {
  for (const auto& [word, device] : bootWords) {
    if (word != value) continue;
    machine.boot.target = device;
    machine.boot.enabled = device == BootDevice::none ? OverrideEnabled::disabled : OverrideEnabled::continuous;
    return {};
  }
  return {"unknown boot device " + value, 1};
}

ChassisAnswer reset(Machine& machine, Reset request) {
  if (machine.reset(request) == ResetAnswer::noInputPower) return {"no input power", 1};
  return {};
}

ChassisAnswer set(Machine& machine, const std::string& name, const std::string& value) {
  if (name == "power") return reset(machine, value == "1" ? Reset::on : Reset::forceOff);
  if (name == "reset") return reset(machine, Reset::forceRestart);
  if (name == "shutdown") return reset(machine, Reset::gracefulShutdown);
  if (name == "boot") return setBoot(machine, value);
  if (name == "identify") return {};
  return {"unknown parameter " + name, 1};
}

std::string actionOf(const std::string& name) {
  return name == "boot" ? "boot-override" : name == "identify" ? name : "reset";
}

std::string detailOf(const std::string& name, const std::string& value) {
  if (name == "power") return value == "1" ? "On" : "ForceOff";
  if (name == "reset") return "ForceRestart";
  if (name == "shutdown") return "GracefulShutdown";
  return value;
}

}  // namespace

ChassisAnswer chassisControl(Machine& machine, Journal& journal, const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[0] == "get") return get(machine, std::span(words).subspan(1));
  if (words.size() < 3 || words[0] != "set") return {"use: get NAME… | set NAME VALUE…", 2};

  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    auto answer = set(machine, words[i], words[i + 1]);
    journal.record({.machine = machine.name(),
                    .kind = "request",
                    .sender = "ipmi",
                    .user = machine.spec().username,
                    .action = actionOf(words[i]),
                    .detail = detailOf(words[i], words[i + 1]),
                    .status = answer.exitCode == 0 ? 200 : 409});
    if (answer.exitCode != 0) return answer;
    if (words[i] == "identify") break;  // takes two values
  }
  return {};
}

}  // namespace ingot::sim::ipmi
