// The commands that Ironic has given a ramdisk since it booted.
#pragma once

#include "json/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::sim::ramdisk {

struct Command {
  std::string id, name;  // name without the extension: "execute_clean_step"
  std::string status = "RUNNING";
  json::Value error, result;

  void succeed(json::Value value);
  void fail(std::string_view type, const std::string& details);
  [[nodiscard]] json::Object record() const;
};

// The answers that depend on nothing but the order (spec/ramdisk.md §6).
[[nodiscard]] json::Value cleanSteps();
[[nodiscard]] json::Value deploySteps();
[[nodiscard]] json::Value serviceSteps();

}  // namespace ingot::sim::ramdisk
