// How much of workload clusters is kept: what their APIs tell is the choice of whoever runs them. Each has a bound of
// its own, and all of them together one.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace ingot::coordinator::shadow {

class ClusterRoom {
 public:
  ClusterRoom(std::size_t mostOfOne, std::size_t mostOfAll) : mostOfOne_(mostOfOne), mostOfAll_(mostOfAll) {}

  [[nodiscard]] bool has(const std::string& cluster, std::size_t bytes) const;
  // So many bytes instead of so many. false: they do not fit, and nothing has changed. The management cluster, "", has
  // all room.
  [[nodiscard]] bool take(const std::string& cluster, std::size_t before, std::size_t after);
  void free(const std::string& cluster, std::size_t bytes);

 private:
  std::size_t mostOfOne_, mostOfAll_, sum_ = 0;
  std::map<std::string, std::size_t> taken_;
};

}  // namespace ingot::coordinator::shadow
