#include "coordinator/machine/host_selector.hpp"

#include "coordinator/machine/label_rules.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

namespace {

std::string lowered(std::string text) {
  for (char& c : text)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

HostSelector::HostSelector(const api::capm3::v1beta2::HostSelector& wanted) {
  for (const auto& [key, value] : wanted.matchLabels) require(key, "=", {value});
  for (const auto& expression : wanted.matchExpressions)
    require(expression.key, lowered(expression.operator_), expression.values);
}

void HostSelector::require(const std::string& key, const std::string& how, const std::vector<std::string>& values) {
  checkRequirement(key, how, values);
  constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"in", Operator::in},   {"notin", Operator::notIn},   {"=", Operator::in},
      {"==", Operator::in},   {"!=", Operator::notIn},      {"gt", Operator::greater},
      {"lt", Operator::less}, {"exists", Operator::exists}, {"!", Operator::absent},
  };
  const auto* known = std::ranges::find(kOperators, how, &std::pair<std::string_view, Operator>::first);
  Requirement requirement{.key = key, .how = known->second, .values = {values.begin(), values.end()}, .bound = 0};
  if (!values.empty()) requirement.bound = wholeNumber(values.front()).value_or(0);
  requirements_.push_back(std::move(requirement));
}

bool HostSelector::matches(const Labels& labels) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& r) { return r.holds(labels); });
}

bool HostSelector::Requirement::holds(const Labels& labels) const {
  const auto label = labels.find(key);
  const bool has = label != labels.end();
  switch (how) {
    case Operator::in: return has && values.contains(label->second);
    case Operator::notIn: return !has || !values.contains(label->second);
    case Operator::exists: return has;
    case Operator::absent: return !has;
    case Operator::greater:
    case Operator::less: break;
  }
  const auto value = has ? wholeNumber(label->second) : std::nullopt;
  return value && (how == Operator::greater ? *value > bound : *value < bound);
}

}  // namespace ingot::coordinator::machine
