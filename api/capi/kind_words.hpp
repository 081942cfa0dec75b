// Names, short names and the printer columns that both versions of Cluster and Machine have.
#pragma once

#include "api/kind_words.hpp"

namespace ingot::api::capi {

inline constexpr std::string_view kGroup = "cluster.x-k8s.io";

inline constexpr std::string_view kClusterNames[] = {"cl"};
inline constexpr std::string_view kMachineNames[] = {"ma"};

inline constexpr KindWords kCluster{.kind = "Cluster",
                                    .plural = "clusters",
                                    .doc = "A Kubernetes cluster that Cluster API looks after.",
                                    .shortNames = kClusterNames};
inline constexpr KindWords kMachine{.kind = "Machine",
                                    .plural = "machines",
                                    .doc = "A machine that becomes a node of a Cluster.",
                                    .shortNames = kMachineNames};

[[nodiscard]] constexpr kube::KindInfo infoOf(KindWords words, std::string_view version,
                                              std::span<const kube::Column> columns) {
  words.categories = kClusterApiCategory;
  words.columns = columns;
  return api::infoOf({kGroup, version}, words);
}

namespace column {

using api::column::age;

inline constexpr kube::Column phase{
    .name = "Phase", .type = "string", .jsonPath = ".status.phase", .description = "Where it is in its life"};
inline constexpr kube::Column version{
    .name = "Version", .type = "string", .jsonPath = ".spec.version", .description = "Kubernetes version"};
inline constexpr kube::Column topologyVersion{
    .name = "Version", .type = "string", .jsonPath = ".spec.topology.version", .description = "Kubernetes version"};
inline constexpr kube::Column clusterName{
    .name = "Cluster", .type = "string", .jsonPath = ".spec.clusterName", .description = "Cluster that it belongs to"};

}  // namespace column

}  // namespace ingot::api::capi
