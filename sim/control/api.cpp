#include "sim/control/api.hpp"

#include "json/describe.hpp"
#include "net/url.hpp"
#include "sim/fleet/fleet.hpp"
#include "sim/ipmi/chassis.hpp"

namespace ingot::sim::control {

namespace {

constexpr std::string_view machinesPrefix = "/control/machines/";

net::HttpResponse jsonResponse(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

net::HttpResponse refuse(int status, const std::string& text) {
  return jsonResponse(status, json::Object{{"error", text}});
}

net::HttpResponse setFault(Fleet& fleet, Machine& machine, std::string_view name, const json::Value& wanted) {
  const auto fault = json::enumFromText<Fault>(name);
  const auto on = json::boolAt(wanted, {"on"});
  if (!fault) return refuse(404, fmt::format("no fault is called '{}'", name));
  if (!on) return refuse(400, "on: expected bool");
  if (const auto seconds = json::intAt(wanted, {"seconds"})) machine.faults.slowness = std::chrono::seconds(*seconds);
  fleet.setFault(machine, *fault, *on);
  return jsonResponse(200, json::Object{});
}

net::HttpResponse logEvent(Machine& machine, const json::Value& body) {
  const auto severity = json::textAt(body, {"severity"}), message = json::textAt(body, {"message"});
  if (severity != "OK" && severity != "Warning" && severity != "Critical")
    return refuse(400, "severity: expected OK, Warning or Critical");
  if (message.empty()) return refuse(400, "message: expected a text");
  machine.logEvent(severity, message);
  return jsonResponse(200, json::Object{});
}

net::HttpResponse chassis(Fleet& fleet, Machine& machine, const json::Value& body) {
  std::vector<std::string> words;
  if (const auto* list = json::arrayAt(body, {"words"}))
    for (const auto& word : *list)
      if (word.is_string()) words.emplace_back(word.get_string());
  const auto result = ipmi::chassisControl(machine, fleet.journal(), words);
  return jsonResponse(200, json::Object{{"text", result.text}, {"exitCode", result.exitCode}});
}

}  // namespace

base::Task<void> Api::handle(net::ServerRequest request, net::Responder& out) { co_await out.send(answer(request)); }

net::HttpResponse Api::answer(const net::ServerRequest& request) {
  const auto path = request.path();
  if (path == "/control/fleet" && request.method == "GET") return jsonResponse(200, fleet_.description());
  if (path == "/control/journal" && request.method == "GET") return journal(request.query());
  if (path.starts_with(machinesPrefix)) return ofMachine(request, path.substr(machinesPrefix.size()));
  return refuse(404, "nothing is here");
}

net::HttpResponse Api::journal(std::string_view query) {
  std::int64_t since = 0;
  std::string machine;
  for (const auto& [key, value] : net::parseQuery(query)) {
    if (key == "since") std::from_chars(value.data(), value.data() + value.size(), since);
    if (key == "machine") machine = value;
  }
  json::Array entries;
  for (const auto& entry : fleet_.journal().since(since, machine)) entries.push_back(json::encode(entry));
  return jsonResponse(200, json::Object{{"entries", std::move(entries)}});
}

net::HttpResponse Api::ofMachine(const net::ServerRequest& request, std::string_view rest) {
  const auto slash = std::min(rest.find('/'), rest.size());
  const auto name = net::percentDecode(rest.substr(0, slash));
  auto* machine = fleet_.find(name);
  if (!machine) return refuse(404, "no machine is called '" + name + "'");
  rest.remove_prefix(slash);

  json::Value body = json::Object{};
  try {
    if (!request.body.empty()) body = json::parse(request.body);
  } catch (const json::ParseError& error) {
    return refuse(400, error.what());
  }
  constexpr std::string_view faultPrefix = "/faults/";
  if (request.method == "PUT" && rest.starts_with(faultPrefix))
    return setFault(fleet_, *machine, rest.substr(faultPrefix.size()), body);
  if (request.method == "POST" && rest == "/log") return logEvent(*machine, body);
  if (request.method == "POST" && rest == "/chassis") return chassis(fleet_, *machine, body);
  return refuse(404, "nothing is here");
}

}  // namespace ingot::sim::control
