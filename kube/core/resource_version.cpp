#include "kube/core/resource_version.hpp"

#include <algorithm>

namespace ingot::kube {
namespace {

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool olderVersion(std::string_view a, std::string_view b) {
  if (!isNumber(a) || !isNumber(b)) return false;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool atLeastVersion(std::string_view seen, std::string_view wanted) {
  return seen == wanted || olderVersion(wanted, seen);
}

}  // namespace ingot::kube
