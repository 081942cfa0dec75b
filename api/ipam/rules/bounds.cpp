#include "api/ipam/rules/bounds.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::api::ipam::rules {

namespace {

using base::IpAddress;
using Written = Bounds::Written;
using Stretch = Bounds::Stretch;

constexpr IpAddress kLast{IpAddress::kLast};

// From start to end; nullopt: a text cannot be read.
std::optional<Stretch> betweenEnds(const Range& range) {
  Stretch out{.first = {}, .last = {true, kLast}};
  if (range.start) {
    const auto start = Bounds::read(*range.start);
    if (!start) return std::nullopt;
    out.first = *start;
  }
  if (range.end) {
    const auto end = Bounds::read(*range.end);
    if (!end) return std::nullopt;
    out.last = *end;
  }
  return out;
}

// However its addresses are written. An IPv6 network holds no IPv4 address, even where its numbers do.
std::vector<Stretch> stretchesOf(const base::IpPrefix& subnet) {
  std::vector<Stretch> out;
  const auto add = [&](IpAddress first, IpAddress last) {
    if (last < first) return;
    for (const bool asV6 : {false, true}) out.push_back({{asV6, first}, {asV6, last}});
  };
  if (subnet.isV4()) {
    add(subnet.first(), subnet.last());
    return out;
  }
  add(subnet.first(), std::min(subnet.last(), IpAddress(IpAddress::kFirstV4 - 1)));
  add(std::max(subnet.first(), IpAddress(IpAddress::kLastV4 + 1)), subnet.last());
  return out;
}

std::vector<Stretch> stretchesOf(const Range& range) {
  const auto ends = betweenEnds(range);
  if (!ends || (!range.start && !range.end && !range.subnet)) return {};
  if (!range.subnet) return {*ends};
  const auto subnet = base::IpPrefix::parse(*range.subnet);
  std::vector<Stretch> out = subnet ? stretchesOf(*subnet) : std::vector<Stretch>{};
  for (auto& each : out) each = {std::max(each.first, ends->first), std::min(each.last, ends->last)};
  return out;
}

}  // namespace

Bounds::Bounds(const std::vector<Range>& ranges) {
  std::vector<Stretch> all;
  for (const auto& range : ranges) std::ranges::move(stretchesOf(range), std::back_inserter(all));
  std::erase_if(all, [](const Stretch& each) { return each.last < each.first; });
  std::ranges::sort(all, {}, &Stretch::first);
  for (const auto& each : all) {
    if (stretches_.empty() || stretches_.back().last < each.first)
      stretches_.push_back(each);
    else
      stretches_.back().last = std::max(stretches_.back().last, each.last);
  }
}

std::optional<Bounds::Written> Bounds::read(const std::string& text) {
  const auto address = IpAddress::parse(text);
  if (!address) return std::nullopt;
  return Written{text.find(':') != std::string::npos, *address};
}

const Bounds::Stretch* Bounds::stretchOf(const Written& address) const {
  const auto behind = std::ranges::upper_bound(stretches_, address, {}, &Stretch::first);
  if (behind == stretches_.begin()) return nullptr;
  const Stretch& before = *std::prev(behind);
  return address <= before.last ? &before : nullptr;
}

bool Bounds::hold(const std::string& address) const {
  const auto written = read(address);
  return written && stretchOf(*written) != nullptr;
}

bool Bounds::cover(const Bounds& other) const {
  return std::ranges::all_of(other.stretches_, [this](const Stretch& theirs) {
    const Stretch* mine = stretchOf(theirs.first);
    return mine != nullptr && theirs.last <= mine->last;
  });
}

}  // namespace ingot::api::ipam::rules
