// Where a command reads and writes. Tests have one in memory.
#pragma once

#include "cli/words/plain_text.hpp"

#include <string>
#include <string_view>

namespace ingot::cli {

class Terminal {
 public:
  virtual ~Terminal() = default;
  // What was asked for. `text` goes out as it is, ends of lines included: documents for programs, and texts whose parts
  // have passed plainText().
  virtual void out(std::string_view text) = 0;
  void say(std::string_view line) { out(plainText(line) + "\n"); }
  // Beside it, for people: standard error.
  void note(std::string_view line) { writeNote(plainText(line)); }
  // Why it did not work: standard error, "error: " in front.
  void error(std::string_view line) { writeError(plainText(line)); }
  [[nodiscard]] virtual std::string readInput() = 0;

 private:
  virtual void writeNote(const std::string& line) = 0;
  virtual void writeError(const std::string& line) = 0;
};

}  // namespace ingot::cli
