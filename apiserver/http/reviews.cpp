#include "apiserver/http/reviews.hpp"

#include "apiserver/registry/errors.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::string_view kAll = "every authenticated user is an administrator of this server";

json::Object userInfo(const User& user) {
  return {{"username", user.name}, {"groups", json::Array(user.groups.begin(), user.groups.end())}};
}

json::Object everything() {
  const json::Array all{"*"};
  return {{"resourceRules", json::Array{json::Object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
          {"nonResourceRules", json::Array{json::Object{{"verbs", all}, {"nonResourceURLs", all}}}},
          {"incomplete", false}};
}

json::Object tokenStatus(const json::Value& review, const std::vector<BearerToken>& tokens) {
  const auto user = userOf(json::textAt(review, {"spec", "token"}), tokens);
  if (!user) return {{"user", json::Object()}, {"error", "invalid bearer token"}};
  return {{"authenticated", true}, {"user", userInfo(*user)}};
}

std::vector<std::string> groupsOf(const json::Value& review) {
  std::vector<std::string> out;
  if (const json::Array* all = json::arrayAt(review, {"spec", "groups"}))
    for (const auto& one : *all)
      if (one.is_string()) out.emplace_back(one.get_string());
  return out;
}

bool isHealthCheck(const json::Value& review) {
  const std::string path = json::textAt(review, {"spec", "nonResourceAttributes", "path"});
  const std::string verb = json::textAt(review, {"spec", "nonResourceAttributes", "verb"});
  return verb == "get" && (path == "/livez" || path == "/readyz");
}

ApiError ofNobody() {
  ResourceInfo info;
  info.group = "authorization.k8s.io";
  info.kind = "SubjectAccessReview";
  return invalid(info, "", {invalidValue("spec.user", R"("")", "at least one of user or group must be specified")});
}

// Of somebody who does not ask himself, only what the review says of him is known.
json::Object subjectStatus(const json::Value& review) {
  const std::string name = json::textAt(review, {"spec", "user"});
  const auto groups = groupsOf(review);
  if (name.empty() && groups.empty()) throw ofNobody();
  const auto in = [&](std::string_view group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  };
  const bool anonymous = name == "system:anonymous" || in("system:unauthenticated");
  if (!anonymous && (in("system:authenticated") || in("system:masters"))) return {{"allowed", true}, {"reason", kAll}};
  if (isHealthCheck(review)) return {{"allowed", true}, {"reason", "health checks are open to all"}};
  return {{"allowed", false}, {"reason", "only authenticated users (group system:authenticated) have rights here"}};
}

json::Object statusOf(std::string_view kind, const json::Value& review, const User& user,
                      const std::vector<BearerToken>& tokens) {
  if (kind == "SelfSubjectReview") return {{"userInfo", userInfo(user)}};
  if (kind == "TokenReview") return tokenStatus(review, tokens);
  if (kind == "SelfSubjectRulesReview") return everything();
  if (kind != "SelfSubjectAccessReview") return subjectStatus(review);
  return {{"allowed", true}, {"reason", kAll}};
}

}  // namespace

json::Value answerReview(std::string_view kind, json::Value review, const User& user,
                         const std::vector<BearerToken>& tokens) {
  json::Object out{{"kind", kind}, {"apiVersion", json::textAt(review, {"apiVersion"})}, {"metadata", json::Object()}};
  if (const json::Value* spec = json::find(review, {"spec"})) out["spec"] = *spec;
  out["status"] = statusOf(kind, review, user, tokens);
  return out;
}

}  // namespace ingot::apiserver
