#include "base/cut_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace ingot::base {

std::string cutText(std::string_view text, std::size_t mostBytes) {
  std::string good = toUtf8(text.substr(0, mostBytes + 4));  // with all of the last character
  std::size_t end = 0;
  while (end < good.size()) {
    const std::size_t next = end + runeAt(good, end).width;
    if (next > mostBytes) break;
    end = next;
  }
  good.resize(end);
  return good;
}

std::string oneLine(std::string text, std::size_t mostBytes) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return cutText(text, mostBytes);
}

}  // namespace ingot::base
