// ipmitool in front of a server whose Redfish BMC is a fake. It speaks as the real one does (spec/bmc.md §15).
#pragma once

#include "base/subprocess.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/bmc/ipmi_results.hpp"

namespace ingot::tests {

// The command of a run, without what says where it goes to: "power status".
inline std::string ipmiCommand(const base::ProcessSpec& spec) {
  return spec.argv[spec.argv.size() - 2] + " " + spec.argv.back();
}

inline base::ProcessResult ipmiPower(FakeRedfish& bmc, const std::string& word) {
  const bool on = bmc.powerState == "On";
  if (word == "status") return said(on ? "Chassis Power is on\n" : "Chassis Power is off\n");
  if (!on && word != "on") return failed("Command not supported in present state");
  if (bmc.obeys) {
    const bool staysOn = word == "on" || word == "cycle" || word == "reset" || word == "diag";
    if (bmc.onReset) bmc.onReset();
    bmc.powerState = staysOn ? "On" : "Off";
  }
  return said("Chassis Power Control: done\n");
}

// `logged`: entries in its log.
inline base::ProcessResult answerOfIpmitool(FakeRedfish& bmc, const base::ProcessSpec& spec, int logged = 0) {
  if (spec.secretEnvironment.at("IPMITOOL_PASSWORD").reveal() != bmc.password) return failed("RAKP 2 HMAC is invalid");
  const auto& group = spec.argv[spec.argv.size() - 2];
  if (group == "mc") return said("Device ID                 : 32\nManufacturer Name         : Contoso\n");
  if (group == "chassis")
    return said(bmc.powerState == "On" ? "System Power         : on\n" : "System Power         : off\n");
  if (group == "elist") return said("MBTemp,48,degrees C,ok\n");
  if (group == "sel")
    return said(fmt::format("Entries          : {}\nLast Add Time    : {}\n", logged,
                            logged == 0 ? std::string("Not Available") : fmt::format("01/01/26 10:00:{:02}", logged)));
  if (group == "last") {
    if (logged == 0) return said("SEL has no entries\n");
    std::string lines;
    for (int i = 1; i <= logged; ++i)
      lines += fmt::format("{:x},01/01/26,10:00:{:02},Power Supply PS1,Failure detected,Asserted\n", i, i);
    return said(lines);
  }
  if (group != "power") throw std::logic_error("an ipmitool command that no server here knows: " + group);
  return ipmiPower(bmc, spec.argv.back());
}

}  // namespace ingot::tests
