#include "sim/control/client.hpp"

#include "base/run.hpp"
#include "base/runtime.hpp"
#include "json/describe.hpp"
#include "net/client.hpp"
#include "net/url.hpp"
#include "sim/machine/journal.hpp"

#include <cstdio>

namespace ingot::sim::control {

namespace {

json::Value ask(const ControlEndpoint& endpoint, std::string method, std::string target, json::Value body = nullptr) {
  boost::asio::io_context loop(1);
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{loop.get_executor(), clock, *random, base::Log::silent()};
  const auto transport = net::curlTransport(runtime);
  const auto client = transport->connect({.baseUrl = endpoint.url, .userAgent = "ingot-sim"});

  net::HttpRequest request{.method = std::move(method), .target = std::move(target)};
  if (!body.is_null()) request.body = json::serialize(body);
  const auto response = base::run(loop, client->send(std::move(request)));
  auto answer = json::parse(response.body);
  if (!response.ok()) throw base::Error(json::textAt(answer, {"error"}));
  return answer;
}

std::string joined(const json::Array& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : ",") + std::string(text.as_string());
  return out;
}

std::string machinePath(const std::string& machine) { return "/control/machines/" + net::percentEncode(machine); }

}  // namespace

int showMachines(const ControlEndpoint& endpoint, bool asJson) {
  const auto fleet = ask(endpoint, "GET", "/control/fleet");
  if (asJson) {
    fmt::print("{}\n", json::serializePretty(fleet));
    return 0;
  }
  fmt::print("{:<20} {:<8} {:<32} {:<6} {:<8} {}\n", "NAME", "PROTOCOL", "BMC", "POWER", "BOOTED", "FAULTS");
  for (const auto& machine : fleet.at("machines").as_array())
    fmt::print("{:<20} {:<8} {:<32} {:<6} {:<8} {}\n", json::textAt(machine, {"name"}),
               json::textAt(machine, {"protocol"}), json::textAt(machine, {"url"}), json::textAt(machine, {"power"}),
               json::textAt(machine, {"bootedFrom"}), joined(machine.at("faults").as_array()));
  return 0;
}

int showJournal(const ControlEndpoint& endpoint, std::int64_t since, const std::string& machine, bool asJson) {
  const auto answer =
      ask(endpoint, "GET", fmt::format("/control/journal?since={}&machine={}", since, net::percentEncode(machine)));
  for (const auto& value : answer.at("entries").as_array()) {
    if (asJson) {
      fmt::print("{}\n", json::serialize(value));
      continue;
    }
    const auto entry = json::decode<JournalEntry>(value);
    fmt::print("{:>6} {} {:<16} {:<7} {:<10} {:<16} {} {}\n", entry.sequence, entry.time, entry.machine, entry.kind,
               entry.sender, entry.action, entry.status == 0 ? "" : std::to_string(entry.status), entry.detail);
  }
  return 0;
}

int setFault(const ControlEndpoint& endpoint, const std::string& machine, const std::string& fault, bool on,
             int seconds) {
  json::Object body{{"on", on}};
  if (seconds > 0) body["seconds"] = seconds;
  (void)ask(endpoint, "PUT", fmt::format("{}/faults/{}", machinePath(machine), net::percentEncode(fault)),
            std::move(body));
  return 0;
}

int logEvent(const ControlEndpoint& endpoint, const std::string& machine, const std::string& severity,
             const std::string& message) {
  (void)ask(endpoint, "POST", machinePath(machine) + "/log",
            json::Object{{"severity", severity}, {"message", message}});
  return 0;
}

int chassis(const ControlEndpoint& endpoint, const std::string& machine, const std::vector<std::string>& words) {
  json::Array list;
  for (const auto& word : words) list.emplace_back(word);
  const auto answer =
      ask(endpoint, "POST", machinePath(machine) + "/chassis", json::Object{{"words", std::move(list)}});
  fmt::print("{}", json::textAt(answer, {"text"}));
  return static_cast<int>(json::intAt(answer, {"exitCode"}).value_or(1));
}

}  // namespace ingot::sim::control
