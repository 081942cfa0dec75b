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

  // What is waited for, "" when nothing is: a kind that is served in other versions only, or one that is needed.
  [[nodiscard]] std::string obstacle() const;
  // Kinds that are not installed, and need not be; "" when all are.
  [[nodiscard]] std::string notInstalled() const;

 private:
  std::vector<const CacheBase*> caches_;
};

}  // namespace ingot::kube
