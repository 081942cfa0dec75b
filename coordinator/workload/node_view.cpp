#include "coordinator/workload/node_view.hpp"

namespace ingot::coordinator::workload {
namespace {

// Labels of the object as an index wants them: a Node without one is in no list.
const std::string* uuidOf(const kube::Node& node) { return node.metadata.label(std::string(kUuidLabel)); }
const std::string* hostnameOf(const kube::Node& node) { return node.metadata.label(std::string(kHostnameLabel)); }

// A name among others, or a text by which one is found.
std::size_t entryOf(std::string_view text) { return 64 + text.size(); }

std::size_t textsIn(const std::map<std::string, std::string>& texts) {
  constexpr std::size_t entry = 32 + sizeof(std::pair<const std::string, std::string>);
  std::size_t sum = texts.size() * entry;
  for (const auto& [key, value] : texts) sum += key.size() + value.size();
  return sum;
}

}  // namespace

NodeView::Snapshot NodeView::find(std::string_view name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

NodeView::Found NodeView::byProviderId(std::string_view id) const { return look(byProviderId_, id); }
NodeView::Found NodeView::byUuidLabel(std::string_view uid) const { return look(byUuid_, uid); }

NodeView::Found NodeView::byProviderIdPrefix(std::string_view prefix) const {
  Found out;
  for (auto at = byProviderId_.lower_bound(prefix); at != byProviderId_.end() && at->first.starts_with(prefix); ++at)
    for (const auto& name : at->second) {
      if (out.isFull()) return out;
      out.add(nodes_.find(name)->second);
    }
  return out;
}

NodeView::Found NodeView::byHostnames(const std::set<std::string>& hostnames) const {
  std::map<std::string, Snapshot> found;
  std::size_t count = 0;
  for (const auto& hostname : hostnames) {
    const Found bearers = look(byHostname_, hostname);  // each Node bears one
    for (const auto& node : bearers) found.emplace(node->metadata.name, node);
    count += bearers.size();
  }
  Found out;
  for (auto& [name, node] : found) out.add(std::move(node));
  out.addUnseen(count - found.size());
  return out;
}

std::vector<NodeView::Snapshot> NodeView::all() const {
  std::vector<Snapshot> out;
  out.reserve(nodes_.size());
  for (const auto& [name, node] : nodes_) out.push_back(node);
  return out;
}

NodeView::Found NodeView::look(const Index& index, std::string_view by) const {
  Found out;
  const auto found = index.find(by);
  if (found == index.end()) return out;
  for (const auto& name : found->second) {
    if (out.isFull()) break;
    out.add(nodes_.find(name)->second);
  }
  out.addUnseen(found->second.size() - out.size());
  return out;
}

NodeView::Snapshot NodeView::put(Snapshot node) {
  const std::string name = node->metadata.name;
  eraseUndecoded(name);
  enter(*node);
  auto before = std::exchange(nodes_[name], std::move(node));
  return before;
}

NodeView::Snapshot NodeView::putUndecoded(const std::string& name, std::string_view uid) {
  const auto last = find(name);
  auto gone = last && last->metadata.uid != uid ? drop(name) : nullptr;
  if (undecoded_.insert(name).second) weight_ += entryOf(name);
  return gone;
}

NodeView::Snapshot NodeView::drop(const std::string& name) {
  eraseUndecoded(name);
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return nullptr;
  strike(*found->second);
  auto gone = std::move(found->second);
  nodes_.erase(found);
  return gone;
}

void NodeView::eraseUndecoded(const std::string& name) {
  if (undecoded_.erase(name) > 0) weight_ -= entryOf(name);
}

std::vector<std::string> NodeView::names() const {
  std::vector<std::string> out(undecoded_.begin(), undecoded_.end());
  for (const auto& [name, node] : nodes_)
    if (!undecoded_.contains(name)) out.push_back(name);
  return out;
}

void NodeView::enter(const kube::Node& node) {
  if (const auto before = find(node.metadata.name)) strike(*before);
  if (!node.spec.providerId.empty()) byProviderId_[node.spec.providerId].insert(node.metadata.name);
  if (const auto* uuid = uuidOf(node)) byUuid_[*uuid].insert(node.metadata.name);
  if (const auto* hostname = hostnameOf(node)) byHostname_[*hostname].insert(node.metadata.name);
  weight_ += weightOf(node);
}

void NodeView::strike(const kube::Node& node) {
  const auto remove = [&](Index& index, const std::string& by) {
    const auto found = index.find(by);
    if (found == index.end()) return;
    found->second.erase(node.metadata.name);
    if (found->second.empty()) index.erase(found);
  };
  remove(byProviderId_, node.spec.providerId);
  if (const auto* uuid = uuidOf(node)) remove(byUuid_, *uuid);
  if (const auto* hostname = hostnameOf(node)) remove(byHostname_, *hostname);
  weight_ -= weightOf(node);
}

// Every text counts: each can be of any size, and whoever sends it chooses which.
std::size_t NodeView::weightOf(const kube::Node& node) {
  const auto& meta = node.metadata;
  std::size_t sum = sizeof(kube::Node) + textsIn(meta.labels) + textsIn(meta.annotations);
  sum += meta.name.size() + meta.generateName.size() + meta.namespace_.size() + meta.uid.size() +
         meta.resourceVersion.size();
  for (const auto& finalizer : meta.finalizers) sum += sizeof(std::string) + finalizer.size();
  for (const auto& owner : meta.ownerReferences)
    sum += sizeof owner + owner.apiVersion.size() + owner.kind.size() + owner.name.size() + owner.uid.size();
  for (const auto& taint : node.spec.taints)
    sum += sizeof taint + taint.key.size() + taint.value.size() + taint.effect.size();
  for (const auto& condition : node.status.conditions)
    sum += sizeof condition + condition.type.size() + condition.status.size() + condition.reason.size() +
           condition.message.size();
  for (const auto& address : node.status.addresses)
    sum += sizeof address + address.type.size() + address.address.size();
  const auto& info = node.status.nodeInfo;
  return sum + node.spec.providerId.size() + info.bootId.size() + info.kubeletVersion.size() + inIndexes(node);
}

std::size_t NodeView::inIndexes(const kube::Node& node) {
  std::size_t sum = entryOf(node.metadata.name);
  const auto add = [&](std::string_view by) { sum += entryOf(by) + entryOf(node.metadata.name); };
  if (!node.spec.providerId.empty()) add(node.spec.providerId);
  if (const auto* uuid = uuidOf(node)) add(*uuid);
  if (const auto* hostname = hostnameOf(node)) add(*hostname);
  return sum;
}

std::size_t NodeView::weightOfUndecoded(std::string_view name, std::string_view uid) {
  return entryOf(name) + entryOf(uid);
}

}  // namespace ingot::coordinator::workload
