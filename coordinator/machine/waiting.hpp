// The machines that wait for a host or for a Node: news wake those that they are for, and no others.
#pragma once

#include "coordinator/machine/host_choice.hpp"
#include "kube/core/node.hpp"
#include "kube/core/object_key.hpp"

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::machine {

class Waiting {
 public:
  // Keeps its place when it waits already.
  void forHost(const kube::ObjectKey& machine, HostSelector selector, std::string nodeReuse);
  void forNode(const kube::ObjectKey& machine, const kube::ObjectKey& cluster, std::string hostUid);
  void noMore(const kube::ObjectKey& machine);

  // The machine that has waited for such a host the longest; it waits no more.
  [[nodiscard]] std::optional<kube::ObjectKey> takeFor(const BareMetalHost& host);
  // Whom a Node, or news of a whole cluster (nullptr), may concern.
  [[nodiscard]] std::vector<kube::ObjectKey> concernedBy(const kube::ObjectKey& cluster, const kube::Node* node) const;

 private:
  struct ForHost {
    kube::ObjectKey machine;
    HostSelector selector;
    std::string nodeReuse;
  };
  struct ForNode {
    kube::ObjectKey cluster;
    std::string hostUid;
  };
  std::list<ForHost> forHost_;  // the longest first
  std::map<kube::ObjectKey, std::list<ForHost>::iterator> placeOf_;
  std::map<kube::ObjectKey, ForNode> forNode_;                      // by machine
  std::map<kube::ObjectKey, std::set<kube::ObjectKey>> ofCluster_;  // its machines
  std::map<std::string, kube::ObjectKey> byHostUid_;
};

}  // namespace ingot::coordinator::machine
