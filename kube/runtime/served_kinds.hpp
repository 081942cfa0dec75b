// Which kinds the API does not serve as we know them, for who asks whether the process is ready.
#pragma once

#include "kube/runtime/cache_base.hpp"

#include <string>
#include <vector>

namespace ingot::kube {

class ServedKinds {
 public:
  // These caches outlive this, or the next call.
  void watch(std::vector<const CacheBase*> caches) { caches_ = std::move(caches); }
  void forget() { caches_.clear(); }

  // What is waited for, "" when nothing is: a kind that is served in other versions only, one that is needed, or one
  // that is served no more.
  [[nodiscard]] std::string waitedFor() const;
  // Kinds that are not installed, and need not be; "" when all are.
  [[nodiscard]] std::string notInstalled() const;
  struct Counts {
    std::size_t waitedFor = 0, notInstalled = 0;
  };
  [[nodiscard]] Counts counts() const;

 private:
  std::vector<const CacheBase*> caches_;
};

}  // namespace ingot::kube
