#include "coordinator/host_move/waiting_hosts.hpp"

#include "kube/core/object_reference.hpp"

#include <algorithm>

namespace ingot::coordinator::host_move {
namespace {

// A host that rests is paused, and loses its block, within seconds.
constexpr base::Duration kUntilTold = std::chrono::seconds(30);

}  // namespace

std::optional<base::Duration> WaitingHosts::look(const BareMetalHost& host, const std::string& why) {
  const auto key = host.metadata.key();
  if (why.empty()) {
    forget(key);
    return std::nullopt;
  }
  const auto now = runtime_.clock.now();
  const auto known = hosts_.try_emplace(key, Wait{.since = now}).first;
  if (known->second.isTold) return std::nullopt;
  if (const auto waited = now - known->second.since; waited < kUntilTold) return kUntilTold - waited;
  if (!isAnyTold(key.namespace_))
    runtime_.log.warn("clusterctl move waits for hosts of a namespace: Events of each say why",
                      {{"namespace", key.namespace_}, {"host", key.name}, {"why", why}});
  known->second.isTold = true;
  events_.warning(kube::referenceTo(host), "MoveWaits", "clusterctl move waits for this host: " + why);
  return std::nullopt;
}

bool WaitingHosts::isAnyTold(const std::string& namespace_) const {
  return std::ranges::any_of(
      hosts_, [&](const auto& each) { return each.first.namespace_ == namespace_ && each.second.isTold; });
}

}  // namespace ingot::coordinator::host_move
