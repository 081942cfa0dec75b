// Lists of conditions. A condition's time is that of its last change of status, not of its last write.
#pragma once

#include "base/clock.hpp"
#include "kube/core/condition.hpp"

#include <string_view>
#include <vector>

namespace ingot::kube {

// nullptr when there is none.
[[nodiscard]] const Condition* findCondition(const std::vector<Condition>& all, std::string_view type);
[[nodiscard]] bool isTrue(const std::vector<Condition>& all, std::string_view type);

// Adds or replaces the one of this type. lastTransitionTime becomes `now` (whole seconds) when the status is new or
// another one, and stays otherwise; a time given in `wanted` wins over `now`. True when anything changed.
bool setCondition(std::vector<Condition>& all, Condition wanted, base::WallTime now);

// Several conditions of one object, as one pass found them.
//   ConditionSetter conditions{host.status.conditions, host.metadata.generation, now};
//   conditions.setFalse("Ready", "NotProvisioned");
class ConditionSetter {
 public:
  ConditionSetter(std::vector<Condition>& all, std::int64_t generation, base::WallTime now)
      : all_(all), generation_(generation), now_(now) {}

  // True when anything changed.
  bool setTrue(std::string_view type, std::string_view reason, std::string message = "");
  bool setFalse(std::string_view type, std::string_view reason, std::string message = "");
  bool setUnknown(std::string_view type, std::string_view reason, std::string message = "");

 private:
  bool set(std::string_view type, std::string_view status, std::string_view reason, std::string message);

  std::vector<Condition>& all_;
  std::int64_t generation_;
  base::WallTime now_;
};

// True when it was there.
bool removeCondition(std::vector<Condition>& all, std::string_view type);

}  // namespace ingot::kube
