#include "coordinator/ipam/address_set.hpp"

namespace ingot::coordinator::ipam {

using base::IpAddress;

AddressSet::Runs::const_iterator AddressSet::runAt(base::Uint128 address) const {
  const auto after = runs_.upper_bound(address);
  if (after == runs_.begin()) return runs_.end();
  const auto run = std::prev(after);
  return address <= run->second ? run : runs_.end();
}

bool AddressSet::contains(IpAddress address) const { return runAt(address.value()) != runs_.end(); }

bool AddressSet::insert(IpAddress address) {
  const base::Uint128 value = address.value();
  const auto after = runs_.upper_bound(value);
  const auto before = after == runs_.begin() ? runs_.end() : std::prev(after);
  if (before != runs_.end() && value <= before->second) return false;

  const bool continuesBefore = before != runs_.end() && before->second + 1 == value;
  const bool touchesAfter = after != runs_.end() && value + 1 == after->first;
  const base::Uint128 last = touchesAfter ? after->second : value;
  if (continuesBefore)
    before->second = last;
  else
    runs_.emplace_hint(after, value, last);
  if (touchesAfter) runs_.erase(after);
  ++size_;
  return true;
}

bool AddressSet::erase(IpAddress address) {
  const base::Uint128 value = address.value();
  const auto run = runAt(value);
  if (run == runs_.end()) return false;
  const auto [first, last] = *run;
  const auto next = runs_.erase(run);
  if (value < last) runs_.emplace_hint(next, value + 1, last);
  if (first < value) runs_.emplace(first, value - 1);
  --size_;
  return true;
}

std::optional<IpAddress> AddressSet::firstFree(const api::ipam::Span& span) const {
  if (span.last < span.first) return std::nullopt;
  const auto run = runAt(span.first.value());
  if (run == runs_.end()) return span.first;
  if (run->second >= span.last.value()) return std::nullopt;
  return IpAddress(run->second + 1);
}

}  // namespace ingot::coordinator::ipam
