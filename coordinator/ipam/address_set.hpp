// Addresses in use, as runs of neighbours: the first free one of a span is found in O(log n) of the runs, whatever the
// span's size.
#pragma once

#include "api/ipam/span.hpp"

#include <map>
#include <optional>

namespace ingot::coordinator::ipam {

class AddressSet {
 public:
  // False: it was there.
  bool insert(base::IpAddress address);
  // False: it was not there.
  bool erase(base::IpAddress address);

  [[nodiscard]] bool contains(base::IpAddress address) const;
  [[nodiscard]] std::optional<base::IpAddress> firstFree(const api::ipam::Span& span) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  using Runs = std::map<base::Uint128, base::Uint128>;  // first → last; runs never touch

  [[nodiscard]] Runs::const_iterator runAt(base::Uint128 address) const;  // the one that holds it, or end()

  Runs runs_;
  std::size_t size_ = 0;
};

}  // namespace ingot::coordinator::ipam
