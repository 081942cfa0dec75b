#include "coordinator/webhooks/body_budget.hpp"

#include <algorithm>

namespace ingot::coordinator::webhooks {

bool BodyBudget::announce(std::size_t bytes, base::MonoTime now) {
  announced_.remove_if([&](const Announced& body) { return body.until <= now; });
  std::size_t all = arrived_ + bytes;
  for (const auto& body : announced_) all += body.bytes;
  if (all > bytes_) return false;
  announced_.push_back({.bytes = bytes, .until = now + patience_});
  return true;
}

BodyBudget::Arrived::Arrived(BodyBudget& budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {
  const auto body = std::ranges::find(budget.announced_, bytes, &Announced::bytes);
  if (body != budget.announced_.end()) budget.announced_.erase(body);
  budget.arrived_ += bytes;
}

}  // namespace ingot::coordinator::webhooks
