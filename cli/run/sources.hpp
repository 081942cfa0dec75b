// The manifests that a command without a cluster is given.
#pragma once

#include "cli/apply/manifest.hpp"
#include "cli/run/terminal.hpp"

namespace ingot::cli {

// As readSources(); standard input is read only where "-" asks for it.
[[nodiscard]] inline std::vector<Source> sourcesOf(Terminal& terminal, const std::vector<std::string>& paths,
                                                   bool recursive) {
  const bool wantsInput = std::ranges::find(paths, "-") != paths.end();
  return readSources(paths, recursive, wantsInput ? terminal.readInput() : "");
}

}  // namespace ingot::cli
