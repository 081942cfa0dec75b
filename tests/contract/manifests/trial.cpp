#include "tests/contract/manifests/trial.hpp"

#include <catch2/catch.hpp>

namespace ingot::contract {

namespace {

constexpr std::string_view kStrict = "?fieldValidation=Strict";
constexpr std::string_view kTry = "?fieldValidation=Strict&dryRun=All";

net::HttpRequest request(std::string method, std::string target, std::string body) {
  return {.method = std::move(method),
          .target = std::move(target),
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

json::Value with(json::Value document, json::Value metadata) {
  document.as_object()["metadata"] = std::move(metadata);
  return document;
}

std::string crdPath(const Manifest& manifest) {
  return kCrdPath + "/" + json::textAt(manifest.definition, {"metadata", "name"});
}

}  // namespace

Trial::Trial(Peer& server, const std::vector<Manifest>& all) : server_(server), space_(server.space()) {
  std::vector<net::HttpRequest> requests;
  for (const auto& manifest : all) {
    requests.push_back(request("POST", kCrdPath, json::serialize(manifest.definition)));
    installed_.push_back(crdPath(manifest));
  }
  for (const auto& reply : server_.sendAll(std::move(requests))) {
    INFO(reply.text);
    REQUIRE(reply.status == 201);
  }
  for (const auto& manifest : all)
    server_.eventually([&] { return server_.get(manifest.collection(space_)).status == 200; });
}

Trial::~Trial() {
  std::vector<net::HttpRequest> requests;
  requests.reserve(installed_.size());
  for (const auto& path : installed_) requests.push_back(request("DELETE", path, ""));
  server_.sendAll(std::move(requests));
  for (const auto& path : installed_) server_.eventually([&] { return server_.get(path).status == 404; });
}

std::vector<Reply> Trial::store(const Manifest& manifest) {
  const std::string path = manifest.collection(space_);
  std::vector<Reply> out{server_.post(path + std::string(kStrict), json::serialize(manifest.document))};
  const json::Value stored = out[0].json();
  metadata_[manifest.name] = stored.at("metadata");
  if (manifest.servesStatus() && json::find(manifest.document, {"status"})) {
    const json::Value full = with(manifest.document, stored.at("metadata"));
    out.push_back(
        server_.put(path + "/" + manifest.objectName() + "/status" + std::string(kTry), json::serialize(full)));
  }
  return out;
}

std::vector<Reply> Trial::ask(const Manifest& manifest) {
  std::vector<net::HttpRequest> requests;
  requests.reserve(manifest.cases.size());
  for (const auto& one : manifest.cases) requests.push_back(requestFor(manifest, one));
  return server_.sendAll(std::move(requests));
}

// The status is judged where it is written; a rule about changes when something is changed.
net::HttpRequest Trial::requestFor(const Manifest& manifest, const Case& one) const {
  const std::string path = manifest.collection(space_);
  const std::string object = path + "/" + manifest.objectName();
  const json::Value& stored = metadata_.at(manifest.name);
  if (manifest.servesStatus() && one.ofStatus())
    return request("PUT", object + "/status" + std::string(kTry), one.applied(with(manifest.document, stored)));
  if (one.breaks == "cel")
    return request("PUT", object + std::string(kTry), one.applied(with(manifest.document, stored)));
  return request("POST", path + std::string(kTry), one.applied(with(manifest.document, {{"name", "probe"}})));
}

namespace {

std::string causesOf(const Case& one, const json::Value& status) {
  std::vector<std::string> all;
  for (const auto& cause : status.at("details").at("causes").as_array()) {
    std::string said = json::textAt(cause, {"reason"});
    if (said.starts_with("FieldValue")) said.erase(0, std::string_view("FieldValue").size());
    const std::string field = json::textAt(cause, {"field"});
    if (field != one.where) said.append(" ").append(field);
    all.push_back(std::move(said));
  }
  std::sort(all.begin(), all.end());
  return fmt::format("{}", fmt::join(all, "; "));
}

bool asksForValue(const Case& one) {
  static constexpr std::string_view kAsking[] = {"default", "nullable", "null", "preserve", "int-or-string"};
  return std::ranges::find(kAsking, one.breaks) != std::end(kAsking);
}

}  // namespace

std::string answerOf(const Case& one, const Reply& reply) {
  const json::Value said = reply.json();
  if (reply.status == 200 || reply.status == 201) {
    if (!asksForValue(one)) return "accepted";
    const json::Value* value = json::findPath(said, one.where);
    return value ? "= " + json::serializeSorted(*value) : "accepted, absent";
  }
  if (reply.message().ends_with("strict decoding error: unknown field \"" + one.where + "\"")) return "unknown field";
  if (reply.status == 422 && json::arrayAt(said, {"details", "causes"})) return causesOf(one, said);
  return json::textAt(said, {"reason"});
}

namespace {

// Takes the causes out, and the message that repeats them in their order.
std::vector<std::string> takeCauses(json::Value& status) {
  std::vector<std::string> out;
  json::Value* details = status.as_object().if_contains("details");
  json::Value* causes = details ? details->as_object().if_contains("causes") : nullptr;
  if (!causes) return out;
  for (const auto& cause : causes->as_array()) out.push_back(json::serializeSorted(cause));
  std::sort(out.begin(), out.end());
  details->as_object().erase("causes");
  if (out.size() > 1) status.as_object().erase("message");
  return out;
}

}  // namespace

std::string comparable(const Reply& reply) {
  json::Value said = reply.json();
  const auto causes = takeCauses(said);
  if (json::Value* metadata = said.as_object().if_contains("metadata"))
    for (const auto* name : {"uid", "creationTimestamp", "resourceVersion", "managedFields", "namespace"})
      metadata->as_object().erase(name);
  return fmt::format("{} {}\n{}\n{}", reply.status, reply.headers.find("Warning").value_or(""), fmt::join(causes, "\n"),
                     json::serializeSorted(said));
}

}  // namespace ingot::contract
