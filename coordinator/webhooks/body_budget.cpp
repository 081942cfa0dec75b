#include "coordinator/webhooks/body_budget.hpp"

#include <algorithm>

namespace ingot::coordinator::webhooks {

bool BodyBudget::announce(std::size_t bytes, const std::string& client, base::MonoTime now) {
  bodies_.remove_if([&](const Body& body) { return body.until && *body.until <= now; });
  std::size_t ofOthers = 0, ofClient = bytes;
  for (const auto& body : bodies_) (body.client == client ? ofClient : ofOthers) += body.bytes;
  if (ofOthers >= bytes_ || ofClient > (bytes_ - ofOthers) / 2) return false;
  bodies_.push_back({.bytes = bytes, .client = client, .until = now + patience_});
  return true;
}

BodyBudget::Arrived::Arrived(BodyBudget& budget, std::size_t bytes, const std::string& client) : budget_(budget) {
  const auto body = std::ranges::find_if(budget.bodies_, [&](const Body& announced) {
    return announced.until && announced.bytes == bytes && announced.client == client;
  });
  if (body != budget.bodies_.end()) budget.bodies_.erase(body);
  body_ = budget.bodies_.insert(budget.bodies_.end(), {.bytes = bytes, .client = client, .until = std::nullopt});
}

}  // namespace ingot::coordinator::webhooks
