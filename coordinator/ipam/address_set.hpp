// Addresses in use, as runs of neighbours: the first free one of a span is found in O(log n) of the runs, whatever the
// span's size.
#pragma once

#include "api/ipam/span.hpp"

#include <functional>
#include <map>
#include <optional>

namespace ingot::coordinator::ipam {

// `Less` orders numbers of 128 bits; a test counts its calls.
template <class Less = std::less<base::Uint128>>
class AddressRuns {
 public:
  // False: it was there.
  bool insert(base::IpAddress address);
  // False: it was not there.
  bool erase(base::IpAddress address);

  [[nodiscard]] bool contains(base::IpAddress address) const { return runAt(address.value()) != runs_.end(); }
  [[nodiscard]] std::optional<base::IpAddress> firstFree(const api::ipam::Span& span) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  using Runs = std::map<base::Uint128, base::Uint128, Less>;  // first → last; runs never touch

  [[nodiscard]] typename Runs::const_iterator runAt(base::Uint128 address) const;  // the one that holds it, or end()

  Runs runs_;
  std::size_t size_ = 0;
};

using AddressSet = AddressRuns<>;

template <class Less>
typename AddressRuns<Less>::Runs::const_iterator AddressRuns<Less>::runAt(base::Uint128 address) const {
  const auto after = runs_.upper_bound(address);
  if (after == runs_.begin()) return runs_.end();
  const auto run = std::prev(after);
  return address <= run->second ? run : runs_.end();
}

template <class Less>
bool AddressRuns<Less>::insert(base::IpAddress address) {
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

template <class Less>
bool AddressRuns<Less>::erase(base::IpAddress address) {
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

template <class Less>
std::optional<base::IpAddress> AddressRuns<Less>::firstFree(const api::ipam::Span& span) const {
  if (span.last < span.first) return std::nullopt;
  const auto run = runAt(span.first.value());
  if (run == runs_.end()) return span.first;
  if (run->second >= span.last.value()) return std::nullopt;
  return base::IpAddress(run->second + 1);
}

}  // namespace ingot::coordinator::ipam
