// What a remediation waits for. Whatever it is wakes the remediation when it comes; `again` is the safety net.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ingot::coordinator::remediation {

class Waits final : public base::Error {
 public:
  static constexpr base::Duration kSafetyNet = std::chrono::seconds(30);

  // `reason`: of the Event, which is told once. A trouble: somebody may have to do something.
  Waits(std::string reason, const std::string& text, base::Duration again = kSafetyNet)
      : Waits(std::move(reason), text, again, true) {}
  // For what comes by itself.
  static Waits on(std::string reason, const std::string& text, base::Duration again = kSafetyNet) {
    return {std::move(reason), text, again, false};
  }
  // For what comes in a moment: nobody is told.
  static Waits shortly(const std::string& text) { return {"", text, std::chrono::seconds(1), false}; }

  // The same, looked for again after so long at the latest.
  [[nodiscard]] Waits butWithin(base::Duration longest) const {
    return {reason_, what(), std::min(again_, longest), isTrouble_};
  }

  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] bool isTrouble() const { return isTrouble_; }
  [[nodiscard]] base::Duration again() const { return again_; }

 private:
  Waits(std::string reason, const std::string& text, base::Duration again, bool isTrouble)
      : Error(text), reason_(std::move(reason)), again_(again), isTrouble_(isTrouble) {}

  std::string reason_;
  base::Duration again_;
  bool isTrouble_;
};

}  // namespace ingot::coordinator::remediation
