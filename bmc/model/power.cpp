#include "bmc/model/power.hpp"

#include "bmc/model/words.hpp"

namespace ingot::bmc {

namespace {

constexpr WordTable<Power, 3> powers{{{Power::unknown, "Unknown"}, {Power::off, "Off"}, {Power::on, "On"}}};

constexpr WordTable<PowerAction, 8> actions{{{PowerAction::on, "on"},
                                             {PowerAction::hardOff, "hard-off"},
                                             {PowerAction::softOff, "soft-off"},
                                             {PowerAction::hardReboot, "hard-reboot"},
                                             {PowerAction::softReboot, "soft-reboot"},
                                             {PowerAction::hardRestart, "hard-restart"},
                                             {PowerAction::nmi, "nmi"},
                                             {PowerAction::acCycle, "ac-cycle"}}};

constexpr WordTable<Health, 4> healths{
    {{Health::unknown, "Unknown"}, {Health::ok, "OK"}, {Health::warning, "Warning"}, {Health::critical, "Critical"}}};

}  // namespace

std::string_view toText(Power power) { return textOf(powers, power); }
std::string_view toText(PowerAction action) { return textOf(actions, action); }
std::string_view toText(Health health) { return textOf(healths, health); }

std::optional<Power> parsePower(std::string_view text) { return wordOf(powers, text); }
std::optional<PowerAction> parsePowerAction(std::string_view text) { return wordOf(actions, text); }
std::optional<Health> parseHealth(std::string_view text) { return wordOf(healths, text); }

Power targetOf(PowerAction action) {
  switch (action) {
    case PowerAction::on:
    case PowerAction::hardReboot:
    case PowerAction::softReboot:
    case PowerAction::hardRestart: return Power::on;
    case PowerAction::hardOff:
    case PowerAction::softOff: return Power::off;
    case PowerAction::nmi:
    case PowerAction::acCycle: return Power::unknown;
  }
  return Power::unknown;
}

bool isRestart(PowerAction action) {
  switch (action) {
    case PowerAction::on:
    case PowerAction::hardOff:
    case PowerAction::softOff:
    case PowerAction::nmi:
    case PowerAction::acCycle: return false;
    case PowerAction::hardReboot:
    case PowerAction::softReboot:
    case PowerAction::hardRestart: return true;
  }
  return false;
}

bool isOneShot(PowerAction action) { return action == PowerAction::nmi || action == PowerAction::acCycle; }

Power provedBy(PowerAction action) { return isRestart(action) ? Power::unknown : targetOf(action); }

}  // namespace ingot::bmc
