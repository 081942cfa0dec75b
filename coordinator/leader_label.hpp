// The label of the pod that leads, by which the agents' Service finds it (deploy/manager).
#pragma once

#include "base/runtime.hpp"
#include "kube/client/client.hpp"

#include <string>

namespace ingot::coordinator {

inline constexpr std::string_view leaderLabel = "ingot.dev/leader";

class LeaderLabel {
 public:
  // `pod`: our own; "": this is no pod, and nothing is done.
  LeaderLabel(base::Runtime runtime, std::string namespace_, std::string pod);

  // Once this process leads: our pod has it, and no other of the same app.kubernetes.io/instance. Until cancelled it is
  // tried again where it fails, and looked at now and then. `client`: one that writes only while we lead.
  [[nodiscard]] base::Task<void> keep(kube::Client& client);
  // Once it leads no more. Never throws but Cancelled.
  [[nodiscard]] base::Task<void> drop(kube::Client& client);

 private:
  [[nodiscard]] base::Task<void> takeFromOthers(kube::Client& client, std::string installation);
  // The pod as it is then; nullopt: there is no such pod.
  [[nodiscard]] base::Task<std::optional<json::Value>> label(kube::Client& client, std::string pod, bool leads);

  base::Runtime runtime_;
  std::string namespace_, pod_;
};

}  // namespace ingot::coordinator
