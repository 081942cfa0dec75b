// What a guard or a state answers. Nothing here moves the host: apply.cpp does.
#pragma once

#include "base/clock.hpp"
#include "coordinator/host/error_type.hpp"
#include "coordinator/host/state.hpp"

#include <optional>
#include <string>
#include <variant>

namespace ingot::coordinator::host {

// The work is not finished. The host is looked at again after `after` (0: at once, when the edits are saved); nullopt:
// when something changes.
struct Stay {
  std::optional<base::Duration> after;
  std::string obstacle = {};  // what has stood in the way for longer than a moment; "": the work goes on
};

// Whether the failures that were counted so far are forgotten, because the work of the state that is left succeeded.
enum class Failures { kept, forgotten };

// The state's work is finished; the host goes on to `to`.
struct Goto {
  State to;
  Failures failures = Failures::kept;
};

// The work failed: the failure is shown to the user and counted, and the work is tried again after the back-off. With
// `retryAfter` it is tried again after that time, and the same failure is neither counted nor told a second time.
struct Fail {
  ErrorType type;
  std::string message;
  std::optional<base::Duration> retryAfter = std::nullopt;
  bool aboutReach = false;  // whatever its type: the BMC, not the work, stands in its way
};

[[nodiscard]] inline bool isAboutReach(const Fail& failure) { return failure.aboutReach || isAboutReach(failure.type); }

// The backend has no slot free for one more host at work.
struct NoSlot {
  State wanted;
};

// The object is gone: there is nothing left to save.
struct Gone {};

using Step = std::variant<Stay, Goto, Fail, NoSlot, Gone>;

inline constexpr base::Duration atOnce{};

}  // namespace ingot::coordinator::host
