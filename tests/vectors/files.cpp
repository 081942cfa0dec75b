#include "tests/vectors/files.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ingot::vectors {

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw base::InvalidInput(path, "cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Line> readLines(const std::string& path) {
  std::vector<Line> out;
  std::istringstream text(readFile(path));
  for (std::string row; std::getline(text, row);) {
    if (row.empty()) continue;
    const auto v = json::parse(row);
    Line line{.name = json::textAt(v, {"name"}), .in = v.at("in"), .out = v.at("out")};
    if (const auto error = json::stringAt(v, {"error"})) line.error = std::string(*error);
    out.push_back(std::move(line));
  }
  return out;
}

std::string folder() {
  const char* given = std::getenv("INGOT_VECTORS");
  return given ? given : INGOT_SOURCE_DIR "/tests/data/vectors";
}

bool isDefaultFolder() { return !std::getenv("INGOT_VECTORS"); }

}  // namespace ingot::vectors
