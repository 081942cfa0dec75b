// One requirement on an object's labels, checked in the words of Kubernetes (spec/kubernetes-api.md §6.5).
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

// A requirement that makes no sense; the text is upstream's.
class LabelError final : public base::Error {
 public:
  using Error::Error;
};

struct LabelTerm {
  enum class Op : std::uint8_t { in, notIn, exists, absent, greater, less };

  std::string key;
  Op op = Op::exists;
  std::vector<std::string> values;
  std::int64_t bound = 0;  // of greater and less

  // nullptr: the object has no such label.
  [[nodiscard]] bool holds(const std::string* value) const;
  [[nodiscard]] bool holds(const std::map<std::string, std::string>& labels) const;
  // "zone in (a,b)", "!old": as a query has it.
  [[nodiscard]] std::string text() const;
};

// `how`: in, notin, =, ==, !=, gt, lt, exists or !. Throws LabelError with all that is wrong.
[[nodiscard]] LabelTerm labelTerm(std::string key, std::string_view how, std::vector<std::string> values);

// The terms of a query, all of which must hold: "k", "!k", "k=v", "k!=v", "k in (a,b)", "k>5". Throws LabelError.
[[nodiscard]] std::vector<LabelTerm> parseLabelQuery(std::string_view text);

}  // namespace ingot::kube
