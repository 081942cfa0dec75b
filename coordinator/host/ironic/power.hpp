// Power through Ironic (spec/ironic.md §6.4, §6.11, §6.12).
#pragma once

#include "coordinator/host/ironic/session.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::host::ironic_backend {

struct PowerOffFlags {
  RebootMode mode = RebootMode::hard;
  bool force = false;  // the user has seen a power failure already
  bool cleaningDisabled = false;
  bool neverOff = false;  // spec.disablePowerOff: restarted instead, also before the record says so
};

struct ChangePower {
  std::vector<ironic::PowerTarget> targets;  // to try in this order
  friend bool operator==(const ChangePower&, const ChangePower&) = default;
};
using PowerPlan = PlanOf<Complete, ChangePower>;

[[nodiscard]] PowerPlan planPowerOn(const ironic::Node& node, PowerOn how);
[[nodiscard]] PowerPlan planPowerOff(const ironic::Node& node, PowerOffFlags flags);

// What holds a power change that was asked for `waited` ago: a lock of Ironic's, or its last answer (`refusal`, "" when
// it took the request). "": nothing that is not as it should be.
[[nodiscard]] std::string powerObstacle(const ironic::Node& node, const std::string& refusal, base::Duration waited);

// Leads Ironic out of inspection, cleaning, or a failure in which it lets nobody change the power. Done: it is.
[[nodiscard]] base::Task<Progress> endWork(Session& session, bool cleaningDisabled);
[[nodiscard]] base::Task<Progress> powerOn(Session& session, PowerOn how);
[[nodiscard]] base::Task<Progress> powerOff(Session& session, PowerOffFlags flags);

}  // namespace ingot::coordinator::host::ironic_backend
