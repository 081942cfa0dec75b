// The files and commands of cloud-init's user data.
#pragma once

#include "json/value.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::sim::firstboot {

struct CloudConfig {
  std::map<std::string, std::string> files;  // path → content, as `write_files` would leave it
  std::vector<std::string> commands;         // `runcmd`, each a line of a shell
};

// `text`: user data, expanded; empty text is nothing to do. Throws BootError for other kinds than #cloud-config, for
// what is no YAML or has lost a piece, for a file whose encoding does not hold, and for files of more than 64 MiB
// together.
[[nodiscard]] CloudConfig readCloudConfig(std::string_view text);

}  // namespace ingot::sim::firstboot
