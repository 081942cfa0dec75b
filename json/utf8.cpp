#include "json/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace ingot::json {
namespace {

struct Lead {
  std::uint8_t mask, bits;  // how the first byte looks
  std::uint8_t following;   // bytes
  std::uint32_t least;      // anything below has a shorter form
};
constexpr Lead leads[] = {{0x80, 0x00, 0, 0}, {0xe0, 0xc0, 1, 0x80}, {0xf0, 0xe0, 2, 0x800}, {0xf8, 0xf0, 3, 0x10000}};

// Bytes of the character that `text` begins with; 0 when there is none.
std::size_t lengthOfFirst(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  for (const Lead& lead : leads) {
    if ((first & lead.mask) != lead.bits) continue;
    if (text.size() <= lead.following) return 0;
    std::uint32_t code = first & static_cast<std::uint8_t>(~lead.mask);
    for (std::size_t i = 1; i <= lead.following; ++i) {
      const auto next = static_cast<std::uint8_t>(text[i]);
      if ((next & 0xc0) != 0x80) return 0;
      code = code << 6 | (next & 0x3f);
    }
    const bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return code < lead.least || code > 0x10ffff || isSurrogate ? 0 : lead.following + std::size_t{1};
  }
  return 0;
}

}  // namespace

bool isUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = lengthOfFirst(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace ingot::json
