// How far one operation on a host has come: what every backend and power actor answers. A thrown ProvisionerError is
// transient: the operation is retried, and the status does not change.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>
#include <variant>

namespace ingot::coordinator::host {

// It is not finished: call again after `after` (0: at once).
struct Working {
  base::Duration after{};
  bool started = false;      // it has been asked for, and need not be again
  bool errorStands = false;  // what is shown as wrong is not yet disproved
  // What has stood in the way of it for longer than a moment, for people, with what an operator can do.
  std::string obstacle = {};
  // Why it may never end, for people. Nothing is known to stand in its way: it is waited for on, by a deletion too.
  std::string stall = {};

  friend bool operator==(const Working&, const Working&) = default;
};

struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};

// It cannot be done: show `message` to the user. With `retryAfter` nothing was done, and a try costs little.
struct Refused {
  std::string message;
  std::optional<base::Duration> retryAfter = std::nullopt;
  bool aboutReach = false;  // the BMC, not the work, stands in its way

  friend bool operator==(const Refused&, const Refused&) = default;
};

using Progress = std::variant<Working, Done, Refused>;

class ProvisionerError final : public base::Error {
 public:
  enum class Code {
    needsRegistration,
    foreignNode,  // the ID that the status names is another host's: nothing may be done to it
    needsPreprovisioningImage,
    notReady,
    overloaded,  // it does no more of this kind at once: others are at work
    transient
  };
  ProvisionerError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

}  // namespace ingot::coordinator::host
