#include "api/verdict.hpp"

namespace ingot::api {

std::string Verdict::message() const {
  std::vector<std::string> different;
  for (const auto& error : errors)
    if (std::ranges::find(different, error) == different.end()) different.push_back(error);
  if (different.size() <= 1) return different.empty() ? "" : different.front();
  std::string all;
  for (const auto& error : different) all += (all.empty() ? "[" : ", ") + error;
  return all + "]";
}

}  // namespace ingot::api
