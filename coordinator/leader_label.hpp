// The label of the pod that leads, by which the agents' Service finds it (deploy/manager).
#pragma once

#include "base/runtime.hpp"
#include "kube/client/client.hpp"

#include <string>

namespace ingot::coordinator {

inline constexpr std::string_view leaderLabel = "ingot.dev/leader";

class LeaderLabel {
 public:
  // `pod`: our own; "": this is no pod, and nothing is done. The client outlives it.
  LeaderLabel(base::Runtime runtime, kube::Client& client, std::string namespace_, std::string pod);

  // Once this process leads: our pod has it, and no other. Until cancelled it is tried again where it fails, and looked
  // at now and then.
  [[nodiscard]] base::Task<void> keep();
  // Once it leads no more. Never throws but Cancelled.
  [[nodiscard]] base::Task<void> drop();

 private:
  [[nodiscard]] base::Task<void> takeFromOthers();
  [[nodiscard]] base::Task<void> label(std::string pod, bool leads);

  base::Runtime runtime_;
  kube::Client& client_;
  std::string namespace_, pod_;
};

}  // namespace ingot::coordinator
