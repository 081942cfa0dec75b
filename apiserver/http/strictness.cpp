#include "apiserver/http/strictness.hpp"

#include "apiserver/schema/schema_rules.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::string_view kStrict = "strict decoding error: ";

void insert(std::string& text, const std::string& more) {
  if (const auto at = text.find(kStrict); at != std::string::npos) text.insert(at + kStrict.size(), more + ", ");
}

}  // namespace

std::vector<std::string> duplicateWarnings(const std::vector<std::string>& duplicates) {
  std::vector<std::string> out;
  out.reserve(duplicates.size());
  for (const auto& path : duplicates) out.push_back("duplicate field \"" + path + "\"");
  return out;
}

ApiError duplicateRefusal(const ResourceInfo& info, const std::string& version, std::string_view body,
                          const std::vector<std::string>& duplicates, bool patch, std::optional<Status> other) {
  std::vector<std::string> problems = duplicateWarnings(duplicates);
  if (other && other->message.find(kStrict) != std::string::npos) {
    // Go's decoder into structs reports a repeated member only when the struct knows it.
    if (!info.custom)
      std::erase_if(problems, [&](const std::string& text) {
        return other->message.find("unknown " + text.substr(text.find("field"))) != std::string::npos;
      });
    if (problems.empty()) return ApiError(std::move(*other));
    insert(other->message, fmt::format("{}", fmt::join(problems, ", ")));
    if (other->details)
      for (auto& cause : other->details->causes) insert(cause.message, fmt::format("{}", fmt::join(problems, ", ")));
    return ApiError(std::move(*other));
  }
  if (other) return ApiError(std::move(*other));
  return patch ? strictPatchError(body, problems) : strictDecodingError(info.kind, version, problems);
}

}  // namespace ingot::apiserver
