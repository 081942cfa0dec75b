#include "tests/coordinator/seeds/write.hpp"

#include "json/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ingot::tests::seeds {

namespace {

std::vector<std::string> partsOf(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

using Path = std::initializer_list<std::string_view>;

const boost::json::key_value_pair* memberWith(const json::Value& patch, Path path, std::string_view part) {
  const auto* object = json::objectAt(patch, path);
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      *object, [&](const auto& entry) { return std::string_view(entry.key()).find(part) != std::string_view::npos; });
  return found == object->end() ? nullptr : &*found;
}

std::string purposeOnHost(const json::Value& patch) {
  if (const auto* consumer = json::find(patch, {"spec", "consumerRef"}))
    return consumer->is_null() ? " release" : json::textAt(*consumer, {"kind"}) == "Cluster" ? " keep" : " claim";
  if (const auto* image = json::find(patch, {"spec", "image"})) return image->is_null() ? " stop" : " deploy";
  if (memberWith(patch, {"metadata", "annotations"}, "unhealthy")) return " unhealthy";
  if (const auto* mark = memberWith(patch, {"metadata", "annotations"}, "let-go-by"))
    return mark->value().is_null() ? " unmark" : " mark";
  if (const auto* pause = memberWith(patch, {"metadata", "annotations"}, "baremetalhost.metal3.io/paused"))
    return pause->value().is_null() ? " wake" : " rest";
  if (memberWith(patch, {"metadata", "annotations"}, "baremetalhost.metal3.io/status")) return " rest";  // it had none
  if (const auto* block = memberWith(patch, {"metadata", "annotations"}, "block-move"))
    return block->value().is_null() ? " allow move" : " block move";
  const auto* annotations = json::find(patch, {"metadata", "annotations"});
  if (annotations && annotations->is_null()) return " let on";  // the last one goes
  const auto* held = memberWith(patch, {"metadata", "annotations"}, "reboot.metal3.io/");
  if (held == nullptr) return "";
  return held->value().is_null() ? " let on" : " hold off";
}

std::string purposeOf(const std::string& resource, const json::Value& patch) {
  if (resource == "baremetalhosts") return purposeOnHost(patch);
  if (resource == "secrets") {
    const auto* label = memberWith(patch, {"metadata", "labels"}, "cluster-name");
    return label == nullptr || !label->value().is_null() ? " label" : " unlabel";
  }
  if (json::find(patch, {"spec", "providerID"})) return " providerID";
  const auto* finalizers = json::find(patch, {"metadata", "finalizers"});
  if (finalizers == nullptr && memberWith(patch, {"metadata", "annotations"}, "BareMetalHost")) return " link";
  if (finalizers == nullptr) return json::find(patch, {"spec", "dataTemplate"}) ? " template" : "";
  const bool none = finalizers->is_null() || (finalizers->is_array() && finalizers->get_array().empty());
  return none ? " let go" : " finalizer";
}

// Nodes are written to through one connection for all.
std::string authorOf(const net::ServerRequest& request, const json::Value& patch) {
  if (request.method == "DELETE" || json::find(patch, {"spec", "taints"})) return "remediation";
  const bool isLabelled = json::find(patch, {"metadata", "labels"}) != nullptr;
  if (isLabelled) return memberWith(patch, {"metadata", "labels"}, "role") ? "remediation" : "label_sync";
  return json::find(patch, {"metadata", "annotations"}) ? "remediation" : "machine";
}

std::string purposeOnNode(const json::Value& patch) {
  const auto* taints = json::arrayAt(patch, {"spec", "taints"});
  if (taints != nullptr) return taints->empty() ? " in service" : " out of service";
  if (json::find(patch, {"metadata", "labels"})) return " labels";
  return "";
}

}  // namespace

Place placeOf(std::string_view path) {
  auto parts = partsOf(path);
  parts.erase(parts.begin(),
              parts.begin() + std::min<std::ptrdiff_t>(std::ssize(parts), path.starts_with("/apis") ? 3 : 2));
  if (parts.size() > 2 && parts[0] == "namespaces") parts.erase(parts.begin(), parts.begin() + 2);
  Place place;
  if (!parts.empty()) place.resource = parts[0];
  if (parts.size() > 1) place.name = parts[1];
  place.isStatus = parts.size() > 2 && parts[2] == "status";
  return place;
}

std::string rightFor(const net::ServerRequest& request) {
  const Place place = placeOf(request.path());
  if (place.resource.empty()) return "";
  const auto parts = partsOf(request.path());
  const std::string group = parts.front() == "apis" ? "." + parts.at(1) : "";
  const auto verb = [&]() -> std::string {
    if (isWatch(request)) return "watch";
    if (request.method == "GET") return place.name.empty() ? "list" : "get";
    if (request.method == "POST") return "create";
    if (request.method == "PUT") return "update";
    return request.method == "PATCH" ? "patch" : "delete";
  };
  return fmt::format("{} {}{}{}", verb(), place.resource, place.isStatus ? "/status" : "", group);
}

bool isWatch(const net::ServerRequest& request) {
  return request.method == "GET" && request.query().find("watch=true") != std::string_view::npos;
}

std::optional<std::string> nameOfWrite(const std::string& author, const net::ServerRequest& request) {
  if (request.method == "GET") return std::nullopt;
  const Place place = placeOf(request.path());
  if (place.resource == "events") return std::nullopt;
  const bool isPatch = request.method == "PATCH";
  const json::Value patch = isPatch ? json::parse(request.body) : json::Value();
  if (place.resource == "nodes")
    return fmt::format("{}: {} nodes{}", authorOf(request, patch), request.method, isPatch ? purposeOnNode(patch) : "");
  std::string purpose = isPatch && !place.isStatus ? purposeOf(place.resource, patch) : "";
  if (purpose == " let on" && author != "remediation")  // the last annotation goes here, too
    purpose = author == "machine" ? " unmark" : " allow move";
  return fmt::format("{}: {} {}{}{}", author, request.method, place.resource, place.isStatus ? "/status" : "", purpose);
}

}  // namespace ingot::tests::seeds
