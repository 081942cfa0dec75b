#include "kube/core/selectors.hpp"

#include <fmt/ranges.h>

namespace ingot::kube {
namespace {

enum class Operator { in, notIn, exists, absent };

Operator operatorOf(const LabelRequirement& r) {
  if (r.operator_ == "In") return Operator::in;
  if (r.operator_ == "NotIn") return Operator::notIn;
  if (r.operator_ == "Exists") return Operator::exists;
  if (r.operator_ == "DoesNotExist") return Operator::absent;
  throw base::InvalidInput("matchExpressions", fmt::format("\"{}\" is not an operator", r.operator_));
}

bool holds(const LabelRequirement& r, const std::map<std::string, std::string>& labels) {
  const auto it = labels.find(r.key);
  const bool there = it != labels.end();
  const bool listed = there && std::ranges::find(r.values, it->second) != r.values.end();
  switch (operatorOf(r)) {
    case Operator::in: return listed;
    case Operator::notIn: return !listed;
    case Operator::exists: return there;
    case Operator::absent: return !there;
  }
  return false;
}

std::string spell(const LabelRequirement& r) {
  switch (operatorOf(r)) {
    case Operator::in: return fmt::format("{} in ({})", r.key, fmt::join(r.values, ","));
    case Operator::notIn: return fmt::format("{} notin ({})", r.key, fmt::join(r.values, ","));
    case Operator::exists: return r.key;
    case Operator::absent: return "!" + r.key;
  }
  return {};
}

}  // namespace

bool LabelSelector::matches(const std::map<std::string, std::string>& labels) const {
  for (const auto& [key, value] : matchLabels) {
    const auto it = labels.find(key);
    if (it == labels.end() || it->second != value) return false;
  }
  return std::ranges::all_of(matchExpressions, [&](const LabelRequirement& r) { return holds(r, labels); });
}

std::string LabelSelector::text() const {
  std::vector<std::string> terms;
  terms.reserve(matchLabels.size() + matchExpressions.size());
  for (const auto& [key, value] : matchLabels) terms.push_back(fmt::format("{}={}", key, value));
  for (const auto& r : matchExpressions) terms.push_back(spell(r));
  return fmt::format("{}", fmt::join(terms, ","));
}

}  // namespace ingot::kube
