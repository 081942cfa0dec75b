// What nearly every object needs, lent by main (or by a test) and outliving all of them.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "base/task.hpp"

namespace ingot::base {

struct Runtime {
  Executor executor;
  Clock& clock;
  Random& random;
  Log log;

  [[nodiscard]] Runtime named(std::string component) const {
    return {executor, clock, random, log.named(std::move(component))};
  }
};

}  // namespace ingot::base
