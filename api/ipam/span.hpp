// Which addresses a range of a pool can give out, and in which order (spec/ipam.md §8). Computed, never walked.
#pragma once

#include "api/ipam/ip_pool.hpp"
#include "base/ip_address.hpp"

#include <optional>
#include <string>
#include <variant>

namespace ingot::api::ipam {

// Consecutive addresses, both ends included.
struct Span {
  base::IpAddress first, last;

  [[nodiscard]] bool contains(base::IpAddress address) const { return first <= address && address <= last; }
  friend bool operator==(const Span&, const Span&) = default;
};

// Why the range cannot be used, in upstream's words; "" when its texts are readable and in order. A range without any
// of start, end and subnet has no problem here.
[[nodiscard]] std::string problemOf(const Range& range);

// What index 0, 1, 2 … of the range stand for, up to the first index that stands for nothing. nullopt: none at all.
[[nodiscard]] std::optional<Span> sequentialSpan(const Range& range);

// Strategy `random`: `size` indexes are drawn from, counted from `base`; only those within `usable` are addresses.
struct RandomSpace {
  base::Uint128 base = 0;
  std::uint64_t size = 0;
  std::optional<Span> usable;
};
// The text says why there is no such space.
[[nodiscard]] std::variant<RandomSpace, std::string> randomSpace(const Range& range);

}  // namespace ingot::api::ipam
