// A BMC of our own for speed and for faults: one system behind net::Loopback, its answers scripted by the test.
#pragma once

#include "json/value.hpp"
#include "net/loopback.hpp"

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace ingot::tests {

class FakeRedfish final : public net::HttpHandler {
 public:
  std::string user = "admin", password = "s3cret";
  std::set<std::string> otherUsers;  // with the same password
  bool hasSessions = true;
  std::string powerState = "Off";
  bool obeys = true;                       // false: accepts a reset and does nothing
  std::deque<net::HttpResponse> refusals;  // answers to the next resets, in order, instead of obeying
  std::string resetTypes = R"("On","ForceOff","GracefulShutdown","ForceRestart")";  // allowable
  std::string moreOfSystem;                      // further members of the system's document
  std::map<std::string, std::string> documents;  // path → body, before the built-in ones
  std::vector<std::string> journal;              // "POST path body" of everything that is not a GET
  bool tellsLocation = true;                     // of a new session, in the header
  int logins = 0;
  int inventories = 0;               // readings of what the system is made of
  std::vector<std::string> logouts;  // DELETE of sessions
  bool hasMedia = false;             // a virtual CD drive, and what to boot from
  std::string media;                 // the URL in it
  std::string serial = "S1";
  std::string healthRollup = "Warning";
  std::string bootTargets = R"("None","Pxe","Hdd","Cd","BiosSetup")";  // allowable
  std::string bootTarget = "None", bootEnabled = "Disabled", bootMode = "UEFI";
  std::function<void()> onSwitched;                                   // somebody else changes the power
  std::function<void()> onReset;                                      // a reset arrives
  std::function<base::Task<void>(const net::ServerRequest&)> before;  // awaited before each answer
  std::function<base::Task<void>()> afterLogin;                       // awaited before whoever has logged in is told
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> instead;  // answered instead, when set
  std::function<base::Task<void>(net::Responder&)> pushes;  // what is asked for a stream of events; unset: it has none

  // What a resource is at the moment.
  [[nodiscard]] std::string document(const std::string& path) const {
    return path == "/redfish/v1/Systems/1" ? system() : documents.at(path);
  }
  void expireSessions() { tokens_.clear(); }
  // Its system has one log, "/sel", with so many entries: members of "Entries", comma between them.
  void showLog(int count, const std::string& entries = "") {
    moreOfSystem = R"(,"LogServices":{"@odata.id":"/logs"})";
    documents["/logs"] = R"({"Members":[{"@odata.id":"/sel"}]})";
    documents["/sel"] = R"({"@odata.id":"/sel","LogEntryType":"SEL","Entries":{"@odata.id":"/entries"}})";
    documents["/entries"] = fmt::format(R"({{"Members@odata.count":{},"Members":[{}]}})", count, entries);
  }
  [[nodiscard]] bool admits(const net::ServerRequest& request) const { return authorized(request); }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.method != "GET" && request.target.find("/Sessions") == std::string::npos)
      journal.push_back(request.method + " " + request.target + " " + request.body);
    if (before) co_await before(request);
    if (instead)
      if (auto other = instead(request)) {
        if (other->status == 0) co_return out.abort();  // the connection breaks
        co_return co_await out.send(std::move(*other));
      }
    if (pushes && request.path() == "/redfish/v1/SSE" && authorized(request)) co_return co_await pushes(out);
    auto answered = answer(request);
    if (afterLogin && answered.status == 201) co_await afterLogin();
    co_await out.send(std::move(answered));
  }

 private:
  static net::HttpResponse reply(int status, std::string body) {
    return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
  }

  net::HttpResponse answer(const net::ServerRequest& request) {
    const std::string path(request.path());
    if (path == "/redfish/v1/" || path == "/redfish/v1")
      return reply(
          200, documents.contains("/")
                   ? documents["/"]
                   : R"({"Vendor":"Contoso","Systems":{"@odata.id":"/redfish/v1/Systems"},)"
                     R"("Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}})" +
                         std::string(pushes ? R"(,"EventService":{"@odata.id":"/redfish/v1/EventService"}})" : "}"));
    if (path == "/redfish/v1/SessionService/Sessions") return logIn(request);
    if (!authorized(request)) return reply(401, R"({"error":{"code":"Base.1.8.NoValidSession","message":"log in"}})");
    if (request.method == "DELETE") {
      logouts.push_back(path);
      std::erase_if(tokens_, [&](const auto& session) { return session.second == path; });
      return reply(204, "");
    }
    if (const auto found = documents.find(path); found != documents.end()) return reply(200, found->second);
    if (pushes && path == "/redfish/v1/EventService")
      return reply(200, R"({"ServiceEnabled":true,"ServerSentEventUri":"/redfish/v1/SSE"})");
    if (path == "/redfish/v1/Systems") return reply(200, R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1"}]})");
    if (path == "/redfish/v1/Systems/1" && request.method == "PATCH") return patchBoot(request.body);
    if (path == "/redfish/v1/Systems/1") return reply(200, system());
    if (hasMedia && path.starts_with("/redfish/v1/Systems/1/VirtualMedia")) return virtualMedia(path, request);
    if (path == "/redfish/v1/Systems/1/Processors") return ++inventories, reply(200, R"({"Members":[]})");
    if (path == "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset") return reset(request.body);
    return reply(404, R"({"error":{"code":"Base.1.8.ResourceMissingAtURI","message":"no such resource"}})");
  }

  net::HttpResponse logIn(const net::ServerRequest& request) {
    if (!hasSessions) return reply(404, "");
    ++logins;
    const auto body = json::parse(request.body);
    const auto name = json::textAt(body, {"UserName"});
    if ((name != user && !otherUsers.contains(name)) || json::textAt(body, {"Password"}) != password)
      return reply(401, R"({"error":{"message":"bad login"}})");
    const auto number = std::to_string(logins);
    const auto token = "token-" + number;
    const auto path = "/redfish/v1/SessionService/Sessions/" + number;
    tokens_[token] = path;
    net::Headers headers{{"X-Auth-Token", token}};
    if (tellsLocation) headers.add("Location", "https://bmc.example" + path);
    return {.status = 201, .headers = std::move(headers), .body = fmt::format(R"({{"@odata.id":"{}"}})", path)};
  }

  [[nodiscard]] bool authorized(const net::ServerRequest& request) const {
    if (tokens_.contains(request.headers.get("X-Auth-Token"))) return true;
    return password == "s3cret" && request.headers.get("Authorization") == "Basic YWRtaW46czNjcmV0";  // admin:s3cret
  }

  [[nodiscard]] std::string system() const {
    return R"({"Id":"1","Manufacturer":"Contoso","SerialNumber":")" + serial +
           R"(",)"
           R"("Processors":{"@odata.id":"/redfish/v1/Systems/1/Processors"},"PowerState":")" +
           powerState + R"(","Status":{"Health":"OK","HealthRollup":")" + healthRollup +
           R"("},"Actions":{"#ComputerSystem.Reset":)"
           R"({"target":"/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",)"
           R"("ResetType@Redfish.AllowableValues":[)" +
           resetTypes + "]}}" + (hasMedia ? boot() : std::string()) + moreOfSystem + "}";
  }

  [[nodiscard]] std::string boot() const {
    return fmt::format(
        R"(,"VirtualMedia":{{"@odata.id":"/redfish/v1/Systems/1/VirtualMedia"}},"Boot":{{)"
        R"("BootSourceOverrideTarget":"{}","BootSourceOverrideEnabled":"{}","BootSourceOverrideMode":"{}",)"
        R"("BootSourceOverrideTarget@Redfish.AllowableValues":[{}]}})",
        bootTarget, bootEnabled, bootMode, bootTargets);
  }

  net::HttpResponse patchBoot(const std::string& body) {
    const auto change = json::parse(body);
    for (auto [name, member] :
         {std::pair("BootSourceOverrideTarget", &bootTarget), std::pair("BootSourceOverrideEnabled", &bootEnabled),
          std::pair("BootSourceOverrideMode", &bootMode)})
      if (const auto value = json::stringAt(change, {"Boot", name})) *member = *value;
    return reply(204, "");
  }

  net::HttpResponse virtualMedia(const std::string& path, const net::ServerRequest& request) {
    const std::string collection = "/redfish/v1/Systems/1/VirtualMedia", slot = collection + "/Cd";
    if (path == collection) return reply(200, fmt::format(R"({{"Members":[{{"@odata.id":"{}"}}]}})", slot));
    if (path == slot + "/Insert") {
      const auto body = json::parse(request.body);
      media = json::textAt(body, {"Image"});
      return reply(204, "");
    }
    if (path == slot + "/Eject") {
      media.clear();
      return reply(204, "");
    }
    return reply(200, fmt::format(R"({{"Id":"Cd","MediaTypes":["CD"],"Image":{},"Inserted":{},"Actions":{{)"
                                  R"("#VirtualMedia.InsertMedia":{{"target":"{}/Insert"}},)"
                                  R"("#VirtualMedia.EjectMedia":{{"target":"{}/Eject"}}}}}})",
                                  media.empty() ? "null" : fmt::format("\"{}\"", media), !media.empty(), slot, slot));
  }

  net::HttpResponse reset(const std::string& body) {
    if (onReset) onReset();
    if (!refusals.empty()) {
      auto refusal = refusals.front();
      refusals.pop_front();
      return refusal;
    }
    const auto type = json::textAt(json::parse(body), {"ResetType"});
    if (type == "Nmi" || type == "FullPowerCycle") return reply(204, "");
    if (obeys) powerState = type == "On" || type == "ForceRestart" ? "On" : "Off";
    return reply(204, "");
  }

  std::map<std::string, std::string> tokens_;  // path of the session by token
};

}  // namespace ingot::tests
