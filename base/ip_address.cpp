#include "base/ip_address.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>

namespace ingot::base {
namespace {

constexpr int kGroups = 8;
using Groups = std::array<std::uint16_t, kGroups>;

bool isDigit(char c) { return '0' <= c && c <= '9'; }

// Takes one decimal byte off the front.
std::optional<unsigned> takeByte(std::string_view& text) {
  unsigned value = 0;
  std::size_t length = 0;
  for (; length < text.size() && isDigit(text[length]); ++length) {
    if (length == 1 && text[0] == '0') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(text[length] - '0');
    if (value > 255) return std::nullopt;
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

std::optional<std::uint32_t> parseV4(std::string_view text) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto byte = takeByte(text);
    if (!byte) return std::nullopt;
    value = value << 8 | *byte;
  }
  return text.empty() ? std::optional(value) : std::nullopt;
}

// Takes one group of one to four hexadecimal digits off the front.
std::optional<std::uint16_t> takeGroup(std::string_view& text) {
  unsigned value = 0;
  std::size_t length = 0;
  for (; length < text.size() && hexDigit(text[length]) >= 0; ++length) {
    if (length == 4) return std::nullopt;
    value = value << 4 | static_cast<unsigned>(hexDigit(text[length]));
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return static_cast<std::uint16_t>(value);
}

Uint128 joined(const Groups& groups) {
  Uint128 value = 0;
  for (const auto group : groups) value = value << 16 | group;
  return value;
}

// Reads from the left; `gap_` is the group before which "::" stands.
class V6Reader {
 public:
  explicit V6Reader(std::string_view text) : text_(text) {}

  std::optional<Uint128> read() {
    if (text_.starts_with("::")) {
      gap_ = 0;
      text_.remove_prefix(2);
    }
    while (!text_.empty()) {
      if (count_ == kGroups) return std::nullopt;
      if (isV4Tail()) return readV4Tail() ? finished() : std::nullopt;
      const auto group = takeGroup(text_);
      if (!group) return std::nullopt;
      groups_[count_++] = *group;
      if (!text_.empty() && !readSeparator()) return std::nullopt;
    }
    return finished();
  }

 private:
  [[nodiscard]] bool isV4Tail() const {
    const auto end = text_.find_first_of(":.");
    return end != std::string_view::npos && text_[end] == '.';
  }

  bool readV4Tail() {
    const auto v4 = parseV4(text_);
    if (!v4 || count_ + 2 > kGroups) return false;
    groups_[count_++] = static_cast<std::uint16_t>(*v4 >> 16);
    groups_[count_++] = static_cast<std::uint16_t>(*v4);
    return true;
  }

  bool readSeparator() {
    if (!text_.starts_with(':')) return false;
    text_.remove_prefix(1);
    if (!text_.starts_with(':')) return !text_.empty();
    if (gap_) return false;
    gap_ = count_;
    text_.remove_prefix(1);
    return true;
  }

  [[nodiscard]] std::optional<Uint128> finished() const {
    if (!gap_) return count_ == kGroups ? std::optional(joined(groups_)) : std::nullopt;
    if (count_ == kGroups) return std::nullopt;  // "::" stands for one group at least
    Groups whole{};
    for (std::size_t i = 0; i < count_; ++i) whole[i < *gap_ ? i : kGroups - count_ + i] = groups_[i];
    return joined(whole);
  }

  std::string_view text_;
  Groups groups_{};
  std::size_t count_ = 0;
  std::optional<std::size_t> gap_;
};

struct ZeroRun {
  std::size_t start = 0, length = 0;
};

ZeroRun longestZeros(const Groups& groups) {
  ZeroRun best;
  for (std::size_t i = 0; i < groups.size();) {
    std::size_t end = i;
    while (end < groups.size() && groups[end] == 0) ++end;
    if (end - i > best.length) best = {i, end - i};
    i = end + 1;
  }
  return best;
}

std::string v6Text(Uint128 value) {
  Groups groups{};
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<std::uint16_t>(value >> (112 - 16 * i));
  const ZeroRun zeros = longestZeros(groups);
  const bool compress = zeros.length > 1;
  fmt::memory_buffer out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (compress && i == zeros.start) {
      fmt::format_to(std::back_inserter(out), "::");
      i += zeros.length - 1;
      continue;
    }
    const bool afterGap = compress && i == zeros.start + zeros.length;
    fmt::format_to(std::back_inserter(out), "{}{:x}", i == 0 || afterGap ? "" : ":", groups[i]);
  }
  return fmt::to_string(out);
}

// At most six digits, as Go's own reader; leading zeros are fine.
std::optional<unsigned> parseLength(std::string_view text) {
  unsigned value = 0;
  for (const char c : text) {
    if (!isDigit(c) || value > 128) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  if (text.find(':') == std::string_view::npos) {
    const auto v4 = parseV4(text);
    return v4 ? std::optional(IpAddress(kFirstV4 | *v4)) : std::nullopt;
  }
  const auto v6 = V6Reader(text).read();
  return v6 ? std::optional(IpAddress(*v6)) : std::nullopt;
}

std::string IpAddress::text() const {
  if (!isV4()) return v6Text(value_);
  const auto v4 = static_cast<std::uint32_t>(value_);
  return fmt::format("{}.{}.{}.{}", v4 >> 24, v4 >> 16 & 255, v4 >> 8 & 255, v4 & 255);
}

std::optional<IpPrefix> IpPrefix::parse(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto written = text.substr(0, slash);
  const auto address = IpAddress::parse(written);
  const auto length = parseLength(text.substr(slash + 1));
  if (!address || !length) return std::nullopt;
  const bool dotted = written.find(':') == std::string_view::npos;
  const unsigned width = dotted ? 32 : 128;
  if (*length > width) return std::nullopt;
  return IpPrefix(*address, 128 - width + *length);
}

bool IpPrefix::contains(IpAddress address) const {
  return address.isV4() == isV4() && first() <= address && address <= last();
}

}  // namespace ingot::base
