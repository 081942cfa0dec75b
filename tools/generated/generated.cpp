#include "tools/generated/generated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

namespace ingot::tools {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int complainOfStrays(const std::vector<GeneratedFile>& wanted, const fs::path& folder, const std::string& stray) {
  int strays = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool known = std::ranges::any_of(wanted, [&](const auto& file) { return file.path == entry.path(); });
    if (entry.path().extension() != ".yaml" || known) continue;
    fmt::print(stderr, "{}: {}\n", entry.path().string(), stray);
    ++strays;
  }
  return strays;
}

int check(const Generator& generator, const fs::path& folder) {
  const auto wanted = generator.wanted(folder);
  int stale = 0;
  for (const auto& file : wanted) {
    if (contentOf(file.path) == file.text) continue;
    fmt::print(stderr, "{}: not fresh; run {} {}\n", file.path.string(), generator.name, folder.string());
    ++stale;
  }
  if (!generator.stray.empty()) stale += complainOfStrays(wanted, folder, generator.stray);
  return stale == 0 ? 0 : 1;
}

int write(const Generator& generator, const fs::path& folder) {
  for (const auto& file : generator.wanted(folder)) {
    fs::create_directories(file.path.parent_path());
    std::ofstream out(file.path, std::ios::binary | std::ios::trunc);
    if ((out << file.text) && out.flush()) continue;
    fmt::print(stderr, "{}: cannot be written\n", file.path.string());
    return 1;
  }
  return 0;
}

}  // namespace

int generate(const Generator& generator, int argc, char** argv) {
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  if (args.size() == 1 && !args[0].starts_with('-')) return write(generator, args[0]);
  if (args.size() == 2 && args[0] == "--check") return check(generator, args[1]);
  fmt::print(stderr, "usage: {} [--check] FOLDER\n", generator.name);
  return 2;
}

}  // namespace ingot::tools
