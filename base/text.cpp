#include "base/text.hpp"

#include <algorithm>

namespace ingot::base {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return lower(c); });
  return out;
}

bool equalButForCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string hostAndPort(std::string_view host, std::string_view port) {
  const bool isIpv6 = host.find(':') != std::string_view::npos;
  return fmt::format(fmt::runtime(isIpv6 ? "[{}]:{}" : "{}:{}"), host, port);
}

std::string hostAndPort(std::string_view host, std::uint16_t port) { return hostAndPort(host, std::to_string(port)); }

}  // namespace ingot::base
