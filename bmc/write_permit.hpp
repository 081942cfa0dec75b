// The right to change a host, asked for each request right before it leaves.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"

#include <functional>

namespace ingot::bmc {

// Checked for each request that changes the host. What the first three throw (Error{notPermitted}) ends it unsent.
struct WritePermit {
  // Awaited before what follows: whatever is to be on a disk before it. May be empty, and be called again for the same
  // request when it was cancelled.
  std::function<base::Task<void>()> record = {};
  std::function<base::Duration()> timeLimit;  // once all else is ready: how long the request may take. Empty: no limit
  // Last of all: from now on the request may reach the BMC. It may block, and then looks itself whether the request may
  // still be sent.
  std::function<void()> beforeSending;
  // The request is over: it has been answered, or will not be. Not when it is cancelled: then nobody knows. May be
  // empty.
  std::function<void()> afterwards = {};
};

// Whoever has a turn keeps it for a moment while the request is put on record. False: that takes longer and was
// cancelled; without a turn it may take its time. Throws what the permit does, which what may not be sent is not
// recorded for either.
[[nodiscard]] base::Task<bool> isRecordedQuickly(base::Clock& clock, const WritePermit& permit);

}  // namespace ingot::bmc
