// Keeps a map of weak pointers from growing with what is gone.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ingot::bmc {

class ExpiredSweep {
 public:
  // To be called before an entry is added. Those that are gone are looked for when there are twice as many entries as
  // were left the last time, so that an entry costs the same however many there are.
  void before(auto& entries) {
    if (entries.size() < at_) return;
    std::erase_if(entries, [](const auto& entry) { return entry.second.expired(); });
    at_ = std::max<std::size_t>(2 * entries.size(), smallest);
  }

 private:
  static constexpr std::size_t smallest = 64;
  std::size_t at_ = 0;  // entries
};

}  // namespace ingot::bmc
