#include "coordinator/agents/elsewhere.hpp"

#include <algorithm>

namespace ingot::coordinator::agents {

Elsewhere::Elsewhere(base::Runtime runtime, kube::Api& api)
    : runtime_(runtime.named("agents")), agents_(runtime_, api) {}

bool Elsewhere::serveHosts() {
  if (!agents_.isSynced()) return !agents_.unserved();
  const bool isAny = std::ranges::any_of(agents_.all(), [](const auto& agent) { return agent->spec.approved; });
  if (isAny && !std::exchange(isTold_, true))
    runtime_.log.warn(
        "no host can be moved to another cluster from here: agents obey the coordinator of another process, whose term "
        "hosts must carry; let one process have both, metal3machine and host (--controllers)");
  return isAny;
}

}  // namespace ingot::coordinator::agents
