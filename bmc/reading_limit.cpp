#include "bmc/reading_limit.hpp"

namespace ingot::bmc {

ReadingLimit::Place::Place(base::Semaphore::Units unit, const base::Runtime& runtime)
    : unit_(std::make_unique<base::Semaphore::Units>(std::move(unit))),
      alarm_(runtime.clock.alarm(runtime.executor, runtime.clock.now() + countsFor,
                                 [held = unit_.get()] { held->release(); })) {}

base::Task<ReadingLimit::Place> ReadingLimit::enter() { co_return Place(co_await places_.acquire(), runtime_); }

}  // namespace ingot::bmc
