// Parts that every `ingotctl describe` has.
#pragma once

#include "base/clock.hpp"
#include "cli/words/plain_text.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/event.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli {

// "Name:          node01"; nothing for what is empty.
class Facts {
 public:
  void add(std::string_view name, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("{:<15}{}\n", fmt::format("{}:", name), plainText(value));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// "" without lines.
[[nodiscard]] std::string waitingText(const std::vector<std::string>& lines);

[[nodiscard]] std::string conditionsText(const std::vector<kube::Condition>& conditions, base::WallTime now);

// The latest twenty; `events` in any order, nullopt: they are not known.
[[nodiscard]] std::string eventsText(std::optional<std::vector<kube::Event>> events, base::WallTime now);

// No line ends in spaces, whatever was empty in it.
[[nodiscard]] std::string trimmedLines(const std::string& text);

}  // namespace ingot::cli
