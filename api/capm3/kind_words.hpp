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

struct KindWords {
  std::string_view kind, plural, doc;
  std::span<const std::string_view> shortNames;
  bool status = true;
};

inline constexpr KindWords kCluster{"Metal3Cluster", "metal3clusters",
                                    "The infrastructure of a Cluster API Cluster on bare metal.", kClusterNames};
inline constexpr KindWords kClusterTemplate{"Metal3ClusterTemplate", "metal3clustertemplates",
                                            "A template for Metal3Clusters.", kClusterTemplateNames, false};
inline constexpr KindWords kMachine{"Metal3Machine", "metal3machines",
                                    "The machine of a Cluster API Machine: a BareMetalHost taken into service.",
                                    kMachineNames};
inline constexpr KindWords kMachineTemplate{"Metal3MachineTemplate", "metal3machinetemplates",
                                            "A template for Metal3Machines.", kMachineTemplateNames, false};
inline constexpr KindWords kDataTemplate{"Metal3DataTemplate", "metal3datatemplates",
                                         "A template for the meta data and network data of machines.",
                                         kDataTemplateNames};
inline constexpr KindWords kData{"Metal3Data", "metal3datas", "The meta data and network data of one machine.",
                                 kDataNames};
inline constexpr KindWords kDataClaim{"Metal3DataClaim", "metal3dataclaims",
                                      "Asks for a Metal3Data made from a Metal3DataTemplate.", kDataClaimNames};
inline constexpr KindWords kRemediation{"Metal3Remediation", "metal3remediations",
                                        "Heals the machine that it is named after.", kRemediationNames};
inline constexpr KindWords kRemediationTemplate{"Metal3RemediationTemplate", "metal3remediationtemplates",
                                                "A template for Metal3Remediations.", kRemediationTemplateNames};

[[nodiscard]] constexpr kube::KindInfo infoOf(const KindWords& words, std::string_view version,
                                              std::span<const kube::Column> columns = {}) {
  return {.group = kGroup,
          .version = version,
          .kind = words.kind,
          .plural = words.plural,
          .statusSubresource = words.status,
          .shortNames = words.shortNames,
          .categories = kCategories,
          .columns = columns,
          .doc = words.doc};
}

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
