// Short names and printer columns of the kinds, the same in both versions but for a few columns (spec/capm3.md §1).
#pragma once

#include "api/capm3/names.hpp"
#include "api/kind_words.hpp"

namespace ingot::api::capm3 {

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

inline constexpr KindWords kCluster{.kind = "Metal3Cluster",
                                    .plural = "metal3clusters",
                                    .doc = "The infrastructure of a Cluster API Cluster on bare metal.",
                                    .shortNames = kClusterNames};
inline constexpr KindWords kClusterTemplate{.kind = "Metal3ClusterTemplate",
                                            .plural = "metal3clustertemplates",
                                            .doc = "A template for Metal3Clusters.",
                                            .status = false,
                                            .shortNames = kClusterTemplateNames};
inline constexpr KindWords kMachine{.kind = "Metal3Machine",
                                    .plural = "metal3machines",
                                    .doc = "The machine of a Cluster API Machine: a BareMetalHost taken into service.",
                                    .shortNames = kMachineNames};
inline constexpr KindWords kMachineTemplate{.kind = "Metal3MachineTemplate",
                                            .plural = "metal3machinetemplates",
                                            .doc = "A template for Metal3Machines.",
                                            .status = false,
                                            .shortNames = kMachineTemplateNames};
inline constexpr KindWords kDataTemplate{.kind = "Metal3DataTemplate",
                                         .plural = "metal3datatemplates",
                                         .doc = "A template for the meta data and network data of machines.",
                                         .shortNames = kDataTemplateNames};
inline constexpr KindWords kData{.kind = "Metal3Data",
                                 .plural = "metal3datas",
                                 .doc = "The meta data and network data of one machine.",
                                 .shortNames = kDataNames};
inline constexpr KindWords kDataClaim{.kind = "Metal3DataClaim",
                                      .plural = "metal3dataclaims",
                                      .doc = "Asks for a Metal3Data made from a Metal3DataTemplate.",
                                      .shortNames = kDataClaimNames};
inline constexpr KindWords kRemediation{.kind = "Metal3Remediation",
                                        .plural = "metal3remediations",
                                        .doc = "Heals the machine that it is named after.",
                                        .shortNames = kRemediationNames};
inline constexpr KindWords kRemediationTemplate{.kind = "Metal3RemediationTemplate",
                                                .plural = "metal3remediationtemplates",
                                                .doc = "A template for Metal3Remediations.",
                                                .shortNames = kRemediationTemplateNames};

[[nodiscard]] constexpr kube::KindInfo infoOf(KindWords words, std::string_view version,
                                              std::span<const kube::Column> columns = {}) {
  words.categories = kClusterApiCategory;
  words.columns = columns;
  return api::infoOf({kGroup, version}, words);
}

namespace column {

using api::column::age;
using api::column::cluster;

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
     .description = "Time of the last attempt"},
    {.name = "Strategy",
     .type = "string",
     .jsonPath = ".spec.strategy.type",
     .description = "Type of the remediation strategy"},
    {.name = "Phase", .type = "string", .jsonPath = ".status.phase", .description = "Phase of the remediation"},
};

}  // namespace ingot::api::capm3
