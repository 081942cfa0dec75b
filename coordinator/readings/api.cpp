#include "coordinator/readings/api.hpp"

#include "apiserver/http/extension.hpp"
#include "apiserver/registry/status.hpp"
#include "json/describe.hpp"
#include "json/value.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

#include <vector>

namespace ingot::coordinator::readings {
namespace {

net::HttpResponse reply(int status, const json::Value& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-cache, private"}},
          .body = json::serialize(body)};
}

net::HttpResponse refusal(int code, std::string_view reason, const std::string& message,
                          std::optional<apiserver::StatusDetails> details = std::nullopt) {
  return reply(
      code,
      apiserver::Status{.code = code, .reason = std::string(reason), .message = message, .details = std::move(details)}
          .toJson());
}

net::HttpResponse notLeading() {
  return refusal(503, "ServiceUnavailable",
                 "this coordinator does not lead, so that no agent tells it anything: ask the one that does");
}

json::Object headOf(std::string_view kind, const kube::ObjectKey& host) {
  return {{"kind", kind},
          {"apiVersion", api::kReadingsVersion},
          {"metadata", json::Object{{"name", host.name}, {"namespace", host.namespace_}}}};
}

json::Object resource(std::string_view name, std::string_view kind) {
  return {{"name", name}, {"singularName", ""}, {"namespaced", true}, {"kind", kind}, {"verbs", json::Array{"get"}}};
}

json::Object resourceList() {
  return {{"kind", "APIResourceList"},
          {"apiVersion", "v1"},
          {"groupVersion", api::kReadingsVersion},
          {"resources", json::Array{resource("hosts/inventory", "HostInventory"), resource("hosts/logs", "HostLogs"),
                                    resource("hosts/sensors", "HostSensors")}}};
}

}  // namespace

bool Api::serves(std::string_view path) { return apiserver::isBelow(path, prefix); }

base::Task<void> Api::handle(net::ServerRequest request, net::Responder& out) { co_await out.send(answer(request)); }

net::HttpResponse Api::answer(const net::ServerRequest& request) const {
  if (request.method != "GET") return refusal(405, "MethodNotAllowed", "readings can only be got");
  if (!serves(request.path())) return refusal(404, "NotFound", "nothing is here");
  const auto segments = net::pathSegments(request.path().substr(prefix.size()));
  if (segments.empty()) return reply(200, resourceList());
  if (segments.size() == 5 && segments[0] == "namespaces" && segments[2] == "hosts") {
    const kube::ObjectKey host{segments[1], segments[3]};
    if (segments[4] == "sensors") return sensorsOf(host);
    if (segments[4] == "logs") return logsOf(host);
    if (segments[4] == "inventory") return inventoryOf(host);
  }
  return refusal(404, "NotFound", "there are only namespaces/NAMESPACE/hosts/NAME/sensors, .../logs and .../inventory");
}

net::HttpResponse Api::sensorsOf(const kube::ObjectKey& host) const {
  const auto book = books_.sensors.lock();
  if (!book) return notLeading();
  const auto told = book->find(host, runtime_.clock.now());
  if (!told)
    return notRead(host, "sensors",
                   fmt::format("of host {} no agent has told any sensors lately: is there such a host, does an agent "
                               "serve it, does its BMC answer?",
                               host.text()));
  return observed("HostSensors", host, told->sensors, told->age, "sensors", told->bootProgress);
}

net::HttpResponse Api::inventoryOf(const kube::ObjectKey& host) const {
  const auto book = books_.hardware.lock();
  if (!book) return notLeading();
  const auto told = book->find(host, runtime_.clock.now());
  if (!told)
    return notRead(host, "hardware",
                   fmt::format("of host {} no agent has read the hardware since this coordinator leads: an agent does "
                               "so within some minutes while the host is on",
                               host.text()));
  return observed("HostInventory", host, told->inventory, told->age, "hardware");
}

// Why an agent does not read it now; null: none says that it does not.
json::Value Api::obstacleTo(const kube::ObjectKey& host, std::string_view what) const {
  const auto book = books_.sensors.lock();
  const auto now = runtime_.clock.now();
  const auto obstacle = book ? book->obstacle(host, what, now) : std::nullopt;
  if (!obstacle) return {};
  json::Object told{{"class", obstacle->code}, {"detail", obstacle->error}};
  if (obstacle->age) told["since"] = timeBefore(*obstacle->age);
  return told;
}

std::string Api::timeBefore(base::Duration age) const {
  return base::formatTime(runtime_.clock.wall() - std::chrono::duration_cast<base::WallTime::duration>(age));
}

json::Object Api::bodyOf(std::string_view kind, const kube::ObjectKey& host, std::string_view what) const {
  auto body = headOf(kind, host);
  if (auto why = obstacleTo(host, what); !why.is_null()) body["notRead"] = std::move(why);
  return body;
}

// `otherwise`: what there is to say where no agent says why.
net::HttpResponse Api::notRead(const kube::ObjectKey& host, std::string_view what, std::string otherwise) const {
  const auto why = obstacleTo(host, what);
  if (why.is_null()) return refusal(404, "NotFound", otherwise);
  const auto since = json::textAt(why, {"since"});
  const std::string text =
      fmt::format("the {} of host {} {} not read{}: {} ({})", what, host.text(), what == "hardware" ? "is" : "are",
                  since.empty() ? "" : ", since " + since, json::textAt(why, {"detail"}), json::textAt(why, {"class"}));
  const kube::StatusCause cause{.reason = std::string(api::kNotRead), .message = text, .field = {}};
  return refusal(404, "NotFound", text, apiserver::StatusDetails{.causes = {cause}});
}

net::HttpResponse Api::observed(std::string_view kind, const kube::ObjectKey& host, const std::string& document,
                                base::Duration age, std::string_view what, const std::string& bootProgress) const {
  auto body = bodyOf(kind, host, what);
  if (!bootProgress.empty()) body["bootProgress"] = bootProgress;
  body["observedAt"] = timeBefore(age);
  for (const auto& member : json::parse(document).get_object()) body[member.key()] = member.value();
  return reply(200, body);
}

net::HttpResponse Api::logsOf(const kube::ObjectKey& host) const {
  const auto book = books_.logs.lock();
  if (!book) return notLeading();
  const auto* logs = book->find(host);
  if (logs == nullptr)
    return notRead(host, "logs",
                   fmt::format("of host {} no agent has told any log: is there such a host, does an agent serve it, "
                               "does its BMC have one?",
                               host.text()));
  json::Array all;
  for (const auto& [name, entries] : *logs)
    all.push_back(json::Object{{"log", name}, {"entries", json::encode(entries)}});
  auto body = bodyOf("HostLogs", host, "logs");
  body["logs"] = std::move(all);
  return reply(200, body);
}

}  // namespace ingot::coordinator::readings
