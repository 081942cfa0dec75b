#include "sim/kubelet/objects.hpp"

namespace ingot::sim::kubelet {

namespace {

constexpr int leaseSeconds = 40;

struct NodeCondition {
  std::string_view type, status, reason;
};
constexpr NodeCondition well[] = {{"MemoryPressure", "False", "KubeletHasSufficientMemory"},
                                  {"DiskPressure", "False", "KubeletHasNoDiskPressure"},
                                  {"PIDPressure", "False", "KubeletHasSufficientPID"},
                                  {"Ready", "True", "KubeletReady"}};
constexpr std::string_view podConditions[] = {"PodScheduled", "Initialized", "ContainersReady", "Ready"};

bool isOurs(const json::Value& condition) {
  const auto type = json::textAt(condition, {"type"});
  return std::ranges::any_of(well, [&](const auto& each) { return each.type == type; });
}

json::Array conditionsOf(const json::Value& node, const std::string& now) {
  json::Array all;
  const auto* before = json::arrayAt(node, {"status", "conditions"});
  const auto transition = [&](const NodeCondition& wanted) -> std::string {
    if (before)
      for (const auto& each : *before)
        if (json::stringAt(each, {"type"}) == wanted.type && json::stringAt(each, {"status"}) == wanted.status)
          return json::textAt(each, {"lastTransitionTime"});
    return now;
  };
  if (before) std::ranges::copy_if(*before, std::back_inserter(all), [](const auto& each) { return !isOurs(each); });
  for (const auto& each : well)
    all.push_back(json::Object{{"type", each.type},
                               {"status", each.status},
                               {"reason", each.reason},
                               {"message", ""},
                               {"lastHeartbeatTime", now},
                               {"lastTransitionTime", transition(each)}});
  return all;
}

json::Object nodeInfo(const MachineFacts& facts, const std::string& version) {
  return {{"kubeletVersion", version}, {"architecture", "amd64"},  {"operatingSystem", "linux"},
          {"machineID", facts.uuid},   {"systemUUID", facts.uuid}, {"bootID", ""},
          {"kernelVersion", ""},       {"osImage", "ingot-sim"},   {"containerRuntimeVersion", ""},
          {"kubeProxyVersion", ""}};
}

json::Object ownedByNode(const json::Value& node, bool controller) {
  json::Object owner{{"apiVersion", "v1"},
                     {"kind", "Node"},
                     {"name", json::textAt(node, {"metadata", "name"})},
                     {"uid", json::textAt(node, {"metadata", "uid"})}};
  if (controller) owner["controller"] = true;
  return owner;
}

}  // namespace

json::Value nodeObject(const firstboot::NodeRegistration& registration) {
  json::Object labels{
      {"kubernetes.io/hostname", registration.name}, {"kubernetes.io/os", "linux"}, {"kubernetes.io/arch", "amd64"}};
  for (const auto& [key, value] : registration.labels) labels[key] = value;
  json::Object spec;
  if (!registration.providerId.empty()) spec["providerID"] = registration.providerId;
  if (!registration.taints.empty()) spec["taints"] = registration.taints;
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", registration.name}, {"labels", std::move(labels)}}},
          {"spec", std::move(spec)}};
}

json::Value leaseObject(const json::Value& node, base::WallTime now) {
  const auto name = json::textAt(node, {"metadata", "name"});
  return {
      {"apiVersion", "coordination.k8s.io/v1"},
      {"kind", "Lease"},
      {"metadata",
       {{"name", name}, {"namespace", leaseNamespace}, {"ownerReferences", json::Array{ownedByNode(node, false)}}}},
      {"spec",
       {{"holderIdentity", name}, {"leaseDurationSeconds", leaseSeconds}, {"renewTime", base::formatMicroTime(now)}}}};
}

json::Value mirrorPod(std::string_view component, const json::Value& node) {
  const auto name = json::textAt(node, {"metadata", "name"});
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata",
           {{"name", fmt::format("{}-{}", component, name)},
            {"namespace", "kube-system"},
            {"labels", {{"component", component}, {"tier", "control-plane"}}},
            {"annotations", {{"kubernetes.io/config.mirror", component}, {"kubernetes.io/config.source", "file"}}},
            {"ownerReferences", json::Array{ownedByNode(node, true)}}}},
          {"spec",
           {{"nodeName", name},
            {"hostNetwork", true},
            {"containers",
             json::Array{json::Object{{"name", component}, {"image", fmt::format("registry.k8s.io/{}", component)}}}},
            {"tolerations", json::Array{json::Object{{"operator", "Exists"}, {"effect", "NoExecute"}}}}}}};
}

json::Value readyPodStatus(base::WallTime now) {
  const auto time = base::formatTime(now);
  json::Array conditions;
  for (const auto type : podConditions)
    conditions.push_back(json::Object{{"type", type}, {"status", "True"}, {"lastTransitionTime", time}});
  return {{"status", {{"phase", "Running"}, {"conditions", std::move(conditions)}}}};
}

bool isReadyPod(const json::Value& pod) {
  const auto* conditions = json::arrayAt(pod, {"status", "conditions"});
  return conditions && std::ranges::any_of(*conditions, [](const auto& each) {
           return json::stringAt(each, {"type"}) == "Ready" && json::stringAt(each, {"status"}) == "True";
         });
}

json::Value wellNodeStatus(const json::Value& node, const MachineFacts& facts, const std::string& version,
                           base::WallTime now) {
  json::Array addresses;
  for (const auto& address : facts.addresses)
    addresses.push_back(json::Object{{"type", "InternalIP"}, {"address", address}});
  addresses.push_back(json::Object{{"type", "Hostname"}, {"address", json::textAt(node, {"metadata", "name"})}});
  return {{"status",
           {{"addresses", std::move(addresses)},
            {"conditions", conditionsOf(node, base::formatTime(now))},
            {"nodeInfo", nodeInfo(facts, version)}}}};
}

}  // namespace ingot::sim::kubelet
