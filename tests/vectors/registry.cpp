#include "tests/vectors/registry.hpp"

namespace ingot::vectors {

std::map<std::string, Run>& runners() {
  static std::map<std::string, Run> all;
  return all;
}

Registration::Registration(std::string file, Run run) { runners().emplace(std::move(file), std::move(run)); }

namespace {

std::string shown(const std::optional<std::string>& error) { return error ? "\"" + *error + "\"" : "none"; }

}  // namespace

std::string compare(const Line& line, const json::Value& out, const std::optional<std::string>& error) {
  if (error != line.error) return fmt::format("error: want {}, got {}", shown(line.error), shown(error));
  if (!json::equal(out, line.out))
    return fmt::format("out: want {}, got {}", json::serializeSorted(line.out), json::serializeSorted(out));
  return "";
}

}  // namespace ingot::vectors
