#include "apiserver/http/parameters.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kLongestManager = 128;

std::string quoted(std::string_view text) { return json::serialize(json::Value(text)); }

bool dryRun(const std::vector<std::string>& values, std::string_view kind) {
  for (const auto& value : values)
    if (value != "All")
      throw invalidOptions(
          kind, {unsupportedValue("dryRun", json::serialize(json::Array(values.begin(), values.end())), {"All"})});
  return !values.empty();
}

FieldValidation fieldValidation(const Query& query, std::string_view kind) {
  const std::string value = query.get("fieldValidation");
  if (value.empty() || value == "Warn") return FieldValidation::warn;
  if (value == "Strict") return FieldValidation::strict;
  if (value == "Ignore") return FieldValidation::ignore;
  throw invalidOptions(kind, {unsupportedValue("fieldValidation", quoted(value), {"", "Ignore", "Strict", "Warn"})});
}

VersionMatch versionMatch(const Query& query, std::string_view kind) {
  const std::string value = query.get("resourceVersionMatch");
  if (value.empty()) return VersionMatch::unset;
  if (value == "Exact") return VersionMatch::exact;
  if (value == "NotOlderThan") return VersionMatch::notOlderThan;
  std::vector<StatusCause> causes;
  if (query.get("resourceVersion").empty())
    causes.push_back(
        forbiddenValue("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  causes.push_back(unsupportedValue("resourceVersionMatch", quoted(value), {"Exact", "NotOlderThan", ""}));
  throw invalidOptions(kind, std::move(causes));
}

Propagation propagation(const std::string& policy) {
  if (policy.empty()) return Propagation::unset;
  if (policy == "Background") return Propagation::background;
  if (policy == "Foreground") return Propagation::foreground;
  if (policy == "Orphan") return Propagation::orphan;
  throw invalidOptions("DeleteOptions", {unsupportedValue("propagationPolicy", quoted(policy),
                                                          {"Foreground", "Background", "Orphan", "nil"})});
}

void checkBody(const json::Value& body) {
  if (body.is_null()) return;
  if (!body.is_object()) throw badRequest("the body of a deletion must be DeleteOptions");
  const std::string kind = json::textAt(body, {"kind"});
  if (!kind.empty() && kind != "DeleteOptions")
    throw badRequest(
        fmt::format("no kind \"{}\" is registered for version \"{}\" in scheme \"pkg/runtime/scheme.go:111\"", kind,
                    json::textAt(body, {"apiVersion"})));
}

std::optional<std::string> textOf(const json::Value& v, std::initializer_list<std::string_view> path) {
  const auto found = json::stringAt(v, path);
  if (!found || found->empty()) return std::nullopt;
  return std::string(*found);
}

}  // namespace

WriteOptions writeOptions(const Query& query, std::string_view kind, std::string_view user) {
  WriteOptions out;
  out.dryRun = query.has("dryRun") && dryRun({query.get("dryRun")}, kind);
  out.fieldValidation = fieldValidation(query, kind);
  out.fieldManager = query.get("fieldManager");
  out.user = user;
  if (out.fieldManager.size() > kLongestManager) throw invalidOptions(kind, {tooLong("fieldManager", kLongestManager)});
  if (kind == "PatchOptions" && query.has("force"))
    throw invalidOptions(kind, {forbiddenValue("force", "may not be specified for non-apply patch")});
  return out;
}

ListOptions listOptions(const Query& query) {
  if (query.has("sendInitialEvents"))
    throw invalidOptions("ListOptions",
                         {forbiddenValue("sendInitialEvents", "sendInitialEvents is forbidden for list")});
  ListOptions out;
  out.resourceVersion = query.get("resourceVersion");
  out.match = versionMatch(query, "ListOptions");
  out.limit = query.number("limit").value_or(0);
  out.continueToken = query.get("continue");
  out.labelSelector = query.get("labelSelector");
  out.fieldSelector = query.get("fieldSelector");
  return out;
}

WatchOptions watchOptions(const Query& query) {
  WatchOptions out;
  out.resourceVersion = query.get("resourceVersion");
  out.match = versionMatch(query, "ListOptions");
  if (query.has("sendInitialEvents")) out.sendInitialEvents = query.flag("sendInitialEvents");
  out.allowBookmarks = query.flag("allowWatchBookmarks");
  out.labelSelector = query.get("labelSelector");
  out.fieldSelector = query.get("fieldSelector");
  if (const auto seconds = query.number("timeoutSeconds"); seconds && *seconds > 0)
    out.timeout = std::chrono::seconds(std::min<std::int64_t>(*seconds, 86'400));
  return out;
}

DeleteOptions deleteOptions(const Query& query, const json::Value& body, std::string_view user) {
  checkBody(body);
  DeleteOptions out;
  out.user = user;
  std::vector<std::string> dry;
  if (const json::Array* all = json::arrayAt(body, {"dryRun"}))
    for (const auto& one : *all) dry.push_back(one.is_string() ? std::string(one.get_string()) : json::serialize(one));
  else if (query.has("dryRun"))
    dry.push_back(query.get("dryRun"));
  out.dryRun = dryRun(dry, "DeleteOptions");
  const std::string policy = textOf(body, {"propagationPolicy"}).value_or(query.get("propagationPolicy"));
  out.propagation = propagation(policy);
  if (const auto orphan = json::boolAt(body, {"orphanDependents"})) {
    if (!policy.empty())
      throw invalidOptions("DeleteOptions",
                           {invalidValue("propagationPolicy", quoted(policy),
                                         "orphanDependents and deletionPropagation cannot be both set")});
    out.propagation = *orphan ? Propagation::orphan : Propagation::background;
  }
  out.uid = textOf(body, {"preconditions", "uid"});
  out.resourceVersion = textOf(body, {"preconditions", "resourceVersion"});
  return out;
}

}  // namespace ingot::apiserver
