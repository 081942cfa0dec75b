// What a generator of committed files does: it writes them, or says which are not what it would write.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ingot::tools {

struct GeneratedFile {
  std::filesystem::path path;
  std::string text;
};

struct Generator {
  std::string name;  // of the program
  std::function<std::vector<GeneratedFile>(const std::filesystem::path& folder)> wanted;
  std::string stray;  // said of a YAML file in the folder that is none of these; "": others may be there
};

// NAME FOLDER, or NAME --check FOLDER. The exit code: 1 where a file is stale or cannot be written, 2 for other words.
[[nodiscard]] int generate(const Generator& generator, int argc, char** argv);

}  // namespace ingot::tools
