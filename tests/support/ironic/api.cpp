#include "tests/support/ironic/api.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "json/codec.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

#include <charconv>
#include <ranges>
#include <regex>

namespace ingot::tests::fake {

namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

struct Call {
  Store& store;
  const FakeIronicOptions& options;
  const net::ServerRequest& request;
  std::vector<std::string> path;  // below /v1, decoded
  Query query;
  json::Value body;
  int minor = 1;

  [[nodiscard]] bool is(std::string_view method) const { return request.method == method; }
  [[nodiscard]] std::string param(std::string_view name) const {
    for (const auto& [key, value] : query)
      if (key == name) return value;
    return "";
  }
};

net::HttpResponse reply(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}
net::HttpResponse done(int status) { return {.status = status}; }
net::HttpResponse orDone(const std::optional<Refusal>& refused, int status) {
  return refused ? refusal(*refused) : done(status);
}
net::HttpResponse noNode(const std::string& id) {
  return refusal({404, fmt::format("Node {} could not be found.", id)});
}

bool holdsSecret(std::string_view key) {
  for (const char* word : {"password", "secret", "token"})
    if (key.find(word) != std::string_view::npos) return true;
  return key == "configdrive";
}

// As oslo.utils masks texts: what follows "token=" and its like, up to a blank or a quote.
std::string maskedText(std::string text) {
  static const std::regex secret("((?:password|secret|token)[0-9]*\\s*=\\s*)[^\\s'\"]+", std::regex::icase);
  return std::regex_replace(text, secret, "$1******");
}

void mask(json::Value& section) {
  if (!section.is_object()) return;
  for (auto& [key, value] : section.get_object())
    if (holdsSecret(key))
      value = "******";
    else if (value.is_string())
      value = maskedText(std::string(value.get_string()));
}

std::vector<std::string> listOf(std::string_view commaSeparated) {
  std::vector<std::string> out;
  while (!commaSeparated.empty()) {
    const auto comma = std::min(commaSeparated.find(','), commaSeparated.size());
    out.emplace_back(commaSeparated.substr(0, comma));
    commaSeparated.remove_prefix(std::min(comma + 1, commaSeparated.size()));
  }
  return out;
}

json::Object selected(const json::Object& from, const std::string& fields) {
  if (fields.empty()) return from;
  json::Object out;
  for (const std::string& field : listOf(fields))
    if (const json::Value* value = from.if_contains(field)) out[field] = *value;
  return out;
}

json::Object shown(const Call& call, const Node& node, const std::string& fields = "") {
  json::Object out = selected(node.record, fields);
  for (const char* section : {"driver_info", "instance_info"})
    if (json::Value* value = out.if_contains(section)) mask(*value);
  if (call.minor < 95) out.erase("disable_power_off");
  if (call.minor < 109) out.erase("health");
  return out;
}

// Not every field of a record can be asked for: created_at and updated_at cannot, whatever the answers hold.
std::string fieldNobodyMayAskFor(const std::string& fields) {
  for (const std::string& field : listOf(fields))
    if (field == "updated_at" || field == "created_at" || field == "links") return field;
  return "";
}

net::HttpResponse versions(const Call& call, bool root) {
  json::Object one{{"id", "v1"},
                   {"status", "CURRENT"},
                   {"min_version", "1.1"},
                   {"version", fmt::format("1.{}", call.options.maxMinor)}};
  if (root) return reply(200, json::Object{{"name", "OpenStack Ironic API"}, {"versions", json::Array{one}}});
  return reply(200, json::Object{{"id", "v1"}, {"version", one}});
}

net::HttpResponse drivers(const Call& call) {
  json::Array all;
  if (!call.options.noDrivers)
    for (const char* name : {"fake-hardware", "ipmi", "redfish"}) all.push_back(json::Object{{"name", name}});
  return reply(200, json::Object{{"drivers", std::move(all)}});
}

net::HttpResponse listNodes(const Call& call) {
  const std::string marker = call.param("marker");
  const std::string fields = call.param("fields");
  if (const std::string bad = fieldNobodyMayAskFor(fields); !bad.empty())
    return refusal({400, fmt::format("Field {} is not a valid field.", bad)});
  json::Array page;
  bool started = marker.empty(), more = false;
  std::string last;
  for (Node* node : call.store.all()) {
    if (!started) {
      started = node->text("uuid") == marker;
      continue;
    }
    more = page.size() == call.options.pageSize;
    if (more) break;
    last = node->text("uuid");
    page.push_back(shown(call, *node, fields));
  }
  json::Object out{{"nodes", std::move(page)}};
  if (more)  // an address of its own making, as Ironic does it
    out["next"] =
        fmt::format("http://localhost:6385/v1/nodes?fields={}&limit={}&marker={}", fields, call.options.pageSize, last);
  return reply(200, out);
}

net::HttpResponse createNode(const Call& call) {
  if (!call.body.is_object()) return refusal({400, "Invalid body"});
  if (call.minor < 95 && call.body.get_object().contains("disable_power_off"))
    return refusal({406, "Request not acceptable."});
  const std::string name = json::textAt(call.body, {"name"});
  if (!name.empty() && call.store.find(name))
    return refusal({409, fmt::format("A node with name {} already exists.", name)});
  return reply(201, shown(call, call.store.create(call.body.get_object())));
}

net::HttpResponse setMaintenance(const Call& call, Node& node) {
  if (node.locked())
    return refusal(
        {409, fmt::format("Node {} is locked by host {}, please retry", node.text("uuid"), node.text("reservation"))});
  const bool on = call.is("PUT");
  node.record["maintenance"] = on;
  node.record["maintenance_reason"] = on ? json::Value(json::textAt(call.body, {"reason"})) : json::Value();
  if (!on) node.record["fault"] = nullptr;
  return done(202);
}

net::HttpResponse changeState(const Call& call, Node& node) {
  const auto verb = json::enumFromText<Verb>(json::textAt(call.body, {"target"}));
  if (!verb) return refusal({400, "Unknown provision target"});
  if (*verb == Verb::abort && node.state() == State::deployWait && call.minor < 110)
    return refusal({406, "Request not acceptable."});
  return orDone(node.changeState(*verb, call.body), 202);
}

net::HttpResponse validated(const Call&, Node& node) {
  const bool hasImage = !json::textAt(node.record, {"instance_info", "image_source"}).empty() ||
                        !json::textAt(node.record, {"instance_info", "boot_iso"}).empty() ||
                        node.text("deploy_interface") == "custom-agent";
  json::Object deploy{{"result", hasImage}, {"reason", hasImage ? json::Value() : json::Value("no image")}};
  return reply(200, json::Object{{"boot", json::Object{{"result", true}}}, {"deploy", std::move(deploy)}});
}

net::HttpResponse deleteNode(const Call& call, Node& node) {
  if (const auto refused = node.mayBeDeleted()) return refusal(*refused);
  call.store.erase(node.text("uuid"));
  return done(204);
}

net::HttpResponse wholeNode(const Call& call, Node& node) {
  if (call.is("GET")) return reply(200, shown(call, node, call.param("fields")));
  if (call.is("DELETE")) return deleteNode(call, node);
  if (!call.is("PATCH")) return refusal({405, "Method not allowed"});
  if (const auto refused = node.patch(call.body, call.param("reset_interfaces") == "true")) return refusal(*refused);
  return reply(200, shown(call, node));
}

// The latest entries first is the one order that anybody asks for.
net::HttpResponse historyOf(const Call& call, const Node& node) {
  if (call.param("detail") != "true" || call.param("sort_key") != "created_at" || call.param("sort_dir") != "desc")
    return refusal({400, "The double tells a history in detail and from its end only"});
  json::Array latestFirst;
  for (const json::Object& entry : node.history | std::views::reverse) latestFirst.push_back(entry);
  const std::string limit = call.param("limit");
  if (!limit.empty()) latestFirst.resize(std::min<std::size_t>(latestFirst.size(), std::stoul(limit)));
  return reply(200, json::Object{{"history", std::move(latestFirst)}});
}

net::HttpResponse belowNode(const Call& call, Node& node) {
  const std::string& what = call.path[2];
  const std::string& more = call.path.size() > 3 ? call.path[3] : what;
  if (what == "states" && more == "provision" && call.is("PUT")) return changeState(call, node);
  if (what == "states" && more == "power" && call.is("PUT"))
    return orDone(node.changePower(json::textAt(call.body, {"target"})), 202);
  if (what == "maintenance" && (call.is("PUT") || call.is("DELETE"))) return setMaintenance(call, node);
  if (what == "validate") return validated(call, node);
  if (what == "history") return historyOf(call, node);
  if (what == "bios" || what == "firmware") return reply(200, json::Object{{what, json::Array()}});
  if (what == "inventory" && node.inventory) return reply(200, *node.inventory);
  if (what == "inventory") return refusal({404, "Introspection data not found for node " + node.text("uuid")});
  return refusal({404, "Not found"});
}

net::HttpResponse nodes(const Call& call) {
  if (call.path.size() == 1) return call.is("POST") ? createNode(call) : listNodes(call);
  Node* node = call.store.find(call.path[1]);
  if (!node) return noNode(call.path[1]);
  return call.path.size() == 2 ? wholeNode(call, *node) : belowNode(call, *node);
}

net::HttpResponse listPorts(const Call& call) {
  json::Array found;
  for (const json::Object& port : call.store.ports) {
    const std::string address = call.param("address"), node = call.param("node_uuid");
    if (!address.empty() && json::textAt(port, {"address"}) != address) continue;
    if (!node.empty() && json::textAt(port, {"node_uuid"}) != node) continue;
    found.push_back(selected(port, call.param("fields")));
  }
  return reply(200, json::Object{{"ports", std::move(found)}});
}

net::HttpResponse createPort(const Call& call) {
  json::Object port = call.body.is_object() ? call.body.get_object() : json::Object();
  const std::string mac = base::lower(json::textAt(port, {"address"}));
  for (const json::Object& other : call.store.ports)
    if (json::textAt(other, {"address"}) == mac)
      return refusal({409, fmt::format("A port with MAC address {} already exists.", mac)});
  port["address"] = mac;
  port["uuid"] = call.store.newUuid();
  call.store.ports.push_back(port);
  return reply(201, port);
}

int requestedMinor(const net::ServerRequest& request) {
  const std::string text = request.headers.get("X-OpenStack-Ironic-API-Version");
  int minor = 1;
  if (text.starts_with("1.")) std::from_chars(text.data() + 2, text.data() + text.size(), minor);
  return minor;
}

bool authorised(const net::ServerRequest& request, const FakeIronicOptions& options) {
  if (options.username.empty()) return true;
  return request.headers.get("Authorization") == "Basic " + base::toBase64(options.username + ":" + options.password);
}

// "/v1/nodes/x" and, as Ironic routes it, "/nodes/x" → {"nodes", "x"}.
std::vector<std::string> segments(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto slash = std::min(path.find('/'), path.size());
    if (slash > 0) out.push_back(net::percentDecode(path.substr(0, slash)));
    path.remove_prefix(slash);
  }
  if (!out.empty() && out.front() == "v1") out.erase(out.begin());
  return out;
}

}  // namespace

json::Value parsedBody(const std::string& body) { return body.empty() ? json::Value() : json::parse(body); }

net::HttpResponse refusal(const Refusal& why) {
  const json::Object fault{
      {"faultcode", why.status < 500 ? "Client" : "Server"}, {"faultstring", why.text}, {"debuginfo", nullptr}};
  return reply(why.status, json::Object{{"error_message", json::serialize(fault)}});
}

net::HttpResponse answer(Store& store, const FakeIronicOptions& options, const net::ServerRequest& request) {
  Call call{store,
            options,
            request,
            segments(request.path()),
            net::parseQuery(request.query()),
            parsedBody(request.body),
            requestedMinor(request)};
  if (call.path.empty()) return versions(call, !request.path().starts_with("/v1"));
  if (!authorised(request, options))
    return reply(401, json::Object{{"error", json::Object{{"message", "Authorization required"}, {"code", 401}}}});
  if (call.minor > options.maxMinor)
    return refusal(
        {406, fmt::format("Version 1.{} was requested but the requested API version is not supported", call.minor)});
  if (call.path.front() == "drivers") return drivers(call);
  if (call.path.front() == "nodes") return nodes(call);
  if (call.path.front() == "ports") return call.is("POST") ? createPort(call) : listPorts(call);
  return refusal({404, "Not found"});
}

}  // namespace ingot::tests::fake
