// The double against what a real Ironic answered to the same requests (tests/data/ironic/answers.json, recorded and
// held true by tests/integration/ironic/answers.py): status codes, and where the node is then.
#include "base/file.hpp"
#include "tests/ironic-client/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct Teller {
  Loop loop;
  net::Loopback net{loop.runtime};
  FakeIronic ironic{loop.runtime};
  std::unique_ptr<net::HttpClient> http;

  Teller() {
    net.serve("http://ironic:6385", ironic);
    http = net.connect({.baseUrl = "http://ironic:6385"});
  }

  net::HttpResponse call(const std::string& method, const std::string& path, const json::Value* body) {
    net::HttpRequest request{.method = method, .target = path};
    request.headers.set("X-OpenStack-Ironic-API-Version", "1.110");
    if (body != nullptr) request.body = json::serialize(*body);
    return loop.run(http->send(std::move(request)));
  }

  std::string create(const json::Value& story) {
    json::Object record = json::find(story, {"node"})->get_object();
    record["name"] = json::textAt(story, {"name"});
    const json::Value body(record);
    const auto made = call("POST", "/v1/nodes", &body);
    REQUIRE(made.status == 201);
    const std::string uuid = json::textAt(json::parse(made.body), {"uuid"});
    if (json::textAt(body, {"boot_interface"}) == "ipxe") ironic.stallRamdisk(uuid);  // nobody boots it there either
    return uuid;
  }

  // Waits as the recorder does: for one of the states (for any state when none is named, or the request was refused),
  // and until nobody holds the node.
  bool settles(const std::string& uuid, const json::Value& step) {
    const bool accepted = json::intAt(step, {"status"}) < 300;
    const auto* wanted = accepted ? json::arrayAt(step, {"until"}) : nullptr;
    const json::Value* fault = json::find(step, {"fault"});
    const auto there = [&] {
      const json::Object& node = ironic.record(uuid);
      const bool held =
          !json::textAt(node, {"reservation"}).empty() || !json::textAt(node, {"target_power_state"}).empty();
      if (fault != nullptr && json::textAt(node, {"fault"}) != fault->as_string()) return false;
      if (json::boolAt(step, {"forgotten"}) && !json::textAt(node, {"last_error"}).empty()) return false;
      if (held || wanted == nullptr) return !held;
      return std::ranges::any_of(*wanted, [&](const auto& state) { return node.at("provision_state") == state; });
    };
    for (int i = 0; i < 12000 && !there(); ++i) loop.clock.advance(100ms);
    return there();
  }

  // The fields by which a step is judged, as far as they are set.
  json::Object shown(const std::string& uuid, bool power) {
    const json::Object& node = ironic.record(uuid);
    const std::string error = json::textAt(node, {"last_error"});
    json::Object out;
    const auto noteText = [&](const char* key) {
      if (const std::string text = json::textAt(node, {key}); !text.empty()) out[key] = text;
    };
    for (const char* key : {"provision_state", "target_provision_state", "target_power_state", "fault"}) noteText(key);
    const auto note = [&](const char* what, bool holds) {
      if (holds) out[what] = true;
    };
    note("maintenance", json::boolAt(node, {"maintenance"}).value_or(false));
    note("error", !error.empty());
    note("aborted", error.find("aborted") != std::string::npos);
    note("instance_uuid", !json::textAt(node, {"instance_uuid"}).empty());
    note("instance_info", !node.at("instance_info").get_object().empty());
    if (power) noteText("power_state");
    return out;
  }
};

void breakIfTold(Teller& teller, const std::string& uuid, const json::Value& step) {
  const std::string breaks = json::textAt(step, {"breaks"});
  teller.ironic.breakPower(uuid, breaks == "power" ? "it broke" : "");
  if (const std::string bmc = json::textAt(step, {"bmc"}); !bmc.empty())
    teller.ironic.loseBmc(uuid, bmc == "lost" ? "it does not answer" : "");
  const auto verb = json::enumFromText<ironic::Verb>(breaks);
  if (!verb) return;
  teller.ironic.stallRamdisk(uuid, false);  // nothing waits where work breaks before
  teller.ironic.breakNext(uuid, *verb, "it broke");
}

void retell(const json::Value& story) {
  Teller teller;
  const std::string uuid = teller.create(story);
  for (const json::Value& step : *json::arrayAt(story, {"steps"})) {
    INFO(json::textAt(story, {"name"}) << ": " << json::serialize(step));
    const std::string method = json::textAt(step, {"method"}), below = json::textAt(step, {"path"});
    breakIfTold(teller, uuid, step);
    const bool own = below.empty() || below.starts_with("?");  // of the node itself
    const std::string path = fmt::format("/v1/nodes/{}{}{}", uuid, own ? "" : "/", below);
    const auto answer = teller.call(method, path, json::find(step, {"body"}));
    CHECK(json::Value(answer.status) == *json::find(step, {"status"}));
    const json::Value* then = json::find(step, {"then"});
    if (then == nullptr) continue;  // the node is no more
    REQUIRE(teller.ironic.has(uuid));
    CHECK(teller.settles(uuid, step));
    CHECK(json::serialize(teller.shown(uuid, below == "states/power" || !json::textAt(step, {"fault"}).empty())) ==
          json::serialize(*then));
  }
}

}  // namespace

// docs/spec/ironic.md §3.3. The recorded stories have nobody who answers and does not obey.
TEST_CASE("the double gives up on a machine that answers and does not obey, as Ironic does") {
  Teller teller;
  const std::string uuid = teller.create(json::parse(R"({"name":"n","node":{"driver":"fake-hardware"}})"));
  teller.ironic.record(uuid)["provision_state"] = "active";
  teller.ironic.record(uuid)["power_state"] = "power on";
  REQUIRE_FALSE(teller.ironic.machineOn(uuid));
  const auto fault = [&] { return json::textAt(teller.ironic.record(uuid), {"fault"}); };
  SECTION("it is put right where it obeys") {
    teller.loop.clock.advance(120s);
    CHECK(fault().empty());
    CHECK(teller.ironic.machineOn(uuid));
  }
  SECTION("it is not, and left alone after more than three looks") {
    teller.ironic.breakPower(uuid, "the relay is stuck");
    teller.loop.clock.advance(360s);
    CHECK(fault().empty());
    teller.loop.clock.advance(120s);
    CHECK(fault() == "power failure");
    CHECK(teller.ironic.record(uuid)["power_state"] == "power off");
    CHECK(json::boolAt(teller.ironic.record(uuid), {"maintenance"}) == std::optional(true));
    teller.loop.clock.advance(300s);  // the recovery only reads
    CHECK(fault().empty());
    CHECK(teller.ironic.record(uuid)["power_state"] == "power off");
  }
}

TEST_CASE("the double answers as a real Ironic did") {
  const json::Value stories = json::parse(base::readFile(INGOT_SOURCE_DIR "/tests/data/ironic/answers.json"));
  REQUIRE(stories.get_array().size() >= 13);
  for (const json::Value& story : stories.get_array()) retell(story);
}
