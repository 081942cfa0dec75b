#include "bmc/model/power.hpp"

#include <array>
#include <utility>

namespace ingot::bmc {

namespace {

template <class Word>
using Words = std::pair<Word, std::string_view>;

constexpr std::array<Words<Power>, 3> powers{{{Power::unknown, "Unknown"}, {Power::off, "Off"}, {Power::on, "On"}}};

constexpr std::array<Words<PowerAction>, 6> actions{{{PowerAction::on, "on"},
                                                     {PowerAction::hardOff, "hard-off"},
                                                     {PowerAction::softOff, "soft-off"},
                                                     {PowerAction::hardReboot, "hard-reboot"},
                                                     {PowerAction::softReboot, "soft-reboot"},
                                                     {PowerAction::hardRestart, "hard-restart"}}};

constexpr std::array<Words<Health>, 4> healths{
    {{Health::unknown, "Unknown"}, {Health::ok, "OK"}, {Health::warning, "Warning"}, {Health::critical, "Critical"}}};

template <class Table, class Word>
std::string_view textOf(const Table& table, Word word) {
  for (const auto& [value, text] : table)
    if (value == word) return text;
  return "Unknown";
}

template <class Word, class Table>
std::optional<Word> wordOf(const Table& table, std::string_view wanted) {
  for (const auto& [value, text] : table)
    if (text == wanted) return value;
  return std::nullopt;
}

}  // namespace

std::string_view toText(Power power) { return textOf(powers, power); }
std::string_view toText(PowerAction action) { return textOf(actions, action); }
std::string_view toText(Health health) { return textOf(healths, health); }

std::optional<Power> parsePower(std::string_view text) { return wordOf<Power>(powers, text); }
std::optional<PowerAction> parsePowerAction(std::string_view text) { return wordOf<PowerAction>(actions, text); }
std::optional<Health> parseHealth(std::string_view text) { return wordOf<Health>(healths, text); }

Power targetOf(PowerAction action) {
  switch (action) {
    case PowerAction::on:
    case PowerAction::hardReboot:
    case PowerAction::softReboot:
    case PowerAction::hardRestart: return Power::on;
    case PowerAction::hardOff:
    case PowerAction::softOff: return Power::off;
  }
  return Power::unknown;
}

bool isRestart(PowerAction action) {
  switch (action) {
    case PowerAction::on:
    case PowerAction::hardOff:
    case PowerAction::softOff: return false;
    case PowerAction::hardReboot:
    case PowerAction::softReboot:
    case PowerAction::hardRestart: return true;
  }
  return false;
}

Power provedBy(PowerAction action) { return isRestart(action) ? Power::unknown : targetOf(action); }

}  // namespace ingot::bmc
