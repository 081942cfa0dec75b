// Label selectors as kinds carry them.
#pragma once

#include "json/describe.hpp"
#include "kube/core/label_term.hpp"

#include <map>
#include <string>
#include <vector>

namespace ingot::kube {

struct LabelRequirement {
  std::string key;
  std::string operator_;  // In | NotIn | Exists | DoesNotExist
  std::vector<std::string> values;

  static void describe(auto& v) {
    v.field("key", &LabelRequirement::key).required();
    v.field("operator", &LabelRequirement::operator_).required();
    v.field("values", &LabelRequirement::values).listType("atomic");
  }
  friend bool operator==(const LabelRequirement&, const LabelRequirement&) = default;
};

// Empty: matches everything.
struct LabelSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<LabelRequirement> matchExpressions;

  // Throws LabelError for what makes no sense.
  [[nodiscard]] std::vector<LabelTerm> terms() const;
  [[nodiscard]] bool matches(const std::map<std::string, std::string>& labels) const;
  // For ?labelSelector=: "a=b,c in (d,e),!f".
  [[nodiscard]] std::string text() const;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("matchLabels", &LabelSelector::matchLabels);
    v.field("matchExpressions", &LabelSelector::matchExpressions).listType("atomic");
  }
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

}  // namespace ingot::kube
