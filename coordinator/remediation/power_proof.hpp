// Whether a host that is kept off is off. status.poweredOn alone does not say so: it may be older than the annotation
// that keeps the host off, and the machine may have been started since. Pure.
//
// A write of the host's status carries the resourceVersion that it was decided on, and the annotation was a write too.
// So a status that says off, where the one beside which the annotation was first seen said on, was written after it. A
// host that was off all along shows no such change. Where an agent reads its power, the second reading since that finds
// it off, with no command under way, is the proof: that one was asked for after the first had come. Else it is enough
// that it has said so for longer than kLongestUnread, with its power read, nobody keeping its controller away, and this
// process looking. That its power is read again is no proof then: Ironic shows what it had before. An agent that reads
// it as on now has the last word: somebody has started it since, and its status could not be written.
//
// Known limit: without an agent a reading is what Ironic remembers, which is up to 120 s old, and older while its own
// syncs fail. A status that changes within that time of the annotation may show a power from before it.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/clock.hpp"
#include "bmc/model/power.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ingot::coordinator::remediation {

using api::BareMetalHost;

// PowerStateKnown is not True any more after three minutes without a reading. But without an agent a reading is what
// Ironic remembers, and Ironic syncs the power every 120 s and keeps what it has through three syncs that failed: what
// it says for longer than four of them it has read.
inline constexpr base::Duration kLongestUnread = std::chrono::minutes(10);

// Between two looks. What was not looked at for longer may have been anything.
inline constexpr base::Duration kMostBetweenLooks = std::chrono::minutes(2);

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

// Paused or detached: nobody looks at its power.
[[nodiscard]] bool isLeftAlone(const BareMetalHost& host);
// It is provisioned. The status of any other host may be empty, or carried over from another cluster.
[[nodiscard]] bool carriesSystem(const BareMetalHost& host);

// What an agent has read at the BMC itself since the last command was sent, and when.
struct AgentReading {
  bmc::Power power = bmc::Power::unknown;  // unknown while a command is under way, and past its age limit
  base::MonoTime at;
};
// Empty: no agent reads this host. May be nullptr.
using AgentReadings = std::function<std::optional<AgentReading>(const BareMetalHost&)>;

// Less tells nothing of whether two readings are the same.
inline constexpr base::Duration kBetweenReadings = std::chrono::seconds(1);

enum class Off : std::uint8_t { no, unproven, proven };

class PowerProof {
 public:
  // `host`: as it was when the annotation was first seen on it.
  PowerProof(const BareMetalHost& host, base::MonoTime now) { begin(host, now); }

  // What the host proves by now. One that proves nothing as it is (it is left alone, its power is unread, it carries no
  // system) begins anew, and so does one whose controller has only begun to say whether it knows the power, one that
  // nobody looked at, one that an agent reads as on, and another host.
  [[nodiscard]] Off observe(const BareMetalHost& host, base::MonoTime now, std::optional<AgentReading> reading = {});
  // What is left until a host that says off all along is believed.
  [[nodiscard]] base::Duration left(base::MonoTime now) const;

 private:
  void begin(const BareMetalHost& host, base::MonoTime now);
  [[nodiscard]] bool isReadOff(const std::optional<AgentReading>& reading);

  std::string uid_;
  PowerSeen first_;
  std::optional<base::MonoTime> readAt_;  // the first reading of an agent since
  base::MonoTime firstAt_, lastAt_;
};

}  // namespace ingot::coordinator::remediation
