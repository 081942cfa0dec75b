// How many connections a process opens at a time for routine readings, to all its Redfish services together.
#pragma once

#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "bmc/lane.hpp"

#include <memory>
#include <optional>

namespace ingot::bmc {

// Thousands of handshakes at once time out each other, and the readings are begun anew. First come, first served; what
// runs in the background has places of its own, so that no poll waits for it. A connection that does not stand after a
// while counts no longer: BMCs that are dead or slow take nobody's place.
class ConnectLimit {
 public:
  static constexpr std::size_t mostPolls = 192, mostInBackground = 64;
  static constexpr base::Duration countsFor = std::chrono::milliseconds(250);

  explicit ConnectLimit(base::Runtime runtime)
      : runtime_(std::move(runtime)),
        polls_(runtime_.executor, mostPolls),
        background_(runtime_.executor, mostInBackground) {}

  // Held until the connection stands: destroy it then. May outlive the limit.
  class Place {
   public:
    Place(base::Semaphore::Units unit, const base::Runtime& runtime);

   private:
    std::unique_ptr<base::Semaphore::Units> unit_;
    std::unique_ptr<base::Alarm> alarm_;  // gives the unit back when the time has come
  };

  // For a routine lane. Throws Cancelled.
  [[nodiscard]] base::Task<Place> enter(Lane lane);
  // nullopt: somebody else is first. Does not wait. Throws Cancelled.
  [[nodiscard]] base::Task<std::optional<Place>> tryEnter(Lane lane);

 private:
  [[nodiscard]] base::Semaphore& placesOf(Lane lane) { return lane == Lane::background ? background_ : polls_; }

  base::Runtime runtime_;
  base::Semaphore polls_, background_;
};

}  // namespace ingot::bmc
