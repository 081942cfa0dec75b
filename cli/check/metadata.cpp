#include "cli/check/breach_words.hpp"
#include "cli/check/structure.hpp"
#include "kube/core/metadata_rules.hpp"

namespace ingot::cli {
namespace {

constexpr std::size_t kLongestName = 253;

// The rule for names in fewer words than Kubernetes uses.
std::string nameProblem(const std::string& name) {
  if (name.size() > kLongestName)
    return fmt::format("must have at most {} characters, has {}", kLongestName, name.size());
  return shownValue(json::Value(name)) +
         ": must be lower-case letters, digits, \"-\" and \".\", with a letter or digit at both ends";
}

std::string withoutHead(const std::string& message) {
  constexpr std::string_view kHead = "Invalid value: ";
  return message.starts_with(kHead) ? message.substr(kHead.size()) : message;
}

}  // namespace

std::vector<Complaint> metadataComplaints(const json::Value& object) {
  const json::Object* metadata = json::objectAt(object, {"metadata"});
  if (!metadata) return {};
  std::vector<Complaint> out;
  std::vector<std::string> untold;
  for (const kube::StatusCause& cause : kube::validateMetadata(*metadata, kube::NameRule::subdomain, untold))
    out.push_back({cause.field, cause.field == "metadata.name" ? nameProblem(json::textAt(object, {"metadata", "name"}))
                                                               : withoutHead(cause.message)});
  return out;
}

}  // namespace ingot::cli
