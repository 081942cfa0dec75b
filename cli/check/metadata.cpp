#include "cli/check/metadata.hpp"

#include "cli/check/scalars.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::cli {
namespace {

constexpr std::size_t kLongestName = 253;

bool isNameEdge(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// A DNS subdomain: labels between dots, each beginning and ending with a letter or digit.
bool isSubdomain(std::string_view name) {
  bool wantsEdge = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool isLast = i + 1 == name.size() || name[i + 1] == '.';
    const bool fits =
        isNameEdge(c) || (c == '-' && !wantsEdge && !isLast) || (c == '.' && !wantsEdge && i + 1 < name.size());
    if (!fits) return false;
    wantsEdge = c == '.';
  }
  return !name.empty();
}

std::string nameProblem(const std::string& name) {
  if (name.size() > kLongestName)
    return fmt::format("must have at most {} characters, has {}", kLongestName, name.size());
  if (isSubdomain(name)) return "";
  return shownValue(json::Value(name)) +
         ": must be lower-case letters, digits, \"-\" and \".\", with a letter or digit at both ends";
}

}  // namespace

std::vector<Complaint> metadataComplaints(const json::Value& object) {
  std::vector<Complaint> out;
  try {
    if (const json::Value* metadata = json::find(object, {"metadata"}))
      static_cast<void>(json::decode<kube::ObjectMeta>(*metadata));
  } catch (const json::DecodeError& bad) {
    out.push_back({"metadata" + (bad.path().empty() ? "" : "." + bad.path()), bad.problem()});
  }
  if (auto problem = nameProblem(json::textAt(object, {"metadata", "name"})); !problem.empty())
    out.push_back({"metadata.name", std::move(problem)});
  return out;
}

}  // namespace ingot::cli
