// The words for power and health that agents, the link and the coordinator share.
#pragma once

#include <optional>
#include <string_view>

namespace ingot::bmc {

enum class Power { unknown, off, on };

// As asked for. Soft actions go through the operating system and may take minutes or never happen. A hard reboot is
// off, then on; a hard restart resets a host that must not be off for a moment. An NMI interrupts the operating system
// (crash dump, panic). An AC cycle is off, then without input power for a moment, its BMC too; afterwards the host is
// on or off as its firmware is set.
enum class PowerAction { on, hardOff, softOff, hardReboot, softReboot, hardRestart, nmi, acCycle };

enum class Health { unknown, ok, warning, critical };

[[nodiscard]] std::string_view toText(Power power);         // "Unknown", "Off", "On"
[[nodiscard]] std::string_view toText(PowerAction action);  // "on", "hard-off", "soft-off", "hard-reboot", ...
[[nodiscard]] std::string_view toText(Health health);       // "Unknown", "OK", "Warning", "Critical"

[[nodiscard]] std::optional<Power> parsePower(std::string_view text);
[[nodiscard]] std::optional<PowerAction> parsePowerAction(std::string_view text);
[[nodiscard]] std::optional<Health> parseHealth(std::string_view text);

// The power that an action leads to; a reboot ends with the host on. Unknown for an NMI and an AC cycle.
[[nodiscard]] Power targetOf(PowerAction action);

// The host is on before and after: no reading of its power proves it.
[[nodiscard]] bool isRestart(PowerAction action);

// What an operator asks for once, beside the power that is wanted.
[[nodiscard]] bool isOneShot(PowerAction action);

// The power that, once read, proves the action; unknown for a restart, an NMI and an AC cycle.
[[nodiscard]] Power provedBy(PowerAction action);

}  // namespace ingot::bmc
