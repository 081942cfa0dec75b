// Reads a short text from the left: the pieces that numbers and timestamps are made of.
#pragma once

#include <cstddef>
#include <string_view>

namespace ingot::json::yaml {

[[nodiscard]] inline bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }

class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] bool at(std::string_view anyOf) const {
    return !rest_.empty() && anyOf.find(rest_.front()) != std::string_view::npos;
  }

  // One character out of `anyOf`; false and nothing taken when another one stands there.
  bool take(std::string_view anyOf) {
    if (!at(anyOf)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // As many as there are, at most `most`.
  std::string_view takeWhile(auto wanted, std::size_t most = std::string_view::npos) {
    std::size_t n = 0;
    while (n < rest_.size() && n < most && wanted(rest_[n])) ++n;
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }

  std::string_view digits(std::size_t most = std::string_view::npos) { return takeWhile(isAsciiDigit, most); }
  std::string_view digitsAndUnderscores() {
    return takeWhile([](char c) { return isAsciiDigit(c) || c == '_'; });
  }

 private:
  std::string_view rest_;
};

}  // namespace ingot::json::yaml
