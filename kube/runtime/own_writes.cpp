#include "kube/runtime/own_writes.hpp"

#include "kube/core/resource_version.hpp"

namespace ingot::kube {

bool OwnWrites::Older::operator()(const Entry& a, const Entry& b) const {
  if (olderVersion(a.first, b.first)) return true;
  return a.first == b.first && a.second < b.second;
}

void OwnWrites::add(const ObjectKey& key, const std::string& version) {
  forget(key);
  versions_[key] = version;
  if (isNumericVersion(version))
    ordered_.emplace(version, key);
  else
    unordered_[key] = version;
}

void OwnWrites::forget(const ObjectKey& key) {
  const auto at = versions_.find(key);
  if (at == versions_.end()) return;
  ordered_.erase({at->second, key});
  unordered_.erase(key);
  versions_.erase(at);
}

std::vector<ObjectKey> OwnWrites::takeUpTo(std::string_view version) {
  std::vector<ObjectKey> taken;
  while (!ordered_.empty() && atLeastVersion(version, ordered_.begin()->first)) {
    taken.push_back(ordered_.begin()->second);
    forget(taken.back());
  }
  return taken;
}

std::vector<ObjectKey> OwnWrites::takeHeld(const std::function<std::string_view(const ObjectKey&)>& held) {
  std::vector<ObjectKey> taken;
  for (const auto& [key, version] : unordered_)
    if (held(key) == version) taken.push_back(key);
  for (const auto& key : taken) forget(key);
  return taken;
}

}  // namespace ingot::kube
