// A regular expression with the syntax and the search of Go's regexp (RE2), unanchored.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ingot::kube {

class Pattern {
 public:
  // Throws base::InvalidInput when it is no expression.
  explicit Pattern(std::string text);
  [[nodiscard]] bool found(std::string_view in) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Compiled;
  std::string text_;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace ingot::kube
