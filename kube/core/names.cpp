#include "kube/core/names.hpp"

#include <fmt/ranges.h>

namespace ingot::kube {
namespace {

bool lowerAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool alnum(char c) { return lowerAlnum(c) || (c >= 'A' && c <= 'Z'); }

bool isLabel(std::string_view text) {
  if (text.empty() || !lowerAlnum(text.front()) || !lowerAlnum(text.back())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return lowerAlnum(c) || c == '-'; });
}

bool isSubdomain(std::string_view text) {
  while (true) {
    const auto dot = text.find('.');
    if (!isLabel(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool isQualifiedPart(std::string_view text) {
  if (text.empty() || !alnum(text.front()) || !alnum(text.back())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return alnum(c) || c == '-' || c == '_' || c == '.'; });
}

constexpr const char* subdomainText =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr const char* labelText =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr const char* partText =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* valueText =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation "
    "is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

}  // namespace

std::optional<std::string> nameProblem(NameRule rule, std::string_view name) {
  switch (rule) {
    case NameRule::subdomain: return subdomainProblem(name);
    case NameRule::label: return labelNameProblem(name);
    case NameRule::pathSegment: return pathSegmentProblem(name);
  }
  return std::nullopt;
}

std::optional<std::string> subdomainProblem(std::string_view name) {
  if (name.size() > 253) return "must be no more than 253 bytes";
  if (!isSubdomain(name)) return subdomainText;
  return std::nullopt;
}

std::optional<std::string> pathSegmentProblem(std::string_view name) {
  if (name == "." || name == "..") return fmt::format("may not be '{}'", name);
  for (const char c : {'/', '%'})
    if (name.find(c) != std::string_view::npos) return fmt::format("may not contain '{}'", c);
  return std::nullopt;
}

std::optional<std::string> labelNameProblem(std::string_view name) {
  if (name.size() > 63) return "must be no more than 63 bytes";
  if (!isLabel(name)) return labelText;
  return std::nullopt;
}

std::vector<std::string> qualifiedNameProblems(std::string_view key) {
  std::vector<std::string> problems;
  const auto slash = key.find('/');
  std::string_view part = key;
  if (slash != std::string_view::npos) {
    part = key.substr(slash + 1);
    if (part.find('/') != std::string_view::npos) {
      return {
          fmt::format("a qualified name {} with an optional DNS subdomain prefix and '/' (e.g. "
                      "'example.com/MyName')",
                      std::string_view(partText).substr(std::string_view("name part ").size()))};
    }
    if (slash == 0)
      problems.emplace_back("prefix part must be non-empty");
    else if (const auto problem = subdomainProblem(key.substr(0, slash)))
      problems.push_back("prefix part " + *problem);
  }
  if (part.empty())
    problems.emplace_back("name part must be non-empty");
  else if (part.size() > 63)
    problems.emplace_back("name part must be no more than 63 bytes");
  if (!isQualifiedPart(part)) problems.emplace_back(partText);
  return problems;
}

std::optional<std::string> qualifiedNameProblem(std::string_view key) {
  const auto problems = qualifiedNameProblems(key);
  if (problems.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(problems, "; "));
}

std::optional<std::string> labelValueProblem(std::string_view value) {
  if (value.size() > 63) return "must be no more than 63 bytes";
  if (!value.empty() && !isQualifiedPart(value)) return valueText;
  return std::nullopt;
}

}  // namespace ingot::kube
