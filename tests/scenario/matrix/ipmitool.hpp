// ipmitool as an agent runs it, in front of the servers of a plant. It speaks as the real one does (spec/bmc.md §15).
#pragma once

#include "base/subprocess.hpp"
#include "tests/scenario/matrix/plant.hpp"

namespace ingot::tests::matrix {

class Ipmitool final : public base::ProcessRunner {
 public:
  // `at`: the server with this address; nullptr: nobody answers there.
  Ipmitool(base::Clock& clock, std::function<Server*(const std::string& address)> at)
      : clock_(clock), at_(std::move(at)) {}

  base::Task<base::ProcessResult> run(base::ProcessSpec spec) override {
    Server* server = at_(*(std::ranges::find(spec.argv, "-H") + 1));
    if (server == nullptr || server->trouble == Fault::bmcHangs) {
      co_await clock_.sleepFor(spec.deadline);
      co_return base::ProcessResult{.timedOut = true};
    }
    if (spec.secretEnvironment.at("IPMITOOL_PASSWORD").reveal() != server->bmc.password)
      co_return failed("RAKP 2 HMAC is invalid");
    if (server->trouble == Fault::bmcAnswers500) co_return failed("Node busy");
    co_return answer(*server, spec.argv[spec.argv.size() - 2], spec.argv.back());
  }

 private:
  static base::ProcessResult failed(std::string text) { return {.exitCode = 1, .standardError = std::move(text)}; }
  static base::ProcessResult said(std::string text) { return {.exitCode = 0, .standardOutput = std::move(text)}; }

  static base::ProcessResult answer(Server& server, const std::string& group, const std::string& word) {
    const bool on = server.bmc.powerState == "On";
    if (group == "mc") return said("Device ID                 : 32\nManufacturer Name         : Contoso\n");
    if (group == "chassis") return said(on ? "System Power         : on\n" : "System Power         : off\n");
    if (group == "elist") return said("MBTemp,48,degrees C,ok\n");
    if (group == "sel") return said("Entries          : 0\nLast Add Time    : Not Available\n");
    if (group == "last") return said("SEL has no entries\n");
    if (group != "power") throw std::logic_error("an ipmitool command that no server here knows: " + group);
    if (word == "status") return said(on ? "Chassis Power is on\n" : "Chassis Power is off\n");
    if (!on && word != "on") return failed("Command not supported in present state");
    if (server.bmc.obeys) press(server, word);
    return said("Chassis Power Control: done\n");
  }

  static void press(Server& server, const std::string& word) {
    const bool staysOn = word == "on" || word == "cycle" || word == "reset";
    if (server.bmc.onReset) server.bmc.onReset();
    server.bmc.powerState = staysOn ? "On" : "Off";
  }

  base::Clock& clock_;
  std::function<Server*(const std::string& address)> at_;
};

}  // namespace ingot::tests::matrix
