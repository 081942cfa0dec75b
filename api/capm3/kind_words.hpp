// Short names and printer columns of the kinds, the same in both versions but for a few columns (spec/capm3.md §1).
#pragma once

#include "api/capm3/names.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3 {

inline constexpr std::string_view kCategories[] = {"cluster-api"};

inline constexpr std::string_view kClusterNames[] = {"m3c", "m3cluster", "m3clusters", "metal3c", "metal3cluster"};
inline constexpr std::string_view kClusterTemplateNames[] = {"m3ct"};
inline constexpr std::string_view kMachineNames[] = {"m3m", "m3machine", "m3machines", "metal3m", "metal3machine"};
inline constexpr std::string_view kMachineTemplateNames[] = {"m3mt", "m3machinetemplate", "m3machinetemplates",
                                                             "metal3mt", "metal3machinetemplate"};
inline constexpr std::string_view kDataTemplateNames[] = {"m3dt", "m3datatemplate", "m3datatemplates", "metal3dt",
                                                          "metal3datatemplate"};
inline constexpr std::string_view kDataNames[] = {"m3d", "m3data", "m3datas", "metal3d", "metal3data"};
inline constexpr std::string_view kDataClaimNames[] = {"m3dc", "m3dataclaim", "m3dataclaims", "metal3dc",
                                                       "metal3dataclaim"};
inline constexpr std::string_view kRemediationNames[] = {"m3r", "m3remediation"};
inline constexpr std::string_view kRemediationTemplateNames[] = {
    "m3rt", "m3remediationtemplate", "m3remediationtemplates", "metal3rt", "metal3remediationtemplate"};

namespace column {

inline constexpr kube::Column age{
    .name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp", .description = "Time since creation"};
inline constexpr kube::Column cluster{.name = "Cluster",
                                      .type = "string",
                                      .jsonPath = R"(.metadata.labels.cluster\.x-k8s\.io/cluster-name)",
                                      .description = "Cluster that it belongs to"};
inline constexpr kube::Column provisioned{.name = "Provisioned",
                                          .type = "string",
                                          .jsonPath = ".status.initialization.provisioned",
                                          .description = "Whether the infrastructure is there"};
inline constexpr kube::Column ready{
    .name = "Ready", .type = "string", .jsonPath = ".status.ready", .description = "Whether it is ready"};
inline constexpr kube::Column providerID{
    .name = "ProviderID", .type = "string", .jsonPath = ".spec.providerID", .description = "Identity of the host"};
inline constexpr kube::Column endpoint{.name = "Endpoint",
                                       .type = "string",
                                       .jsonPath = ".spec.controlPlaneEndpoint",
                                       .description = "Where the control plane listens"};

}  // namespace column

inline constexpr kube::Column kAgeOnly[] = {column::age};
inline constexpr kube::Column kDataTemplateColumns[] = {column::cluster, column::age};
inline constexpr kube::Column kRemediationColumns[] = {
    {.name = "Retry limit",
     .type = "string",
     .jsonPath = ".spec.strategy.retryLimit",
     .description = "How often it is tried again"},
    {.name = "Retry count",
     .type = "string",
     .jsonPath = ".status.retryCount",
     .description = "How often it was tried again"},
    {.name = "Last Remediated",
     .type = "string",
     .jsonPath = ".status.lastRemediated",
     .description = "When it was tried last"},
    {.name = "Strategy", .type = "string", .jsonPath = ".spec.strategy.type", .description = "What is done"},
    {.name = "Phase", .type = "string", .jsonPath = ".status.phase", .description = "How far it is"},
};

}  // namespace ingot::api::capm3
