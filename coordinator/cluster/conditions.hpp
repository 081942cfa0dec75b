// Conditions of the kinds of infrastructure.cluster.x-k8s.io: metav1 ones, and those of v1beta1 that Cluster API still
// reads (spec/capm3.md §6.5).
#pragma once

#include "api/capi/legacy_condition.hpp"
#include "kube/runtime/conditions.hpp"

#include <span>

namespace ingot::coordinator::cluster {

inline constexpr std::string_view kReady = "Ready";

// Condition `Ready` over those of `types`: False when one of them is, else Unknown when one is or is missing, else
// True.
[[nodiscard]] kube::Condition summaryOf(const std::vector<kube::Condition>& all,
                                        std::span<const std::string_view> types);

// The same in the form of v1beta1: the first of the worst severity decides, and missing types are ignored; nullopt when
// all are missing.
[[nodiscard]] std::optional<api::capi::LegacyCondition> legacySummaryOf(
    const std::vector<api::capi::LegacyCondition>& all, std::span<const std::string_view> types);

// Adds or replaces the one of this type. lastTransitionTime becomes `now` (whole seconds) when anything but it is new,
// and stays otherwise. `Ready` stands first.
void setLegacyCondition(std::vector<api::capi::LegacyCondition>& all, api::capi::LegacyCondition wanted,
                        base::WallTime now);

}  // namespace ingot::coordinator::cluster
