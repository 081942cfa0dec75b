#include "coordinator/machine/label_rules.hpp"

#include "api/field_errors.hpp"
#include "coordinator/machine/error.hpp"
#include "kube/core/causes.hpp"
#include "kube/core/names.hpp"

#include "api/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ingot::coordinator::machine {

namespace {

enum class Count : std::uint8_t { any, some, none, one, oneNumber };

struct Rule {
  std::string_view how;
  Count count;
};

constexpr Rule kRules[] = {
    // in the order in which they are listed to people
    {"in", Count::some},      {"notin", Count::some},   {"=", Count::one},       {"==", Count::one}, {"!=", Count::one},
    {"gt", Count::oneNumber}, {"lt", Count::oneNumber}, {"exists", Count::none}, {"!", Count::none},
};

std::string unsupported(const std::string& how) {
  std::vector<std::string> known;
  for (const Rule& rule : kRules) known.push_back(fmt::format("\"{}\"", rule.how));
  return fmt::format("operator: Unsupported value: {}: supported values: {}", kube::jsonText(how),
                     fmt::join(known, ", "));
}

void checkCount(api::FieldErrors& errors, Count count, const std::vector<std::string>& values) {
  json::Array shown;
  for (const auto& value : values) shown.emplace_back(value);
  const auto refuse = [&](std::string_view why) { errors.invalidObject("values", shown, why); };
  switch (count) {
    case Count::any: return;
    case Count::some:
      if (values.empty()) refuse("for 'in', 'notin' operators, values set can't be empty");
      return;
    case Count::none:
      if (!values.empty()) refuse("values set must be empty for exists and does not exist");
      return;
    case Count::one:
      if (values.size() != 1) refuse("exact-match compatibility requires one single value");
      return;
    case Count::oneNumber:
      if (values.size() != 1) refuse("for 'Gt', 'Lt' operators, exactly one value is required");
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!wholeNumber(values[i]))
          errors.invalid(fmt::format("values[{}]", i), values[i],
                         "for 'Gt', 'Lt' operators, the value must be an integer");
  }
}

}  // namespace

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void checkRequirement(const std::string& key, const std::string& how, const std::vector<std::string>& values) {
  api::FieldErrors ofKey, ofValues;
  if (const auto problem = kube::qualifiedNameProblem(key)) ofKey.invalid("key", key, *problem);
  const auto* rule = std::ranges::find(kRules, how, &Rule::how);
  const bool known = rule != std::end(kRules);
  checkCount(ofValues, known ? rule->count : Count::any, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto problem = kube::labelValueProblem(values[i]))
      ofValues.invalid(fmt::format("values[{}][{}]", i, key), values[i], *problem);

  api::Verdict all;
  for (const auto& error : ofKey.all()) all.errors.push_back(error.field + ": " + error.message);
  if (!known) all.errors.push_back(unsupported(how));
  for (const auto& error : ofValues.all()) all.errors.push_back(error.field + ": " + error.message);
  if (!all.allowed()) throw MachineError(Problem::selector, all.message());
}

}  // namespace ingot::coordinator::machine
