#include "cloudinit/yaml/number.hpp"

#include <array>
#include <charconv>

namespace ingot::cloudinit::yaml {

namespace {

std::string written(double number, std::chars_format form) {
  std::array<char, 64> text{};
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), number, form);
  return {text.data(), end};
}

// d.ddde±xx → xx
int exponentIn(const std::string& scientific) {
  const auto at = scientific.find('e') + 1;
  const char* from = scientific.data() + at + (scientific[at] == '+' ? 1 : 0);
  int exponent = 0;
  std::from_chars(from, scientific.data() + scientific.size(), exponent);
  return exponent;
}

}  // namespace

std::string shortest(double number) {
  const std::string scientific = written(number, std::chars_format::scientific);
  const int exponent = exponentIn(scientific);
  constexpr int kLeast = -4, kMost = 5;
  return exponent < kLeast || exponent > kMost ? scientific : written(number, std::chars_format::fixed);
}

}  // namespace ingot::cloudinit::yaml
