#include "coordinator/machine/host_selector.hpp"

#include "base/text.hpp"
#include "coordinator/machine/error.hpp"

#include <algorithm>

namespace ingot::coordinator::machine {

kube::LabelTerm requirementOn(const std::string& key, const std::string& how, std::vector<std::string> values) {
  try {
    return kube::labelTerm(key, how, std::move(values));
  } catch (const kube::LabelError& wrong) {
    throw MachineError(Problem::selector, wrong.what());
  }
}

namespace {

// Kubernetes writes DoesNotExist where upstream knows "!" alone.
std::string howOf(const std::string& wanted) {
  std::string how = base::lower(wanted);
  return how == "doesnotexist" ? "!" : how;
}

}  // namespace

HostSelector::HostSelector(const api::capm3::v1beta2::HostSelector& wanted) {
  for (const auto& [key, value] : wanted.matchLabels) terms_.push_back(requirementOn(key, "=", {value}));
  for (const auto& expression : wanted.matchExpressions)
    terms_.push_back(requirementOn(expression.key, howOf(expression.operator_), expression.values));
}

bool HostSelector::matches(const Labels& labels) const { return unmet(labels) == nullptr; }

std::string HostSelector::text() const {
  std::string out;
  for (const auto& term : terms_) out += (out.empty() ? "" : ",") + term.text();
  return out;
}

const kube::LabelTerm* HostSelector::unmet(const Labels& labels) const {
  const auto found = std::ranges::find_if_not(terms_, [&](const kube::LabelTerm& term) { return term.holds(labels); });
  return found == terms_.end() ? nullptr : &*found;
}

}  // namespace ingot::coordinator::machine
