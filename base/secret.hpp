// A string that cannot be printed, logged or encoded by accident.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace ingot::base {

// Prints as ***; its memory is wiped when it dies or is assigned over. Comparison takes constant time.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  ~Secret();
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;

  // The only way to the text. Every call is a place where a reviewer looks.
  [[nodiscard]] const std::string& reveal() const { return value_; }
  [[nodiscard]] bool empty() const { return value_.empty(); }

  friend bool operator==(const Secret& a, const Secret& b);

 private:
  std::string value_;
};

// Overwrites the bytes in a way that the compiler keeps.
void wipe(std::string& text);

}  // namespace ingot::base

template <>
struct fmt::formatter<ingot::base::Secret> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const ingot::base::Secret&, Context& ctx) const {
    return fmt::formatter<std::string_view>::format("***", ctx);
  }
};
