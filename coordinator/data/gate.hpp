// Which of these objects are worked on now (spec/capm3.md §6.3).
#pragma once

#include "api/capi/pause.hpp"
#include "api/capi/watch_filter.hpp"
#include "coordinator/data/references.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::data {

enum class Rest : std::uint8_t {
  no,
  paused,   // by its annotation or by its Cluster
  unknown,  // its Cluster cannot be read and may be paused: nobody tells when that ends
};

class Gate {
 public:
  // `watchFilter`: the value of label cluster.x-k8s.io/watch-filter of the objects to look at; "": all.
  Gate(kube::Cache<api::capi::Cluster>& clusters, std::string watchFilter)
      : clusters_(clusters), watchFilter_(std::move(watchFilter)) {}

  [[nodiscard]] bool takes(const kube::ObjectMeta& metadata) const;
  [[nodiscard]] Rest restOf(const kube::ObjectMeta& metadata) const;

 private:
  kube::Cache<api::capi::Cluster>& clusters_;
  std::string watchFilter_;
};

// How soon something is looked at again whose end nobody tells.
inline constexpr base::Duration kLookAgain = std::chrono::seconds(30);

}  // namespace ingot::coordinator::data
