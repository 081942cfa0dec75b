#include "apiserver/http/reviews.hpp"

namespace ingot::apiserver {

namespace {

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

json::Object statusOf(std::string_view kind, const json::Value& review, const User& user,
                      const std::vector<BearerToken>& tokens) {
  if (kind == "SelfSubjectReview") return {{"userInfo", userInfo(user)}};
  if (kind == "TokenReview") return tokenStatus(review, tokens);
  if (kind == "SelfSubjectRulesReview") return everything();
  return {{"allowed", true}, {"reason", "every authenticated user is an administrator of this server"}};
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
