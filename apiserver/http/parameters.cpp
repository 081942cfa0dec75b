#include "apiserver/http/parameters.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kLongestManager = 128;

std::string quotedValue(std::string_view text) { return json::serialize(json::Value(text)); }

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
  throw invalidOptions(kind,
                       {unsupportedValue("fieldValidation", quotedValue(value), {"", "Ignore", "Strict", "Warn"})});
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
  causes.push_back(unsupportedValue("resourceVersionMatch", quotedValue(value), {"Exact", "NotOlderThan", ""}));
  throw invalidOptions(kind, std::move(causes));
}

Propagation propagation(const std::string& policy) {
  if (policy.empty()) return Propagation::unset;
  if (policy == "Background") return Propagation::background;
  if (policy == "Foreground") return Propagation::foreground;
  if (policy == "Orphan") return Propagation::orphan;
  throw invalidOptions("DeleteOptions", {unsupportedValue("propagationPolicy", quotedValue(policy),
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

// --- members of a DeleteOptions body: null is absent, another type never is ------------------------------------------

ApiError wrongType(std::string_view field, const json::Value& value, std::string_view type) {
  return badRequest(
      fmt::format("json: cannot unmarshal {} into Go struct field {} of type {}", json::kindName(value), field, type));
}

const json::Value* memberOf(const json::Value& object, std::string_view name) {
  const json::Value* found = object.is_object() ? object.get_object().if_contains(name) : nullptr;
  return found && !found->is_null() ? found : nullptr;
}

std::optional<std::string> textOf(const json::Value& object, std::string_view name, std::string_view field,
                                  std::string_view type = "string") {
  const json::Value* found = memberOf(object, name);
  if (!found) return std::nullopt;
  if (!found->is_string()) throw wrongType(field, *found, type);
  if (found->get_string().empty()) return std::nullopt;
  return std::string(found->get_string());
}

std::optional<bool> orphansOf(const json::Value& body) {
  const json::Value* found = memberOf(body, "orphanDependents");
  if (!found) return std::nullopt;
  if (!found->is_bool()) throw wrongType("DeleteOptions.orphanDependents", *found, "bool");
  return found->get_bool();
}

std::optional<std::vector<std::string>> dryRunsOf(const json::Value& body) {
  const json::Value* found = memberOf(body, "dryRun");
  if (!found) return std::nullopt;
  if (!found->is_array()) throw wrongType("DeleteOptions.dryRun", *found, "[]string");
  std::vector<std::string> out;
  for (const auto& one : found->get_array()) {
    if (!one.is_string()) throw wrongType("DeleteOptions.dryRun", one, "string");
    out.emplace_back(one.get_string());
  }
  return out;
}

void checkGracePeriod(const json::Value& body) {
  const json::Value* found = memberOf(body, "gracePeriodSeconds");
  if (found && !found->is_int64() && !found->is_uint64())
    throw wrongType("DeleteOptions.gracePeriodSeconds", *found, "int64");
}

// {uid, resourceVersion}; {} when there are none.
json::Value preconditionsOf(const json::Value& body) {
  const json::Value* found = memberOf(body, "preconditions");
  if (!found) return json::Object();
  if (!found->is_object()) throw wrongType("DeleteOptions.preconditions", *found, "v1.Preconditions");
  return *found;
}

std::optional<bool> orphansOf(const Query& query, const json::Value& body) {
  if (const auto flag = orphansOf(body)) return flag;
  if (!query.has("orphanDependents")) return std::nullopt;
  return query.get("orphanDependents").empty() || query.flag("orphanDependents");
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
  checkGracePeriod(body);
  auto dry = dryRunsOf(body);
  if (!dry && query.has("dryRun")) dry.emplace({query.get("dryRun")});
  out.dryRun = dry && dryRun(*dry, "DeleteOptions");
  const std::string policy =
      textOf(body, "propagationPolicy", "DeleteOptions.propagationPolicy", "v1.DeletionPropagation")
          .value_or(query.get("propagationPolicy"));
  out.propagation = propagation(policy);
  if (const auto orphan = orphansOf(query, body)) {
    if (!policy.empty())
      throw invalidOptions("DeleteOptions",
                           {invalidValue("propagationPolicy", quotedValue(policy),
                                         "orphanDependents and deletionPropagation cannot be both set")});
    out.propagation = *orphan ? Propagation::orphan : Propagation::background;
  }
  const json::Value preconditions = preconditionsOf(body);
  out.uid = textOf(preconditions, "uid", "Preconditions.preconditions.uid", "types.UID");
  out.resourceVersion = textOf(preconditions, "resourceVersion", "Preconditions.preconditions.resourceVersion");
  return out;
}

}  // namespace ingot::apiserver
