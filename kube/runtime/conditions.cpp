#include "kube/runtime/conditions.hpp"

#include <algorithm>

namespace ingot::kube {

const Condition* findCondition(const std::vector<Condition>& all, std::string_view type) {
  const auto it = std::ranges::find(all, type, &Condition::type);
  return it == all.end() ? nullptr : &*it;
}

bool isTrue(const std::vector<Condition>& all, std::string_view type) {
  const Condition* found = findCondition(all, type);
  return found && found->status == "True";
}

bool setCondition(std::vector<Condition>& all, Condition wanted, base::WallTime now) {
  const base::WallTime time = std::chrono::floor<std::chrono::seconds>(wanted.lastTransitionTime.value_or(now));
  const auto it = std::ranges::find(all, wanted.type, &Condition::type);
  if (it == all.end()) {
    wanted.lastTransitionTime = time;
    all.push_back(std::move(wanted));
    return true;
  }
  const bool moved = it->status != wanted.status || !it->lastTransitionTime;
  wanted.lastTransitionTime = moved ? time : it->lastTransitionTime;
  return std::exchange(*it, wanted) != wanted;
}

bool ConditionSetter::setTrue(std::string_view type, std::string_view reason, std::string message) {
  return set(type, "True", reason, std::move(message));
}
bool ConditionSetter::setFalse(std::string_view type, std::string_view reason, std::string message) {
  return set(type, "False", reason, std::move(message));
}
bool ConditionSetter::setUnknown(std::string_view type, std::string_view reason, std::string message) {
  return set(type, "Unknown", reason, std::move(message));
}

bool ConditionSetter::set(std::string_view type, std::string_view status, std::string_view reason,
                          std::string message) {
  return setCondition(all_,
                      {.type = std::string(type),
                       .status = std::string(status),
                       .observedGeneration = generation_,
                       .reason = std::string(reason),
                       .message = std::move(message)},
                      now_);
}

bool removeCondition(std::vector<Condition>& all, std::string_view type) {
  return std::erase_if(all, [&](const Condition& c) { return c.type == type; }) > 0;
}

}  // namespace ingot::kube
