#include "coordinator/shadow/answer.hpp"

#include "apiserver/registry/status.hpp"
#include "json/patch.hpp"
#include "kube/core/undecoded.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::shadow {
namespace {

net::HttpResponse reply(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

std::optional<json::Value> bodyOf(const net::HttpRequest& request) {
  try {
    return json::parse(request.body);
  } catch (const json::ParseError&) {
    return std::nullopt;
  }
}

Decision decisionOn(const ObjectId& object, const json::Value& before, const json::Value& after, std::string verb,
                    const Given& given) {
  Decision decision{.verb = std::move(verb),
                    .object = object,
                    .kind = json::textAt(after.is_object() ? after : before, {"kind"}),
                    .version = kube::resourceVersionOf(before)};
  json::Value was = before, is = after;
  hideSecrets(was, given.salt);
  hideSecrets(is, given.salt);
  keepCompared(was, object.resource);
  keepCompared(is, object.resource);
  const auto fieldsBefore = boundedFieldsOf(was), fieldsAfter = boundedFieldsOf(is);
  if (fieldsBefore && fieldsAfter)  // else the book keeps no version of it either
    decision.fields = changes(*fieldsBefore, *fieldsAfter);
  decision.reason = reasonIn(before, after);
  return decision;
}

Answered created(const net::HttpRequest& request, const ObjectId& object, bool isThere, const Given& given) {
  if (isThere) return {refusal(409, "AlreadyExists", object.text() + " already exists"), std::nullopt};
  auto body = bodyOf(request);
  if (!body || !body->is_object()) return {refusal(400, "BadRequest", "the body is no object"), std::nullopt};
  Decision decision = decisionOn(object, json::Object(), *body, "create", given);
  decision.fields.insert(decision.fields.begin(), {std::string(itself), std::nullopt, "true"});
  if (const auto* owners = json::arrayAt(*body, {"metadata", "ownerReferences"}))
    for (const auto& owner : *owners)
      decision.owners.emplace_back(json::textAt(owner, {"kind"}), json::textAt(owner, {"name"}));
  auto& metadata = json::makeObjectAt(*body, {"metadata"});
  metadata["uid"] = given.uid;
  metadata["resourceVersion"] = "1";  // no cache waits for it
  metadata["generation"] = 1;
  metadata["creationTimestamp"] = base::formatTime(given.now);
  if (!object.key.namespace_.empty()) metadata["namespace"] = object.key.namespace_;
  if (object.key.name.empty())
    metadata["name"] = json::textAt(*body, {"metadata", "generateName"}) + given.uid.substr(24);
  return {reply(201, *body), std::move(decision)};
}

Answered deleted(const ObjectId& object, const json::Value& there, const Given& given) {
  json::Value after = there;
  auto& metadata = json::makeObjectAt(after, {"metadata"});
  if (!metadata.contains("deletionTimestamp")) metadata["deletionTimestamp"] = base::formatTime(given.now);
  auto decision = decisionOn(object, there, after, "delete", given);
  return {reply(200, after), std::move(decision)};
}

// The part that a subresource has, or has not.
void keepOthersAsTheyAre(json::Value& after, const json::Value& before, const std::string& subresource) {
  const json::Value* status = json::find(before, {"status"});
  if (subresource == "status") {
    json::Value whole = before;
    const json::Value* wanted = json::find(after, {"status"});
    if (wanted != nullptr)
      whole.as_object()["status"] = *wanted;
    else
      whole.as_object().erase("status");
    after = std::move(whole);
  } else if (status != nullptr) {
    after.as_object()["status"] = *status;
  } else {
    after.as_object().erase("status");
  }
}

Answered changed(const net::HttpRequest& request, const ObjectId& object, const std::string& subresource,
                 const json::Value& there, const Given& given) {
  auto body = bodyOf(request);
  if (!body) return {refusal(400, "BadRequest", "the body is no JSON"), std::nullopt};
  const std::string version = kube::resourceVersionOf(there);
  json::Value after = there;
  const bool isList = body->is_array();
  if (isList) {
    try {
      json::applyJsonPatch(after, *body, {.replaceAdds = true});
    } catch (const json::PatchError& error) {
      return {refusal(422, "Invalid", error.what()), std::nullopt};
    }
  } else if (request.method == "PUT") {
    after = *body;
  } else {
    json::applyMergePatch(after, *body);
  }
  if (!after.is_object()) return {refusal(400, "BadRequest", "the body is no object"), std::nullopt};
  if (const std::string guard = guardOf(request); !guard.empty() && guard != version)
    return {refusal(409, "Conflict", object.text() + ": the object has been modified"), std::nullopt};
  keepOthersAsTheyAre(after, there, subresource);
  auto decision = decisionOn(object, there, after, "update", given);
  json::makeObjectAt(after, {"metadata"})["resourceVersion"] = version;
  return {reply(200, after), std::move(decision)};
}

}  // namespace

std::string guardOf(const net::HttpRequest& request) {
  const auto body = bodyOf(request);
  return body ? kube::resourceVersionOf(*body) : "";
}

Answered answerOf(const net::HttpRequest& request, const ObjectId& object, const std::string& subresource,
                  const std::optional<json::Value>& there, const Given& given) {
  if (request.method == "POST" && subresource.empty()) return created(request, object, there.has_value(), given);
  if (!there) return {refusal(404, "NotFound", object.text() + " not found"), std::nullopt};
  if (request.method == "DELETE") return deleted(object, *there, given);
  return changed(request, object, subresource, *there, given);
}

net::HttpResponse ironicAnswerOf(const net::HttpRequest& request, const json::Value& record, const Given& given) {
  if (request.method == "DELETE") return {.status = 202};
  const auto body = bodyOf(request);
  if (request.method == "POST") {
    json::Value made = body && body->is_object() ? *body : json::Value(json::Object());
    made.as_object()["uuid"] = given.uid;
    if (!made.as_object().contains("provision_state")) made.as_object()["provision_state"] = "enroll";
    return reply(201, made);
  }
  if (request.method == "PATCH" && record.is_object()) {
    json::Value after = record;
    try {
      if (body) json::applyJsonPatch(after, *body, {.replaceAdds = true});
    } catch (const json::PatchError&) {
      after = record;
    }
    return reply(200, after);
  }
  return {.status = 202};
}

std::string ironicWishOf(const net::HttpRequest& request) {
  const auto body = bodyOf(request);
  const std::string target = body ? json::textAt(*body, {"target"}) : "";
  const std::string path = request.target.substr(0, request.target.find('?'));
  return target.empty() ? path : fmt::format("{}: {}", path, target);
}

net::HttpResponse refusal(int code, std::string_view reason, const std::string& message) {
  return reply(code, apiserver::Status{.code = code, .reason = std::string(reason), .message = message}.toJson());
}

}  // namespace ingot::coordinator::shadow
