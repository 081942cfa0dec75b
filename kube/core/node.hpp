// core/v1 Node, as far as anybody of ours reads it. The images on it, its volumes, its capacity and managedFields are
// left out on purpose: together they are most of a Node, and a cluster has thousands. So is what its kubelet reports
// anew with each heartbeat and means nothing: two Nodes that differ by more than resourceVersion differ in what
// matters.
#pragma once

#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

struct Taint {
  std::string key, value;
  std::string effect;  // NoSchedule | PreferNoSchedule | NoExecute
  std::optional<base::WallTime> timeAdded;

  static void describe(auto& v) {
    v.field("key", &Taint::key);
    v.field("value", &Taint::value);
    v.field("effect", &Taint::effect);
    v.field("timeAdded", &Taint::timeAdded);
  }
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct NodeSpec {
  std::string providerId;
  bool unschedulable = false;
  std::vector<Taint> taints;

  static void describe(auto& v) {
    v.field("providerID", &NodeSpec::providerId);
    v.field("unschedulable", &NodeSpec::unschedulable);
    v.field("taints", &NodeSpec::taints);
  }
  friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

// Without lastHeartbeatTime, and so never to be written back.
struct NodeCondition {
  std::string type;
  std::string status;  // True | False | Unknown
  std::optional<base::WallTime> lastTransitionTime;
  std::string reason, message;

  static void describe(auto& v) {
    v.field("type", &NodeCondition::type);
    v.field("status", &NodeCondition::status);
    v.field("lastTransitionTime", &NodeCondition::lastTransitionTime);
    v.field("reason", &NodeCondition::reason);
    v.field("message", &NodeCondition::message);
  }
  friend bool operator==(const NodeCondition&, const NodeCondition&) = default;
};

struct NodeAddress {
  std::string type;  // Hostname | InternalIP | ExternalIP | InternalDNS | ExternalDNS
  std::string address;

  static void describe(auto& v) {
    v.field("type", &NodeAddress::type);
    v.field("address", &NodeAddress::address);
  }
  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};

struct NodeSystemInfo {
  std::string bootId;  // another one after each start of the machine
  std::string kubeletVersion;

  static void describe(auto& v) {
    v.field("bootID", &NodeSystemInfo::bootId);
    v.field("kubeletVersion", &NodeSystemInfo::kubeletVersion);
  }
  friend bool operator==(const NodeSystemInfo&, const NodeSystemInfo&) = default;
};

struct NodeStatus {
  std::vector<NodeCondition> conditions;
  std::vector<NodeAddress> addresses;
  NodeSystemInfo nodeInfo;

  static void describe(auto& v) {
    v.field("conditions", &NodeStatus::conditions);
    v.field("addresses", &NodeStatus::addresses);
    v.field("nodeInfo", &NodeStatus::nodeInfo);
  }
  friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};

struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;

  static const KindInfo info;

  // nullptr when the kubelet has not told of it.
  [[nodiscard]] const NodeCondition* condition(std::string_view type) const;
  [[nodiscard]] bool isReady() const;  // its condition Ready is True

  static void describe(auto& v) {
    v.field("metadata", &Node::metadata);
    v.field("spec", &Node::spec);
    v.field("status", &Node::status);
  }
  friend bool operator==(const Node&, const Node&) = default;
};

}  // namespace ingot::kube

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::kube::Node>();
