// Who has just started waits until a kube-apiserver reaches its webhooks before it writes.
#include "coordinator/webhooks/reach.hpp"

#include "base/log.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "net/server.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::Part;
using coordinator::webhooks::Reach;

namespace {

constexpr auto kubeServer = "http://kube";
constexpr auto noEndpoint = R"(Internal error occurred: failed calling webhook \"baremetalhost.metal3.io\": failed to )"
                            R"(call webhook: Post \"https://ingot-webhook-service.ingot-system.svc:443/validate\": )"
                            R"(no endpoints available for service \"ingot-webhook-service\")";
constexpr auto notConverted = R"(conversion webhook for infrastructure.cluster.x-k8s.io/v1beta1, Kind=Metal3Machine )"
                              R"(failed: Post \"https://ingot-webhook-service\": no endpoints available)";

struct Reaching : tests::Loop, net::HttpHandler {
  Reaching() {
    network.serve(kubeServer, *this);
    client = kube::connect(runtime, network, {.server = kubeServer});
  }
  ~Reaching() override {
    run(tasks.close());
    client.reset();
    run(network.close());
  }

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const std::string path(request.path());
    if (request.method != "GET") {
      writes.push_back(request.target);
      co_return co_await reply(out, refusalOfWrites, R"({"kind":"BareMetalHost"})");
    }
    if (isOneNamespaces && path.find("/namespaces/") == std::string::npos)
      co_return co_await out.send({403, {}, "no list of all namespaces"});
    const bool isThere = std::ranges::any_of(kinds, [&](const auto& kind) { return path.ends_with(kind); });
    co_await reply(out, refusalOfReads,
                   isThere
                       ? R"({"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a","namespace":"n"}}]})"
                       : R"({"metadata":{"resourceVersion":"1"},"items":[]})");
  }
  base::Task<void> reply(net::Responder& out, std::string refusal, std::string body) const {
    const net::Headers json{{"Content-Type", "application/json"}};
    if (refusal.empty()) co_return co_await out.send({200, json, std::move(body)});
    co_await out.send({code, json,
                       fmt::format(R"({{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError",)"
                                   R"("code":{},"message":"{}"}})",
                                   code, refusal)});
  }

  void begin(coordinator::Parts parts = {Part::host, Part::machine}, std::vector<std::string> namespaces = {}) {
    reach.emplace(
        logging, [this] { return servesSince; },
        coordinator::webhooks::ReachOptions{.parts = std::move(parts), .namespaces = std::move(namespaces)});
    tasks.spawn("waiting", wait());
    clock.advance(1ms);
  }
  base::Task<void> wait() {
    co_await reach->awaited(client->api());
    isOver = true;
  }

  [[nodiscard]] std::size_t told(std::string_view text) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(sink->lines(), [&](const auto& line) { return line.find(text) != std::string::npos; }));
  }

  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::Runtime logging{io.get_executor(), clock, *random, base::Log(sink, "test")};
  std::vector<std::string> kinds{"baremetalhosts"};
  std::string refusalOfWrites, refusalOfReads;
  int code = 500;
  bool isOneNamespaces = false;  // what the process may read
  std::vector<std::string> writes;
  std::optional<base::MonoTime> servesSince;
  bool isOver = false;
  net::Loopback network{runtime};
  std::unique_ptr<kube::Client> client;
  std::optional<Reach> reach;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("writes begin once an API server reaches whoever answers webhooks", "[webhooks][reach]") {
  Reaching site;
  const bool isOfConversion = GENERATE(false, true);
  (isOfConversion ? site.refusalOfReads : site.refusalOfWrites) = isOfConversion ? notConverted : noEndpoint;
  site.servesSince = site.clock.now();
  site.begin();
  site.clock.advance(8s);
  CHECK_FALSE(site.isOver);
  CHECK_THAT(site.reach->waitsFor(), Catch::Contains("no endpoints available"));
  site.refusalOfReads = site.refusalOfWrites = "";
  CHECK(site.clock.advanceUntil([&] { return site.isOver; }, 5s));
  CHECK(site.reach->waitsFor().empty());
  CHECK(site.told("the controllers wait until webhooks are reached") == 1);
  CHECK(site.told(" webhooks are reached") == 2);
}

TEST_CASE("what shows that webhooks are reached changes nothing", "[webhooks][reach]") {
  Reaching site;
  site.kinds = {"baremetalhosts", "metal3machines", "ippools"};
  site.servesSince = site.clock.now();
  site.begin();
  CHECK(site.isOver);
  REQUIRE(site.writes.size() == 2);  // of the parts that work here
  CHECK(site.writes[0] == "/apis/metal3.io/v1alpha1/namespaces/n/baremetalhosts/a?dryRun=All");
  CHECK(site.writes[1] == "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/n/metal3machines/a?dryRun=All");
}

TEST_CASE("who works on one namespace asks with an object of that one", "[webhooks][reach]") {
  Reaching site;
  site.isOneNamespaces = true;
  site.servesSince = site.clock.now();
  site.refusalOfWrites = noEndpoint;
  site.begin({Part::host}, {"n"});
  CHECK_FALSE(site.isOver);
  REQUIRE_FALSE(site.writes.empty());
  CHECK(site.writes.front() == "/apis/metal3.io/v1alpha1/namespaces/n/baremetalhosts/a?dryRun=All");
}

TEST_CASE("where nothing is there yet, or something else is refused, nothing is waited for", "[webhooks][reach]") {
  Reaching site;
  site.servesSince = site.clock.now();
  SECTION("no object") { site.kinds.clear(); }
  SECTION("an object that is refused") {
    site.refusalOfWrites = "admission webhook denied the request: the address is none";
    site.code = 403;
  }
  SECTION("a kind that is not there") {
    site.refusalOfReads = "the server could not find the requested resource";
    site.code = 404;
  }
  site.begin();
  CHECK(site.isOver);
}

TEST_CASE("who has served for long is an endpoint, and asks nothing", "[webhooks][reach]") {
  Reaching site;
  site.refusalOfWrites = noEndpoint;  // of a replica that was killed just now, say
  site.servesSince = site.clock.now();
  site.clock.advance(30s);
  site.begin();
  CHECK(site.isOver);
  CHECK(site.writes.empty());
}

TEST_CASE("webhooks that are never reached keep nobody from working", "[webhooks][reach]") {
  Reaching site;
  const bool serves = GENERATE(false, true);  // false: without a certificate
  if (serves) site.servesSince = site.clock.now();
  site.refusalOfWrites = noEndpoint;
  site.begin({Part::host}, {"n"});
  site.clock.advance(15s);
  CHECK_FALSE(site.isOver);
  site.clock.advance(11s);
  CHECK(site.isOver);
  CHECK(site.reach->waitsFor().empty());
  CHECK(site.told("the controllers wait until webhooks are reached") == 1);
  CHECK(site.told("webhooks are not reached: writes of what they judge will fail until they are") == 1);
}
