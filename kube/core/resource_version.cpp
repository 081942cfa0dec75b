#include "kube/core/resource_version.hpp"

#include <algorithm>

namespace ingot::kube {

bool isNumericVersion(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool olderVersion(std::string_view a, std::string_view b) {
  if (!isNumericVersion(a) || !isNumericVersion(b)) return false;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool atLeastVersion(std::string_view seen, std::string_view wanted) {
  return seen == wanted || olderVersion(wanted, seen);
}

}  // namespace ingot::kube
