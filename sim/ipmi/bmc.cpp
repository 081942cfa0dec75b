#include "sim/ipmi/bmc.hpp"

#include "base/file.hpp"
#include "sim/ipmi/fru.hpp"

namespace ingot::sim::ipmi {

namespace {

constexpr base::Duration forever = std::chrono::hours(24 * 3650);
constexpr base::Duration restartPause = std::chrono::seconds(1);

std::string withoutDashes(std::string uuid) {
  std::erase(uuid, '-');
  return uuid;
}

}  // namespace

std::string lanConfiguration(const MachineSpec& spec, const std::string& password, const BmcOptions& options) {
  constexpr std::string_view auths = "none md2 md5 straight";
  std::string text =
      fmt::format("name \"{}\"\nset_working_mc 0x20\n  startlan 1\n    addr {} {}\n    priv_limit admin\n", spec.name,
                  spec.address, options.port);
  for (const auto* level : {"callback", "user", "operator", "admin"})
    text += fmt::format("    allowed_auths_{} {}\n", level, auths);
  text += fmt::format("    guid {}\n  endlan\n", withoutDashes(spec.uuid));
  text += fmt::format("  chassis_control \"{}\"\n", options.chassisCommand);
  text += fmt::format("  user 1 false \"\" \"\" user 10 {}\n", auths);
  text += fmt::format("  user 2 true \"{}\" \"{}\" admin 10 {}\n", spec.username, password, auths);
  return text;
}

std::string startCommands(const MachineSpec& spec) {
  const auto fru = fruData(spec);
  return fmt::format(
      "mc_setbmc 0x20\n"
      "mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr\n"
      "sel_enable 0x20 1000 0x0a\n"
      "mc_add_fru_data 0x20 0 {} data {:#04x}\n"
      "sensor_add 0x20 0 1 0x01 0x01\n"
      "sensor_set_value 0x20 0 1 0x30 0\n"
      "mc_enable 0x20\n",
      fru.size(), fmt::join(fru, " "));
}

Bmc::Bmc(base::Runtime runtime, base::ProcessRunner& runner, Machine& machine, BmcOptions options)
    : runtime_(std::move(runtime)),
      runner_(runner),
      machine_(machine),
      options_(std::move(options)),
      changed_(runtime_.executor) {}

bool Bmc::silent() const {
  const auto& faults = machine_.faults;
  return faults.has(Fault::hang) || faults.has(Fault::drop) || faults.has(Fault::serverErrors);
}

void Bmc::writeFiles() const {
  const auto& spec = machine_.spec();
  const bool refuse = machine_.faults.has(Fault::refusePassword);
  base::makeFolder(options_.folder + "/state");
  // A refused password is replaced by another one and not removed, so that the right one is refused.
  base::writeFileAtomically(options_.folder + "/lan.conf",
                            lanConfiguration(spec, refuse ? "changed" : spec.password, options_));
  base::writeFileAtomically(options_.folder + "/start.emu", startCommands(spec));
}

base::Task<void> Bmc::run() {
  while (true) {
    while (silent()) co_await changed_.wait();
    current_ = std::make_unique<base::AbortSource>();
    try {
      co_await current_->run(runOnce());
    } catch (const base::Cancelled&) {
      if (!current_->aborted()) throw;
      continue;  // refresh(): start again, with the faults as they are now
    } catch (const base::Error& error) {
      runtime_.log.error("ipmi_sim does not run", {{"machine", machine_.name()}, {"error", error.what()}});
    }
    co_await runtime_.clock.sleepFor(restartPause);
  }
}

base::Task<void> Bmc::runOnce() {
  writeFiles();
  const auto result =
      co_await runner_.run({.argv = {"ipmi_sim", "-c", options_.folder + "/lan.conf", "-f",
                                     options_.folder + "/start.emu", "-s", options_.folder + "/state", "-n"},
                            .deadline = forever,
                            .outputLimit = 64u << 20});
  throw base::Error(
      fmt::format("it ended with exit code {}: {}{}", result.exitCode, result.standardError, result.standardOutput));
}

void Bmc::refresh() {
  changed_.notifyAll();
  if (current_) current_->abort();
}

}  // namespace ingot::sim::ipmi
