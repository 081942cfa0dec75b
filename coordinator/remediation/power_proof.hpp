// Whether a host that is kept off is off. status.poweredOn alone does not say so: it may be older than the annotation
// that keeps the host off, and the machine may have been started since. Pure.
//
// A write of the host's status carries the resourceVersion that it was decided on, and the annotation was a write too.
// So a status that differs from the one beside which the annotation was first seen was read after it. A host that was
// off all along shows no difference: there it is enough that it has said so for longer than any two looks at its power
// are apart.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ingot::coordinator::remediation {

using api::BareMetalHost;

// After that long without a look at the power PowerStateKnown is not True any more.
inline constexpr base::Duration kLongestUnread = std::chrono::minutes(3);

// What a host says of its power.
struct PowerSeen {
  bool on = false;
  std::string known;  // status of PowerStateKnown; "" where the host's controller, Metal3's, has no such condition
  std::optional<base::WallTime> knownSince;

  [[nodiscard]] bool isRead() const { return known.empty() || known == "True"; }
  friend bool operator==(const PowerSeen&, const PowerSeen&) = default;
};
[[nodiscard]] PowerSeen powerOf(const BareMetalHost& host);
[[nodiscard]] bool isOn(const BareMetalHost& host);

enum class Off : std::uint8_t { no, unproven, proven };

class PowerProof {
 public:
  // `host`: as it was when the annotation was first seen on it.
  PowerProof(const BareMetalHost& host, base::MonoTime now) : first_(powerOf(host)), firstAt_(now) {}

  // Nobody looks at a host that is paused or detached: it proves nothing.
  [[nodiscard]] Off of(const BareMetalHost& host, base::MonoTime now) const;
  // What is left until a host that says off all along is believed.
  [[nodiscard]] base::Duration left(base::MonoTime now) const;

 private:
  PowerSeen first_;
  base::MonoTime firstAt_;
};

}  // namespace ingot::coordinator::remediation
