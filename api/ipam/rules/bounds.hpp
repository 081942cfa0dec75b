// Which addresses the ranges of a pool hold, as admission counts it (spec/ipam.md §7.3). Whoever may make a pool
// chooses how many ranges and addresses there are: this costs their sum, times a logarithm, not their product.
#pragma once

#include "api/ipam/ip_pool.hpp"
#include "base/ip_address.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::api::ipam::rules {

class Bounds {
 public:
  // A range with a text that cannot be read holds nothing: it is told of elsewhere.
  explicit Bounds(const std::vector<Range>& ranges);

  // Network and broadcast addresses of a subnet are in bounds, though a subnet alone never gives out its own address.
  [[nodiscard]] bool hold(const std::string& address) const;
  // Whatever the other holds. False also where only several ranges together would hold one of the other's.
  [[nodiscard]] bool cover(const Bounds& other) const;

  // An address as admission compares it: families first, so that an IPv4 address written as IPv6 counts as IPv6.
  struct Written {
    bool asV6 = false;
    base::IpAddress address;
    friend auto operator<=>(const Written&, const Written&) = default;
  };
  // nullopt: the text is no address.
  [[nodiscard]] static std::optional<Written> read(const std::string& text);
  // Both ends included.
  struct Stretch {
    Written first, last;
  };
  // In order, none reaches into the next.
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }

 private:
  [[nodiscard]] const Stretch* stretchOf(const Written& address) const;  // nullptr: none

  std::vector<Stretch> stretches_;
};

}  // namespace ingot::api::ipam::rules
