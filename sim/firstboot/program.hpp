// Which program a simple command runs, behind what a shell and others put before it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

using CommandWords = std::span<const std::string>;

// From the program on: without keywords, variables, and programs that run another (sudo, env, timeout) with their own
// arguments. Empty when there is none.
[[nodiscard]] CommandWords programIn(CommandWords words);

// "/usr/bin/kubeadm" → "kubeadm".
[[nodiscard]] std::string_view baseName(std::string_view program);

// What a shell is told to run (sh -c '…', bash -euo pipefail -lc '…'); "" when it is none, or is told otherwise.
[[nodiscard]] std::string_view scriptIn(CommandWords words);

}  // namespace ingot::sim::firstboot
