// What a remediation waits for. Whatever it is wakes the remediation when it comes; `again` is the safety net.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "coordinator/workload/unknown.hpp"
#include "kube/core/object_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace ingot::coordinator::remediation {

class Waits final : public base::Error {
 public:
  static constexpr base::Duration kSafetyNet = std::chrono::seconds(30);

  // `reason`: of the Event, which is told once. A trouble: somebody may have to do something.
  Waits(std::string reason, const std::string& text, base::Duration again = kSafetyNet)
      : Waits(std::move(reason), text, again, true) {}
  // For Nodes that are not known: told once for each cause. A connection that is being opened is none.
  Waits(const workload::Unknown& unknown, const std::string& text, base::Duration again = kSafetyNet)
      : Waits(unknown.reason == workload::Unknown::Reason::connecting ? "" : "NodeUnknown", text + ": " + unknown.text,
              again, true) {
    cause_ = static_cast<int>(unknown.reason);
  }
  // For what comes by itself.
  static Waits on(std::string reason, const std::string& text, base::Duration again = kSafetyNet) {
    return {std::move(reason), text, again, false};
  }
  // For what comes in a moment: nobody is told.
  static Waits shortly(const std::string& text) { return {"", text, std::chrono::seconds(1), false}; }

  static constexpr std::string_view kUnreadable = "Unreadable";
  static Waits unreadable(std::string_view kind, const kube::ObjectKey& object) {
    return {std::string(kUnreadable), fmt::format("{} {} cannot be read", kind, object.name)};
  }

  // The same, looked for again after so long at the latest.
  [[nodiscard]] Waits butWithin(base::Duration longest) const {
    Waits out(*this);
    out.again_ = std::min(again_, longest);
    return out;
  }

  [[nodiscard]] const std::string& reason() const { return reason_; }
  // What is told once: the reason, and of Nodes the cause.
  using Told = std::pair<std::string, int>;
  [[nodiscard]] Told told() const { return {reason_, cause_}; }
  [[nodiscard]] bool isTrouble() const { return isTrouble_; }
  [[nodiscard]] base::Duration again() const { return again_; }

 private:
  Waits(std::string reason, const std::string& text, base::Duration again, bool isTrouble)
      : Error(text), reason_(std::move(reason)), again_(again), isTrouble_(isTrouble) {}

  std::string reason_;
  int cause_ = -1;
  base::Duration again_;
  bool isTrouble_;
};

}  // namespace ingot::coordinator::remediation
