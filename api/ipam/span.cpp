#include "api/ipam/span.hpp"

#include "base/url_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ingot::api::ipam {

namespace {

using base::IpAddress;
using base::IpPrefix;

// The texts of a range as numbers; nullopt: absent, or not readable.
struct Numbers {
  std::optional<IpAddress> start, end;
  std::optional<IpPrefix> subnet;
};

Numbers numbersOf(const Range& range) {
  Numbers out;
  if (range.start) out.start = IpAddress::parse(*range.start);
  if (range.end) out.end = IpAddress::parse(*range.end);
  if (range.subnet) out.subnet = IpPrefix::parse(*range.subnet);
  return out;
}

// The last address of the family: for IPv4 it is 255.255.255.255.
IpAddress lastOfFamily(IpAddress from) { return IpAddress(from.isV4() ? IpAddress::kLastV4 : IpAddress::kLast); }

// What the subnet holds from `first` on, without the numbers of IPv4 in an IPv6 network.
std::optional<Span> clipped(Span span, const IpPrefix& subnet) {
  if (!subnet.contains(span.first)) return std::nullopt;
  span.last = std::min(span.last, subnet.last());
  const IpAddress firstV4(IpAddress::kFirstV4);
  if (!subnet.isV4() && span.first < firstV4 && firstV4 <= span.last) span.last = IpAddress(IpAddress::kFirstV4 - 1);
  return span;
}

// From `start` to `end` or as far as the family goes; nullopt when the end comes first.
std::optional<Span> startedSpan(const Numbers& range) {
  const Span span{*range.start, std::min(range.end.value_or(lastOfFamily(*range.start)), lastOfFamily(*range.start))};
  return span.first <= span.last ? std::optional(span) : std::nullopt;
}

// The address part of the subnet is left out, whatever it is; `end` plays no part.
std::optional<Span> subnetSpan(const IpPrefix& subnet) {
  if (subnet.address() == lastOfFamily(subnet.address())) return std::nullopt;
  const IpAddress first(subnet.address().value() + 1);
  return clipped({first, lastOfFamily(first)}, subnet);
}

std::variant<RandomSpace, std::string> counted(IpAddress base, IpAddress from, IpAddress to, bool fromIncluded) {
  if (to < from) return fmt::format("end IP {} is before start IP {}", to.text(), from.text());
  const base::Uint128 steps = to.value() - from.value();
  const auto limit = static_cast<base::Uint128>(std::numeric_limits<std::int64_t>::max());
  if (steps > limit || (fromIncluded && steps == limit)) return "pool size exceeds int range";
  return RandomSpace{
      .base = base.value(), .size = static_cast<std::uint64_t>(steps) + (fromIncluded ? 1 : 0), .usable = std::nullopt};
}

// Indexes before the subnet stand for no address, those within it do. A random draw passes over the former, where
// sequential allocation stops.
std::optional<Span> usableOf(const Numbers& range) {
  if (!range.start) return subnetSpan(*range.subnet);
  const auto span = startedSpan(range);
  if (!span || !range.subnet) return span;
  const Span later{std::max(span->first, range.subnet->first()), span->last};
  return later.first <= later.last ? clipped(later, *range.subnet) : std::nullopt;
}

}  // namespace

std::string problemOf(const Range& range) {
  const auto quoted = [](const std::string& text) { return base::url_text::quoted(text); };
  const Numbers numbers = numbersOf(range);
  if (range.start && !numbers.start) return fmt::format("invalid Start IP {}", quoted(*range.start));
  if (range.end && !numbers.end) return fmt::format("invalid End IP {}", quoted(*range.end));
  if (range.subnet && !numbers.subnet)
    return fmt::format("invalid Subnet {}: invalid CIDR address: {}", quoted(*range.subnet), *range.subnet);
  if (numbers.start && numbers.end && *numbers.end < *numbers.start)
    return fmt::format("end IP {} is before start IP {}", numbers.end->text(), numbers.start->text());
  return "";
}

std::optional<Span> sequentialSpan(const Range& range) {
  const Numbers numbers = numbersOf(range);
  if (range.subnet && !numbers.subnet) return std::nullopt;
  if (range.start) {
    if (!numbers.start) return std::nullopt;
    const auto span = startedSpan(numbers);
    return span && numbers.subnet ? clipped(*span, *numbers.subnet) : span;
  }
  return numbers.subnet ? subnetSpan(*numbers.subnet) : std::nullopt;
}

std::variant<RandomSpace, std::string> randomSpace(const Range& range) {
  if (std::string problem = problemOf(range); !problem.empty()) return problem;
  const Numbers numbers = numbersOf(range);
  if (!numbers.start && !numbers.subnet) return "either Start or Subnet is required for ipAddress";
  if (numbers.start && !numbers.end && !numbers.subnet)
    return "pool with Start requires End or Subnet to determine size";

  auto space = numbers.start
                   ? counted(*numbers.start, *numbers.start, numbers.end ? *numbers.end : numbers.subnet->last(), true)
                   : counted(IpAddress(numbers.subnet->address().value() + 1), numbers.subnet->first(),
                             numbers.subnet->last(), false);
  if (auto* found = std::get_if<RandomSpace>(&space)) found->usable = usableOf(numbers);
  return space;
}

}  // namespace ingot::api::ipam
