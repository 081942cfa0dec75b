// Which objects of a cache go with a key of another kind: the claims of a pool, the hosts of a Secret. Kept by the
// cache's changes, read without a look at any other object.
//   Index<IPClaim> claimsOf{claims, [](const IPClaim& claim) { return std::vector{poolOf(claim)}; }};
#pragma once

#include "kube/runtime/cache.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ingot::kube {

template <Kind T, class By = ObjectKey>
class Index {
 public:
  // What an object goes with; any number of keys. Depends on the object alone.
  using KeysOf = std::function<std::vector<By>(const T&)>;

  // Made before whatever reads it listens to the same cache, so that it is told first. Objects that the cache holds
  // already are entered at once.
  Index(Cache<T>& cache, KeysOf keysOf) : keysOf_(std::move(keysOf)) {
    for (const auto& object : cache.all()) enter(object->metadata.key(), *object);
    subscription_ = cache.listen([this](const typename Cache<T>::Change& change) {
      if (change.before) strike(change.key, *change.before);
      if (change.after) enter(change.key, *change.after);
    });
  }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  // In order; empty when there is none. Good until the cache changes.
  [[nodiscard]] const std::set<ObjectKey>& find(const By& by) const {
    static const std::set<ObjectKey> none;
    const auto at = objects_.find(by);
    return at == objects_.end() ? none : at->second;
  }
  // The same, for those who change the cache while they read.
  [[nodiscard]] std::vector<ObjectKey> copy(const By& by) const {
    const auto& found = find(by);
    return {found.begin(), found.end()};
  }
  [[nodiscard]] bool empty() const { return objects_.empty(); }

 private:
  void enter(const ObjectKey& object, const T& value) {
    for (auto& by : keysOf_(value)) objects_[std::move(by)].insert(object);
  }
  void strike(const ObjectKey& object, const T& value) {
    for (const auto& by : keysOf_(value)) {
      const auto at = objects_.find(by);
      if (at == objects_.end()) continue;
      at->second.erase(object);
      if (at->second.empty()) objects_.erase(at);
    }
  }

  KeysOf keysOf_;
  std::map<By, std::set<ObjectKey>> objects_;
  Subscription subscription_;
};

}  // namespace ingot::kube
