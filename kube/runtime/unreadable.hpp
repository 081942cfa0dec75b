// Objects that the API server holds and cannot read. They are in no list and no watch, and nobody deleted them: what is
// theirs is not free. Only an API server in this process can tell (the embedded one).
#pragma once

#include "kube/core/kind.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <set>
#include <string>

namespace ingot::kube {

class Unreadable {
 public:
  void add(const std::string& resource, ObjectKey key) { keys_[resource].insert(std::move(key)); }

  template <class T>
  [[nodiscard]] const std::set<ObjectKey>& of() const {
    static const std::set<ObjectKey> none;
    const auto found = keys_.find(T::info.resource());
    return found == keys_.end() ? none : found->second;
  }
  template <class T>
  [[nodiscard]] bool has(const ObjectKey& key) const {
    return of<T>().contains(key);
  }

 private:
  std::map<std::string, std::set<ObjectKey>> keys_;  // by "baremetalhosts.metal3.io"
};

}  // namespace ingot::kube
