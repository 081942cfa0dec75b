#include "bmc/connect_limit.hpp"

namespace ingot::bmc {

ConnectLimit::Place::Place(base::Semaphore::Units unit, const base::Runtime& runtime)
    : unit_(std::make_unique<base::Semaphore::Units>(std::move(unit))),
      alarm_(runtime.clock.alarm(runtime.executor, runtime.clock.now() + countsFor,
                                 [held = unit_.get()] { held->release(); })) {}

base::Task<ConnectLimit::Place> ConnectLimit::enter(Lane lane) {
  co_return Place(co_await placesOf(lane).acquire(), runtime_);
}

base::Task<std::optional<ConnectLimit::Place>> ConnectLimit::tryEnter(Lane lane) {
  auto& places = placesOf(lane);
  if (places.available() == 0 || places.waiting() > 0) co_return std::nullopt;
  co_return Place(co_await places.acquire(), runtime_);  // at once, but for who is cancelled
}

}  // namespace ingot::bmc
