// Power through Ironic (spec/ironic.md §6.4, §6.11, §6.12).
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

struct PowerOffFlags {
  RebootMode mode = RebootMode::hard;
  bool force = false;  // the user has seen a power failure already
  bool cleaningDisabled = false;
  bool neverOff = false;  // spec.disablePowerOff: restarted instead, also before the record says so
};

// What a power operation does next: a common plan, or power changes to try in this order.
struct PowerPlan {
  Plan plan;
  std::vector<ironic::PowerTarget> targets;

  friend bool operator==(const PowerPlan&, const PowerPlan&) = default;
};

[[nodiscard]] PowerPlan planPowerOn(const ironic::Node& node, bool force);
[[nodiscard]] PowerPlan planPowerOff(const ironic::Node& node, PowerOffFlags flags);

// Leads Ironic out of inspection, cleaning, or a failure in which it lets nobody change the power. Complete: it is.
[[nodiscard]] base::Task<Result> endWork(Session& session, bool cleaningDisabled);
[[nodiscard]] base::Task<Result> powerOn(Session& session, bool force);
[[nodiscard]] base::Task<Result> powerOff(Session& session, PowerOffFlags flags);

}  // namespace ingot::coordinator::host::ironic_backend
