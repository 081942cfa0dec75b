// Admission of HostClaims (spec/baremetalhost.md §4.3).
#include "api/bmh/rules/rules.hpp"
#include "api/metal3/admission.hpp"
#include "base/url_text.hpp"
#include "kube/core/names.hpp"

namespace ingot::api {

namespace {

using Errors = std::vector<std::string>;

void checkLabels(const std::map<std::string, std::string>& labels, Errors& errors) {
  for (const auto& [key, value] : labels) {
    for (const auto& problem : {kube::qualifiedNameProblem(key), kube::labelValueProblem(value)})
      if (problem) errors.push_back(fmt::format("{}={}: {}", key, value, *problem));
  }
}

enum class Takes : std::uint8_t { one, some, none };

struct Operator {
  std::string_view name;
  Takes takes;
};

// Unlike those of a Metal3Machine they are compared as they are written.
constexpr Operator kOperators[] = {{"=", Takes::one},   {"==", Takes::one},     {"!=", Takes::one},
                                   {"in", Takes::some}, {"notin", Takes::some}, {"exists", Takes::none},
                                   {"!", Takes::none}};

// "" when the operator takes that many values.
std::string_view countProblem(Takes takes, std::size_t count) {
  switch (takes) {
    case Takes::one: return count == 1 ? "" : "exactly one value for";
    case Takes::some: return count > 0 ? "" : "At least one value in list for";
    case Takes::none: return count == 0 ? "" : "values not authorized for";
  }
  return "";
}

// `head`: "matchExpr 1".
void checkRequirement(const std::string& head, const HostClaimRequirement& wanted, Errors& errors) {
  const auto refuse = [&](std::string_view what, std::string_view noun) {
    errors.push_back(fmt::format("{}: {} {} {} in match expression on label key {}", head, what, noun, wanted.operator_,
                                 wanted.key));
  };
  if (const auto problem = kube::qualifiedNameProblem(wanted.key))
    errors.push_back(fmt::format("{}: {}", head, *problem));
  const auto* known = std::ranges::find(kOperators, wanted.operator_, &Operator::name);
  if (known == std::end(kOperators)) return refuse("invalid", "operation");
  if (const auto problem = countProblem(known->takes, wanted.values.size()); !problem.empty())
    return refuse(problem, "operator");
  for (const std::string& value : wanted.values)
    if (const auto problem = kube::labelValueProblem(value))
      errors.push_back(fmt::format("{} (value {}): {}", head, base::url_text::quoted(value), *problem));
}

}  // namespace

Verdict admitCreate(const HostClaim& claim) {
  const HostClaimSpec& spec = claim.spec;
  Verdict out;
  rules::secretsOfOtherNamespaces(
      HostClaim::info.plural, claim.metadata,
      {{"userData", spec.userData}, {"networkData", spec.networkData}, {"metaData", spec.metaData}}, out.errors);
  checkLabels(spec.hostSelector.matchLabels, out.errors);
  for (std::size_t i = 0; i < spec.hostSelector.matchExpressions.size(); ++i)
    checkRequirement(fmt::format("matchExpr {}", i + 1), spec.hostSelector.matchExpressions[i], out.errors);
  for (const auto& [key, text] : claim.metadata.annotations)
    if (rules::isRebootAnnotation(key)) rules::rebootAnnotation(text, out.errors);
  rules::image(spec.image, out.errors);
  return out;
}

Verdict admitUpdate(const HostClaim&, const HostClaim& after) { return admitCreate(after); }

}  // namespace ingot::api
