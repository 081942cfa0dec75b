// What agents have read, for who asks.
#include "coordinator/readings/api.hpp"

#include "base/compression.hpp"
#include "json/value.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::HardwareBook;
using coordinator::agents::LogBook;
using coordinator::agents::ReadingBook;

namespace {

const kube::ObjectKey host{"metal 3", "node/1"};

struct Asked : tests::Loop {
  Asked() {
    network.serve("http://coordinator", api);
    client = network.connect({.baseUrl = "http://coordinator"});
  }
  ~Asked() {
    client.reset();
    run(network.close());
  }
  void lead() {
    sensors->take("u1", host,
                  {.host = "u1",
                   .ageMs = 60'000,
                   .sensors = {.readings = {{"Inlet", "temperature", "Cel", 23.5, "Intake", "OK"}},
                               .unread = {"/p: HTTP 500\nno"}}},
                  6min, clock.now());
    static_cast<void>(logs->take(
        "u1", host, {.host = "u1", .log = "SEL", .known = 1, .entries = {{"1", "", "OK", "on"}}}, clock.now()));
    hardware->take("u1", host,
                   {.serialNumber = "S1", .networkCards = {{.name = "n", .link = "up"}}, .unread = {"/x: HTTP 500"}},
                   clock.now());
    api.show({.sensors = sensors, .logs = logs, .hardware = hardware});
  }
  std::pair<int, json::Value> get(const std::string& path, const std::string& method = "GET") {
    const auto answer = run(client->send({.method = method, .target = std::string(api.prefix) + path}));
    return {answer.status, json::parse(answer.body)};
  }

  coordinator::readings::Api api{runtime};
  net::Loopback network{runtime};
  std::unique_ptr<net::HttpClient> client;
  std::shared_ptr<ReadingBook> sensors = std::make_shared<ReadingBook>();
  std::shared_ptr<LogBook> logs = std::make_shared<LogBook>();
  std::shared_ptr<HardwareBook> hardware = std::make_shared<HardwareBook>();
};

constexpr auto at = "/namespaces/metal%203/hosts/node%2F1";

}  // namespace

TEST_CASE("sensors and logs are shown as objects", "[readings]") {
  Asked asked;
  asked.lead();
  const auto observed = base::formatTime(asked.clock.wall() - 60s);
  auto [status, sensors] = asked.get(std::string(at) + "/sensors");
  CHECK(status == 200);
  CHECK(json::serialize(sensors) ==
        fmt::format(R"({{"kind":"HostSensors","apiVersion":"readings.ingot.dev/v1alpha1",)"
                    R"("metadata":{{"name":"node/1","namespace":"metal 3"}},"observedAt":"{}",)"
                    R"("readings":[{{"name":"Inlet","kind":"temperature","unit":"Cel","value":23.5,)"
                    R"("context":"Intake","health":"OK"}}],"unread":["/p: HTTP 500 no"]}})",
                    observed));
  const auto logs = asked.get(std::string(at) + "/logs");
  CHECK(logs.first == 200);
  CHECK(json::serialize(logs.second) ==
        R"({"kind":"HostLogs","apiVersion":"readings.ingot.dev/v1alpha1","metadata":{"name":"node/1",)"
        R"("namespace":"metal 3"},"logs":[{"log":"SEL","entries":[{"id":"1","severity":"OK","message":"on"}]}]})");
  CHECK(asked.get("").first == 200);
}

TEST_CASE("how far a host has booted is shown as long as its power is believed", "[readings]") {
  Asked asked;
  asked.lead();
  asked.sensors->note("u1", host, {.bootProgress = "OSRunning"}, {.power = asked.clock.now() + 20s});
  CHECK(json::textAt(asked.get(std::string(at) + "/sensors").second, {"bootProgress"}) == "OSRunning");
  asked.clock.advance(21s);
  CHECK(json::textAt(asked.get(std::string(at) + "/sensors").second, {"bootProgress"}).empty());
}

TEST_CASE("why an agent does not read something is told in its place, or beside what it read before", "[readings]") {
  Asked asked;
  asked.lead();
  const auto now = asked.clock.now();
  const auto since = base::formatTime(asked.clock.wall() - 10min);
  const auto why = [&](std::string_view what) { return asked.get(fmt::format("{}/{}", at, what)).second; };
  asked.sensors->note("u1", host,
                      {.bmcAnswers = true,
                       .unread = {{"sensors", "busy", "the BMC is busy", now - 10min},
                                  {"logs", "unsupported", "it has none", now - 10min},
                                  {"hardware", "protocol", "no JSON", now - 10min}}},
                      {.told = now + 3min});
  const auto told = [&](std::string_view what, std::string_view code, std::string_view detail) {
    const auto object = why(what);
    return json::textAt(object, {"notRead", "class"}) == code &&
           json::textAt(object, {"notRead", "detail"}) == detail && json::textAt(object, {"notRead", "since"}) == since;
  };
  CHECK(told("sensors", "busy", "the BMC is busy"));
  CHECK(told("logs", "unsupported", "it has none"));
  CHECK(told("inventory", "protocol", "no JSON"));
  asked.logs->forget("u1");
  asked.hardware->forget("u1");
  CHECK(asked.get(std::string(at) + "/logs").first == 404);
  CHECK(json::textAt(why("logs"), {"message"}) ==
        fmt::format("the logs of host metal 3/node/1 are not read, since {}: it has none (unsupported)", since));
  CHECK(json::textAt(why("inventory"), {"message"}) ==
        fmt::format("the hardware of host metal 3/node/1 is not read, since {}: no JSON (protocol)", since));
  const auto hasCause = [&](std::string_view what) { return json::find(why(what), {"details", "causes"}) != nullptr; };
  CHECK(hasCause("inventory"));
  asked.sensors->note("u1", host, {.bmcErrorCode = "timeout", .bmcError = "no answer"}, {.told = now + 3min});
  CHECK(json::textAt(why("logs"), {"message"}) == "the logs of host metal 3/node/1 are not read: no answer (timeout)");
  asked.sensors->note("u1", host, {.bmcAnswers = true}, {.told = now + 3min});
  CHECK(json::textAt(why("logs"), {"message"}).find("no agent has told any log") != std::string::npos);
  CHECK_FALSE(hasCause("logs"));
  CHECK(json::find(why("sensors"), {"notRead"}) == nullptr);
}

TEST_CASE("the hardware is shown as it was read, however long ago", "[readings]") {
  Asked asked;
  CHECK(asked.get(std::string(at) + "/inventory").first == 503);
  asked.lead();
  const auto observed = base::formatTime(asked.clock.wall());
  asked.clock.advance(24h);
  const auto [status, inventory] = asked.get(std::string(at) + "/inventory");
  CHECK(status == 200);
  CHECK(json::serialize(inventory) ==
        fmt::format(R"({{"kind":"HostInventory","apiVersion":"readings.ingot.dev/v1alpha1",)"
                    R"("metadata":{{"name":"node/1","namespace":"metal 3"}},"observedAt":"{}","serialNumber":"S1",)"
                    R"("networkCards":[{{"name":"n","link":"up"}}],"unread":["/x: HTTP 500"]}})",
                    observed));
}

TEST_CASE("the hardware that was read longest ago is forgotten where there is too much of it", "[readings]") {
  const bmc::Inventory large{.serialNumber = std::string(40, 'x')};
  HardwareBook book(base::compressed(json::serialize(json::encode(large))).size() * 5 / 2);
  base::MonoTime now{1h};
  for (const auto* name : {"a", "b", "a", "c"}) book.take(name, {"metal", name}, large, now += 1min);
  CHECK_FALSE(book.find({"metal", "b"}, now));
  REQUIRE(book.find({"metal", "a"}, now));
  CHECK(book.find({"metal", "a"}, now)->age == 1min);
  CHECK(book.find({"metal", "c"}, now)->age == 0s);
  book.forget("c");
  CHECK_FALSE(book.find({"metal", "c"}, now));
}

TEST_CASE("what is not there, not fresh, or not known here is a Status that says so", "[readings]") {
  Asked asked;
  CHECK(asked.get(std::string(at) + "/sensors").first == 503);
  CHECK(asked.get(std::string(at) + "/logs").first == 503);
  asked.lead();
  for (const auto* path : {"/namespaces/metal/hosts/other/sensors", "/namespaces/metal/hosts/other/logs",
                           "/namespaces/metal", "/namespaces/m/hosts/n/inventory", "/x/m/hosts/n/logs", "/"}) {
    INFO(path);
    const auto [status, body] = asked.get(path);
    CHECK(status == 404);
    CHECK(json::textAt(body, {"reason"}) == "NotFound");
    CHECK_FALSE(json::textAt(body, {"message"}).empty());
  }
  CHECK(asked.get(std::string(at) + "/logs", "DELETE").first == 405);
  asked.clock.advance(6min);
  CHECK(asked.get(std::string(at) + "/sensors").first == 404);
  CHECK(asked.get(std::string(at) + "/logs").first == 200);
  asked.sensors.reset();
  asked.logs.reset();
  CHECK(asked.get(std::string(at) + "/sensors").first == 503);
  CHECK(asked.get(std::string(at) + "/logs").first == 503);
}

TEST_CASE("only its own paths are answered", "[readings]") {
  using coordinator::readings::Api;
  CHECK(Api::serves("/apis/readings.ingot.dev/v1alpha1"));
  CHECK(Api::serves("/apis/readings.ingot.dev/v1alpha1/namespaces"));
  CHECK_FALSE(Api::serves("/apis/readings.ingot.dev/v1alpha11"));
  CHECK_FALSE(Api::serves("/apis/readings.ingot.dev"));
}
