// How a kind is named and shown, in the form in which every group of ours lists its kinds.
#pragma once

#include "kube/core/kind.hpp"

namespace ingot::api {

struct GroupVersion {
  std::string_view group, version;
};

struct KindWords {
  std::string_view kind, plural, doc;
  bool status = true;  // is a subresource
  std::span<const std::string_view> shortNames{}, categories{};
  std::span<const kube::Column> columns{};
};

[[nodiscard]] constexpr kube::KindInfo infoOf(const GroupVersion& at, const KindWords& words) {
  return {.group = at.group,
          .version = at.version,
          .kind = words.kind,
          .plural = words.plural,
          .statusSubresource = words.status,
          .shortNames = words.shortNames,
          .categories = words.categories,
          .columns = words.columns,
          .doc = words.doc};
}

inline constexpr std::string_view kClusterApiCategory[] = {"cluster-api"};

namespace column {

inline constexpr kube::Column age{
    .name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp", .description = "Time since creation"};
inline constexpr kube::Column cluster{.name = "Cluster",
                                      .type = "string",
                                      .jsonPath = R"(.metadata.labels.cluster\.x-k8s\.io/cluster-name)",
                                      .description = "Cluster that it belongs to"};

}  // namespace column

inline constexpr kube::Column kAgeOnly[] = {column::age};

}  // namespace ingot::api
