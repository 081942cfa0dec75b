#include "kube/core/label_term.hpp"

#include "kube/core/causes.hpp"
#include "kube/core/names.hpp"

#include <fmt/ranges.h>

#include <charconv>

namespace ingot::kube {

namespace {

using Op = LabelTerm::Op;

enum class Count : std::uint8_t { some, none, one, oneNumber };

struct Rule {
  std::string_view how;
  Op op;
  Count count;
};

constexpr Rule kRules[] = {
    // in the order in which they are listed to people
    {"in", Op::in, Count::some},        {"notin", Op::notIn, Count::some},   {"=", Op::in, Count::one},
    {"==", Op::in, Count::one},         {"!=", Op::notIn, Count::one},       {"gt", Op::greater, Count::oneNumber},
    {"lt", Op::less, Count::oneNumber}, {"exists", Op::exists, Count::none}, {"!", Op::absent, Count::none},
};

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

StatusCause unsupported(std::string_view how) {
  std::vector<std::string> known;
  for (const Rule& rule : kRules) known.emplace_back(rule.how);
  return unsupportedValue("operator", jsonText(how), known);
}

void checkCount(std::vector<StatusCause>& causes, Count count, const std::vector<std::string>& values) {
  const auto refuse = [&](std::string_view why) {
    const json::Array shown(values.begin(), values.end());
    causes.push_back(invalidValue("values", json::serialize(shown), why));
  };
  switch (count) {
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
          causes.push_back(invalidValue(fmt::format("values[{}]", i), jsonText(values[i]),
                                        "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
}

std::vector<StatusCause> problems(const std::string& key, std::string_view how, const Rule* rule,
                                  const std::vector<std::string>& values) {
  std::vector<StatusCause> causes;
  if (const auto problem = qualifiedNameProblem(key)) causes.push_back(invalidValue("key", jsonText(key), *problem));
  if (rule)
    checkCount(causes, rule->count, values);
  else
    causes.push_back(unsupported(how));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto problem = labelValueProblem(values[i]))
      causes.push_back(invalidValue(fmt::format("values[{}][{}]", i, key), jsonText(values[i]), *problem));
  return causes;
}

}  // namespace

bool LabelTerm::holds(const std::string* value) const {
  const auto isListed = [&] { return std::ranges::find(values, *value) != values.end(); };
  switch (op) {
    case Op::in: return value && isListed();
    case Op::notIn: return !value || !isListed();
    case Op::exists: return value != nullptr;
    case Op::absent: return value == nullptr;
    case Op::greater:
    case Op::less: break;
  }
  const auto number = value ? wholeNumber(*value) : std::nullopt;
  return number && (op == Op::greater ? *number > bound : *number < bound);
}

bool LabelTerm::holds(const std::map<std::string, std::string>& labels) const {
  const auto label = labels.find(key);
  return holds(label == labels.end() ? nullptr : &label->second);
}

std::string LabelTerm::text() const {
  switch (op) {
    case Op::in:
      if (values.size() == 1) return fmt::format("{}={}", key, values.front());
      return fmt::format("{} in ({})", key, fmt::join(values, ","));
    case Op::notIn: return fmt::format("{} notin ({})", key, fmt::join(values, ","));
    case Op::exists: return key;
    case Op::absent: return "!" + key;
    case Op::greater: return fmt::format("{}>{}", key, bound);
    case Op::less: return fmt::format("{}<{}", key, bound);
  }
  return "";
}

LabelTerm labelTerm(std::string key, std::string_view how, std::vector<std::string> values) {
  const Rule* found = std::ranges::find(kRules, how, &Rule::how);
  const Rule* rule = found == std::end(kRules) ? nullptr : found;
  const auto wrong = problems(key, how, rule, values);
  if (rule == nullptr || !wrong.empty()) throw LabelError(inOneLine(wrong));
  LabelTerm term{.key = std::move(key), .op = rule->op, .values = std::move(values)};
  if (rule->count == Count::oneNumber) term.bound = *wholeNumber(term.values.front());
  return term;
}

}  // namespace ingot::kube
