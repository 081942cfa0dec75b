// IP addresses and prefixes as numbers of 128 bits, read as Go's net package reads them. An IPv4 address is its mapped
// IPv6 value (::ffff:a.b.c.d), so that both families are compared and counted alike, and every text form of an address
// is the same value.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::base {

__extension__ using Uint128 = unsigned __int128;

class IpAddress {
 public:
  static constexpr Uint128 kFirstV4 = Uint128{0xffff} << 32;
  static constexpr Uint128 kLastV4 = kFirstV4 | 0xffffffff;
  static constexpr Uint128 kLast = ~Uint128{0};

  IpAddress() = default;  // ::
  explicit constexpr IpAddress(Uint128 value) : value_(value) {}

  // Dotted quad without leading zeros, or IPv6 (also with an IPv4 tail). No zone, no prefix length, no white space.
  [[nodiscard]] static std::optional<IpAddress> parse(std::string_view text);

  [[nodiscard]] constexpr Uint128 value() const { return value_; }
  [[nodiscard]] constexpr bool isV4() const { return kFirstV4 <= value_ && value_ <= kLastV4; }
  // Canonical: a dotted quad, or lower case with the longest run of zeros compressed.
  [[nodiscard]] std::string text() const;

  friend constexpr auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  Uint128 value_ = 0;
};

// "10.0.0.5/24": the address as written, and the network that it lies in.
class IpPrefix {
 public:
  [[nodiscard]] static std::optional<IpPrefix> parse(std::string_view text);

  [[nodiscard]] IpAddress address() const { return address_; }
  [[nodiscard]] IpAddress first() const { return IpAddress(address_.value() & ~hostMask()); }
  [[nodiscard]] IpAddress last() const { return IpAddress(address_.value() | hostMask()); }
  [[nodiscard]] bool isV4() const { return first().isV4(); }
  // An IPv6 network holds no IPv4 address, even where its numbers do.
  [[nodiscard]] bool contains(IpAddress address) const;

 private:
  IpPrefix(IpAddress address, unsigned bits) : address_(address), bits_(bits) {}
  [[nodiscard]] Uint128 hostMask() const { return bits_ == 0 ? IpAddress::kLast : (Uint128{1} << (128 - bits_)) - 1; }

  IpAddress address_;
  unsigned bits_;  // of 128
};

}  // namespace ingot::base
