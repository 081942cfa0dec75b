#include "base/base64.hpp"

#include <algorithm>
#include <array>

namespace ingot::base {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<signed char, 256> values = [] {
  std::array<signed char, 256> out{};
  out.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    out[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  return out;
}();

}  // namespace

std::string toBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> fromBase64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  unsigned group = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      ++padding;
      if (digits < 2 || digits + padding > 4) return std::nullopt;
      continue;
    }
    const signed char value = values[static_cast<unsigned char>(c)];
    if (value < 0 || padding > 0) return std::nullopt;
    group = group << 6 | static_cast<unsigned char>(value);
    if (++digits < 4) continue;
    for (const int shift : {16, 8, 0}) out += static_cast<char>(group >> shift & 0xff);
    group = 0;
    digits = 0;
  }
  if (digits == 0 && padding == 0) return out;
  if (digits + padding != 4) return std::nullopt;
  group <<= 6 * padding;
  out += static_cast<char>(group >> 16 & 0xff);
  if (padding == 1) out += static_cast<char>(group >> 8 & 0xff);
  return out;
}

}  // namespace ingot::base
