#include "cloudinit/netmask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ingot::cloudinit {

namespace {

// The leading `ones` bits of a field of `width` bits.
std::uint32_t leading(int ones, int width) {
  const int set = std::clamp(ones, 0, width);
  const std::uint64_t all = (std::uint64_t{1} << static_cast<unsigned>(width)) - 1;
  return static_cast<std::uint32_t>(all & (all << static_cast<unsigned>(width - set)));
}

}  // namespace

std::optional<std::string> netmaskV4(int prefix) {
  if (prefix < 0 || prefix > 32) return std::nullopt;
  return fmt::format("{}.{}.{}.{}", leading(prefix, 8), leading(prefix - 8, 8), leading(prefix - 16, 8),
                     leading(prefix - 24, 8));
}

// The zeros of a mask are at its end: `::` stands for two groups or more, a single one is written out.
std::optional<std::string> netmaskV6(int prefix) {
  if (prefix < 0 || prefix > 128) return std::nullopt;
  constexpr int kGroups = 8, kGroupBits = 16;
  const int used = (prefix + kGroupBits - 1) / kGroupBits;
  const int written = used == kGroups - 1 ? kGroups : used;
  std::string out;
  for (int group = 0; group < written; ++group)
    out += fmt::format("{}{:x}", group == 0 ? "" : ":", leading(prefix - group * kGroupBits, kGroupBits));
  return written == kGroups ? out : out + "::";
}

}  // namespace ingot::cloudinit
