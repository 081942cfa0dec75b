// What a BMC pushes: it tells when to read it, and nothing else (docs/decisions/0023).
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "bmc/error.hpp"
#include "bmc/lane.hpp"
#include "bmc/model/capability.hpp"

#include <functional>

namespace ingot::bmc {

enum class EventNews {
  opened,    // its stream stands: what happened before was not told
  happened,  // something has
};
// Called on the loop; does not block.
using OnEvent = std::function<void(EventNews news)>;

class EventSource {
 public:
  static constexpr auto capability = Capability::events;
  virtual ~EventSource() = default;

  // Calls `onEvent` whenever the BMC tells that something has happened, until the stream ends, which it does sooner or
  // later; how long it stood. Throws where it cannot be opened: Error{unsupported} where the BMC has none.
  [[nodiscard]] virtual base::Task<base::Duration> followEvents(Lane lane, OnEvent onEvent) = 0;
};

}  // namespace ingot::bmc
