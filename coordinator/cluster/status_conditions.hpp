// The conditions of one object of infrastructure.cluster.x-k8s.io, written in both dialects (spec/capm3.md §6.5).
//   StatusConditions conditions(machine, now);
//   conditions.setFalse("Paused", "NotPaused");
//   conditions.setLegacyTrue("AssociateBMH");
//   conditions.finish(kSummarized, kLegacySummarized);
#pragma once

#include "coordinator/cluster/conditions.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::cluster {

inline constexpr std::string_view kPaused = "Paused";

template <class T>
class StatusConditions {
 public:
  using LegacyCondition = api::capi::LegacyCondition;

  StatusConditions(T& object, base::WallTime now) : object_(object), now_(now) {}

  void setTrue(std::string_view type, std::string_view reason, std::string message = "") {
    setter().setTrue(type, reason, std::move(message));
  }
  void setFalse(std::string_view type, std::string_view reason, std::string message = "") {
    setter().setFalse(type, reason, std::move(message));
  }
  // What it told of is not known any more.
  void remove(std::string_view type) {
    std::erase_if(object_.status.conditions, [&](const kube::Condition& condition) { return condition.type == type; });
  }
  void setLegacyTrue(std::string_view type) { setLegacy({.type = std::string(type), .status = "True"}); }
  void setLegacyFalse(std::string_view type, std::string_view severity, std::string_view reason,
                      std::string message = "") {
    setLegacy({.type = std::string(type),
               .status = "False",
               .severity = std::string(severity),
               .reason = std::string(reason),
               .message = std::move(message)});
  }

  // For one that is never True: what it told of is over.
  void removeLegacy(std::string_view type) {
    std::erase_if(legacy().conditions, [&](const LegacyCondition& condition) { return condition.type == type; });
  }

  // failureReason and failureMessage of status.deprecated.v1beta1.
  void fail(const char* reason, const char* message) {
    legacy().failureReason = reason;
    legacy().failureMessage = message;
  }
  void failNoMore() {
    legacy().failureReason.reset();
    legacy().failureMessage.reset();
  }

  // `Ready` from all the others, and Cluster API's order: Ready first, Paused last.
  void finish(std::span<const std::string_view> summarized, std::span<const std::string_view> legacySummarized) {
    auto& conditions = object_.status.conditions;
    auto ready = summaryOf(conditions, summarized);
    ready.observedGeneration = object_.metadata.generation;
    kube::setCondition(conditions, std::move(ready), now_);
    std::ranges::sort(conditions, {}, [](const kube::Condition& c) {
      const int place = c.type == kReady ? 0 : c.type == kPaused ? 2 : 1;
      return std::pair(place, c.type);
    });
    if (auto summary = legacySummaryOf(legacy().conditions, legacySummarized))
      setLegacy(std::move(*summary));
    else
      removeLegacy(kReady);  // nothing is told that it would sum up
    if (legacy() == Legacy{}) object_.status.deprecated.reset();
  }

 private:
  using Legacy = std::remove_cvref_t<decltype(*std::declval<T&>().status.deprecated->v1beta1)>;

  // Of the generation that the object has now: a pass may save its spec first.
  kube::ConditionSetter setter() { return {object_.status.conditions, object_.metadata.generation, now_}; }
  void setLegacy(LegacyCondition condition) { setLegacyCondition(legacy().conditions, std::move(condition), now_); }
  Legacy& legacy() {
    if (!object_.status.deprecated) object_.status.deprecated.emplace();
    if (!object_.status.deprecated->v1beta1) object_.status.deprecated->v1beta1.emplace();
    return *object_.status.deprecated->v1beta1;
  }

  T& object_;
  base::WallTime now_;
};

}  // namespace ingot::coordinator::cluster
