// Our own writes that a watch has not told of yet: what a cache holds of these keys is known to be old. Looked at for
// each event of a watch, so the look must not cost more when more writes are on their way.
#pragma once

#include "kube/core/object_key.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::kube {

class OwnWrites {
 public:
  // Our last write of this key was answered with this version.
  void add(const ObjectKey& key, const std::string& version);
  void forget(const ObjectKey& key);
  [[nodiscard]] bool contains(const ObjectKey& key) const { return versions_.contains(key); }

  // The watch has told of everything up to `version`. Returns, and forgets, the keys whose last write was among it.
  [[nodiscard]] std::vector<ObjectKey> takeUpTo(std::string_view version);
  // The same for writes whose versions have no order: `held` says which version of a key is known now.
  [[nodiscard]] std::vector<ObjectKey> takeHeld(const std::function<std::string_view(const ObjectKey&)>& held);

 private:
  using Entry = std::pair<std::string, ObjectKey>;
  struct Older {
    bool operator()(const Entry& a, const Entry& b) const;
  };
  std::map<ObjectKey, std::string> versions_;
  std::set<Entry, Older> ordered_;              // those whose versions are numbers, the oldest first
  std::map<ObjectKey, std::string> unordered_;  // the others
};

}  // namespace ingot::kube
