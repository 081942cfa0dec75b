// A shell's command line, as far as one must read it to see which programs it runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::sim::firstboot {

// Each simple command with its words, quotes taken off, and those that it gives to a shell (sh -c '…') behind it.
// Variables, redirections and keywords stay words.
[[nodiscard]] std::vector<std::vector<std::string>> commandsOf(std::string_view line);

}  // namespace ingot::sim::firstboot
