// Where a command reads and writes. Tests have one in memory.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli {

class Terminal {
 public:
  virtual ~Terminal() = default;
  virtual void out(std::string_view text) = 0;    // what was asked for; ends of lines included
  virtual void note(std::string_view line) = 0;   // beside it, for people: standard error
  virtual void error(std::string_view line) = 0;  // why it did not work: standard error, "error: " in front
  [[nodiscard]] virtual std::string readInput() = 0;
};

}  // namespace ingot::cli
