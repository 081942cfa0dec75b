#include "json/codec.hpp"
#include "sim/http/static_files.hpp"
#include "sim/ramdisk/digest.hpp"
#include "sim/ramdisk/parameters.hpp"
#include "sim/ramdisk/root_device.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::SimBench;
using namespace std::chrono_literals;

namespace {

// Ironic as a ramdisk sees it: what it prepared, lookup, heartbeats, inspection; and the image's server.
class FakeFront final : public net::HttpHandler {
 public:
  std::string prepared, image;
  int inspectionRefusals = 0, lookupRefusals = 0, heartbeatStatus = 202;
  std::vector<std::string> seen;
  json::Value inventory;

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    co_await out.send(answer(request));
  }

 private:
  net::HttpResponse answer(const net::ServerRequest& request) {
    const std::string path(request.path());
    seen.push_back(request.method + " " + path);
    if (path.starts_with("/pxelinux.cfg/"))
      return prepared.empty() ? net::HttpResponse{.status = 404}
                              : net::HttpResponse{.status = 200, .headers = {}, .body = prepared};
    if (path == "/image") return {.status = 200, .headers = {}, .body = image};
    if (path == "/v1/continue_inspection") {
      if (inspectionRefusals-- > 0) return {.status = 409};
      inventory = json::parse(request.body);
      return {.status = 202, .headers = {}, .body = "{}"};
    }
    if (path == "/v1/lookup") {
      if (lookupRefusals-- > 0) return {.status = 404};
      return {.status = 200, .headers = {}, .body = R"({"node":{"uuid":"n-1"},"config":{"agent_token":"tok"}})"};
    }
    if (path == "/v1/heartbeat/n-1") return {.status = heartbeatStatus};
    return {.status = 404};
  }
};

struct Booted : SimBench {
  explicit Booted(std::string parameters) {
    front.prepared = std::move(parameters);
    transport.serve("http://front", front);
    transport.serve("http://agents", ramdisks);
    agents = transport.connect({.baseUrl = "http://agents"});
    machine.boot = {.target = sim::BootDevice::pxe, .enabled = sim::OverrideEnabled::continuous};
    (void)machine.reset(sim::Reset::on);
    pass(5s);
  }
  ~Booted() { agents.reset(); }

  net::HttpResponse ask(std::string method, std::string body, const std::string& token = "tok") {
    return run(agents->send({.method = std::move(method),
                             .target = "/agent/n-1/v1/commands/?wait=false&agent_token=" + token,
                             .body = std::move(body)}));
  }
  json::Value lastCommand() { return json::parse(ask("GET", "").body).at("commands").as_array().back(); }
  long count(const std::string& request) { return std::ranges::count(front.seen, request); }

  FakeFront front;
  std::unique_ptr<net::HttpClient> agents;
};

constexpr auto deployParameters = "kernel a b ipa-api-url=http://front ipa-debug=1\nboot";

std::string writeImageOrder(const std::string& checksum) {
  return R"({"name":"deploy.execute_deploy_step","params":{"node":{},"step":{"step":"write_image","interface":"deploy","extra":7,
    "args":{"image_info":{"urls":["http://front/image"],"disk_format":"raw","os_hash_algo":"sha256","os_hash_value":")" +
         checksum + R"("}}}}})";
}

std::string sha256(const std::string& bytes) {
  sim::ramdisk::Digest digest("sha256");
  digest.add(bytes);
  return digest.hex();
}

}  // namespace

TEST_CASE("parameters are found in a script and between the bytes of an ISO") {
  const std::string iso = std::string(3000, '\0') + "ipa-api-url=http://x:6385 ipa-agent-token=abc" +
                          std::string(1, '\0') + "ipa-junk" + std::string(100, '\xff');
  const auto found = sim::ramdisk::findParameters(iso);
  REQUIRE(found);
  REQUIRE(found->apiUrl == "http://x:6385");
  REQUIRE(found->agentToken == "abc");
  REQUIRE_FALSE(sim::ramdisk::findParameters("#!ipxe\nexit"));
}

TEST_CASE("a machine for which Ironic prepared nothing stays idle") {
  Booted bench("");
  REQUIRE(bench.count("GET /v1/lookup") == 0);
}

TEST_CASE("an inspection is repeated until Ironic is ready for it") {
  Booted bench("ipa-inspection-callback-url=http://front/v1/continue_inspection");
  REQUIRE(bench.count("POST /v1/continue_inspection") == 1);
  REQUIRE(json::textAt(bench.front.inventory, {"inventory", "hostname"}) == "machine-0");
  bench.front.inspectionRefusals = 3;
  (void)bench.machine.reset(sim::Reset::forceRestart);
  bench.pass(20s);
  REQUIRE(bench.count("POST /v1/continue_inspection") == 5);
}

TEST_CASE("after its lookup the ramdisk sends heartbeats every two seconds while the machine is on") {
  Booted bench(deployParameters);
  const auto before = bench.count("POST /v1/heartbeat/n-1");
  bench.pass(20s);
  REQUIRE(bench.count("POST /v1/heartbeat/n-1") == before + 10);
  (void)bench.machine.reset(sim::Reset::forceOff);
  bench.pass(1s);
  const auto after = bench.count("POST /v1/heartbeat/n-1");
  bench.pass(1min);
  REQUIRE(bench.count("POST /v1/heartbeat/n-1") == after);
  REQUIRE(bench.ask("GET", "").status == 404);
}

TEST_CASE("a wiped token clears the commands and leads to a new lookup") {
  Booted bench(deployParameters);
  REQUIRE(bench.ask("POST", R"({"name":"clean.get_clean_steps","params":{}})").status == 200);
  bench.front.heartbeatStatus = 400;
  bench.pass(2s);
  bench.front.heartbeatStatus = 202;
  bench.pass(5s);
  REQUIRE(bench.count("GET /v1/lookup") >= 2);
  REQUIRE(json::parse(bench.ask("GET", "").body).at("commands").as_array().empty());
}

TEST_CASE("commands without the token, or unknown, are refused") {
  Booted bench(deployParameters);
  REQUIRE(bench.ask("GET", "", "wrong").status == 401);
  REQUIRE(bench.ask("POST", R"({"name":"pizza.order","params":{}})").status == 400);
  REQUIRE(bench.ask("POST", "{").status == 400);
}

TEST_CASE("a clean step runs, is echoed unchanged and is followed by a heartbeat") {
  Booted bench(deployParameters);
  bench.machine.disks[0].write(0, "something");
  const auto order =
      R"({"name":"clean.execute_clean_step","params":{"step":{"step":"erase_devices_metadata","priority":10,"x":1}}})";
  REQUIRE(json::textAt(json::parse(bench.ask("POST", order).body), {"command_status"}) == "RUNNING");
  REQUIRE(bench.ask("POST", order).status == 409);
  bench.pass(300ms);
  const auto command = bench.lastCommand();
  REQUIRE(json::textAt(command, {"command_status"}) == "SUCCEEDED");
  REQUIRE(json::equal(command.at("command_result").at("clean_step"),
                      json::parse(R"({"step":"erase_devices_metadata","priority":10,"x":1})")));
  REQUIRE(bench.machine.disks[0].read(0, 4) == std::string(4, '\0'));
}

TEST_CASE("an image whose checksum fits is written to the disk") {
  Booted bench(deployParameters);
  bench.front.image = std::string(200'000, 'i');
  bench.ask("POST", writeImageOrder(sha256(bench.front.image)));
  bench.pass(1s);
  REQUIRE(json::textAt(bench.lastCommand(), {"command_status"}) == "SUCCEEDED");
  REQUIRE(bench.machine.disks[0].read(0, 200'000) == bench.front.image);
}

TEST_CASE("a checksum mismatch fails the command and says so") {
  Booted bench(deployParameters);
  bench.front.image = "other bytes";
  bench.ask("POST", writeImageOrder(sha256("these bytes")));
  bench.pass(1s);
  const auto command = bench.lastCommand();
  REQUIRE(json::textAt(command, {"command_status"}) == "FAILED");
  REQUIRE_THAT(json::textAt(command, {"command_error", "details"}),
               Catch::Contains("failed to verify against checksum"));
}

TEST_CASE("power_off is answered, then done") {
  Booted bench(deployParameters);
  REQUIRE(bench.ask("POST", R"({"name":"standby.power_off","params":{}})").status == 200);
  bench.pass(1s);
  REQUIRE_FALSE(bench.machine.on());
}

TEST_CASE("root device hints choose the disk") {
  SimBench bench({.disks = {{.name = "/dev/sda", .sizeMiB = 2048},
                            {.name = "/dev/sdb", .sizeMiB = 16384},
                            {.name = "/dev/sdc", .sizeMiB = 8192, .serial = "S1"}}});
  const auto chosen = [&](const char* hints) {
    const auto parsed = json::parse(hints);
    auto* disk = sim::ramdisk::chooseRootDevice(bench.machine, parsed.as_object());
    return disk ? disk->spec().name : "none";
  };
  CHECK(chosen("{}") == "/dev/sdc");  // the smallest of at least 4 GiB
  CHECK(chosen(R"({"name":"s== /dev/sda"})") == "/dev/sda");
  CHECK(chosen(R"({"size":">= 10"})") == "/dev/sdb");
  CHECK(chosen(R"({"serial":"s== S1","rotational":"false"})") == "/dev/sdc");
  CHECK(chosen(R"({"model":"<in> Simulated","size":">= 100"})") == "none");
}

TEST_CASE("byte ranges") {
  const auto range = [](const char* header) {
    const auto found = sim::parseRange(header, 100);
    return found ? fmt::format("{}+{}", found->first, found->length) : "none";
  };
  CHECK(range("bytes=0-9") == "0+10");
  CHECK(range("bytes=90-") == "90+10");
  CHECK(range("bytes=-5") == "95+5");
  CHECK(range("bytes=50-500") == "50+50");
  CHECK(range("bytes=100-") == "none");
  CHECK(range("bytes=5-4") == "none");
  CHECK(range("lines=1-2") == "none");
}

TEST_CASE("files are served below their root only") {
  SimBench bench;
  std::filesystem::create_directories(bench.folder.path + "/root");
  sim::StaticFiles files(bench.folder.path + "/root");
  bench.transport.serve("http://files", files);
  auto client = bench.transport.connect({.baseUrl = "http://files"});
  const auto status = [&](const char* target) { return bench.run(client->send({.target = target})).status; };
  CHECK(status("/missing") == 404);
  CHECK(status("/../secret") == 404);
  CHECK(status("/%2e%2e/secret") == 404);
  CHECK(status("/") == 404);
}
