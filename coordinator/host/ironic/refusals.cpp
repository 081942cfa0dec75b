#include "coordinator/host/ironic/refusals.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

constexpr base::Duration worthAWord = std::chrono::seconds(60);
// A waiting host asks every few seconds, so a refusal after a longer pause belongs to a new wait.
constexpr base::Duration forgottenAfter = std::chrono::seconds(60);

}  // namespace

void Refusals::refused(const std::string& node, std::string why, base::MonoTime now) {
  std::erase_if(all_, [&](const auto& item) { return now - item.second.last > forgottenAfter; });
  Refusal& refusal = all_.try_emplace(node, Refusal{now, now, {}}).first->second;
  refusal.last = now;
  refusal.why = std::move(why);
}

std::string Refusals::why(const std::string& node) const {
  const auto found = all_.find(node);
  return found == all_.end() ? "" : found->second.why;
}

base::Duration Refusals::lastsFor(const std::string& node, base::MonoTime now) const {
  const auto found = all_.find(node);
  return found == all_.end() ? base::Duration{} : now - found->second.since;
}

std::string Refusals::lasting(const std::string& node, base::MonoTime now) const {
  return lastsFor(node, now) >= worthAWord ? why(node) : "";
}

std::string obstacleOf(const ironic::Node& node, const std::string& refusal) {
  if (!node.reservation.empty()) {
    return fmt::format(
        "node {} is locked by Ironic's conductor {}; if that one has crashed, restart it: it frees its "
        "locks when it starts",
        node.uuid, node.reservation);
  }
  if (refusal.empty()) return "";
  return fmt::format("Ironic refuses each request for node {} ({}); if that does not end, restart its conductor",
                     node.uuid, refusal);
}

}  // namespace ingot::coordinator::host::ironic_backend
