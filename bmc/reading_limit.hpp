// How many readings a process has under way at all its BMCs together.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"

#include <memory>

namespace ingot::bmc {

// Thousands of connections that open at once time out each other's handshakes, and their readings are begun anew: so
// many begin at a time, first come, first served. One that has not ended after a while counts no longer: BMCs that are
// dead or slow take nobody's place.
class ReadingLimit {
 public:
  static constexpr std::size_t mostAtOnce = 256;
  static constexpr base::Duration countsFor = std::chrono::seconds(1);

  explicit ReadingLimit(base::Runtime runtime) : runtime_(std::move(runtime)), places_(runtime_.executor, mostAtOnce) {}

  // Of one reading, until it dies.
  class Place {
   public:
    Place(base::Semaphore::Units unit, const base::Runtime& runtime);

   private:
    std::unique_ptr<base::Semaphore::Units> unit_;
    std::unique_ptr<base::Alarm> alarm_;  // gives the unit back when the time has come
  };

  [[nodiscard]] base::Task<Place> enter();

 private:
  base::Runtime runtime_;
  base::Semaphore places_;
};

}  // namespace ingot::bmc
