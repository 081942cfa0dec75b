#include "kube/core/selectors.hpp"

#include <fmt/ranges.h>

namespace ingot::kube {
namespace {

// As a requirement's operator is written in a kind, and as labelTerm() has it.
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"In", "in"}, {"NotIn", "notin"}, {"Exists", "exists"}, {"DoesNotExist", "!"}};

std::string_view howOf(const LabelRequirement& r) {
  for (const auto& [written, how] : kOperators)
    if (r.operator_ == written) return how;
  throw LabelError(fmt::format("\"{}\" is not a valid label selector operator", r.operator_));
}

}  // namespace

std::vector<LabelTerm> LabelSelector::terms() const {
  std::vector<LabelTerm> terms;
  terms.reserve(matchLabels.size() + matchExpressions.size());
  for (const auto& [key, value] : matchLabels) terms.push_back(labelTerm(key, "=", {value}));
  for (const auto& r : matchExpressions) terms.push_back(labelTerm(r.key, howOf(r), r.values));
  return terms;
}

bool LabelSelector::matches(const std::map<std::string, std::string>& labels) const {
  return std::ranges::all_of(terms(), [&](const LabelTerm& term) { return term.holds(labels); });
}

std::string LabelSelector::text() const {
  std::vector<std::string> texts;
  for (const LabelTerm& term : terms()) texts.push_back(term.text());
  return fmt::format("{}", fmt::join(texts, ","));
}

}  // namespace ingot::kube
