// Which of a BMC's systems is the host, when the address names none (spec/bmc.md §4).
#pragma once

#include "bmc/redfish/resources.hpp"

#include <vector>

namespace ingot::bmc::redfish {

// An accelerator tray that some BMCs list beside the host it belongs to.
[[nodiscard]] bool isBaseboard(std::string_view path);

// How many different systems these are that are no such tray.
[[nodiscard]] std::size_t hostsAmong(const std::vector<Link>& systems);

// The path of the one that is meant. Throws Error{ambiguousSystem} naming the candidates when several are left,
// Error{protocol} when there is none.
[[nodiscard]] std::string chooseSystem(const std::vector<System>& members);

// The path of the manager that is asked about the BMC; "" where the system names none. Some have them in Managers.
[[nodiscard]] std::string firstManager(const Fact<SystemLinks>& links);

}  // namespace ingot::bmc::redfish
