// /metrics at --diagnostics-address: who may read it.
#include "coordinator/diagnostics/server.hpp"

#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::diagnostics::Access;
using coordinator::diagnostics::Guard;

// Knows two tokens; the owner of one may read metrics.
class Reviewer final : public net::HttpHandler {
 public:
  explicit Reviewer(base::Clock& clock) : clock_(clock) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    asked.emplace_back(request.path());
    if (isSilent) co_await clock_.sleepFor(1h);
    if (isDown) co_return co_await out.send({.status = 403, .body = "{}"});
    json::Value review = json::parse(request.body);
    auto& object = review.as_object();
    object["status"] = request.path().ends_with("tokenreviews") ? identify(object) : judge(object);
    co_await out.send(
        {.status = 201, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(review)});
  }

  std::vector<std::string> asked;
  json::Value judged;  // the last spec
  bool isDown = false, isSilent = false, revoked = false;

 private:
  static json::Object identify(const json::Object& review) {
    const std::string token = json::textAt(review.at("spec"), {"token"});
    if (token != "scraper" && token != "guest") return {{"authenticated", false}};
    return {{"authenticated", true},
            {"user", json::Object{{"username", token}, {"uid", "7"}, {"groups", json::Array{"g"}}}}};
  }
  json::Object judge(const json::Object& review) {
    judged = review.at("spec");
    return {{"allowed", !revoked && json::textAt(judged, {"user"}) == "scraper"}};
  }

  base::Clock& clock_;
};

struct GuardedPage {
  explicit GuardedPage(bool everybody = false) : guard({.metrics = page}, everybody ? nullptr : &access) {
    network.serve("https://kube", reviewer);
    network.serve("https://page", guard);
    client = network.connect({.baseUrl = "https://page", .maxConnections = 16});
  }
  ~GuardedPage() { loop.run(network.close()); }

  int get(const std::string& authorization, const std::string& path = "/metrics") {
    net::HttpRequest request{.target = path};
    if (!authorization.empty()) request.headers.set("Authorization", authorization);
    const auto answer = loop.run(client->send(std::move(request)));
    CHECK((answer.body == "the page") == (answer.status == 200));
    return answer.status;
  }

  base::Task<void> waitAs(std::string authorization) {
    net::HttpRequest request{.target = "/metrics", .deadline = 1h};
    request.headers.set("Authorization", authorization);
    static_cast<void>(co_await client->send(std::move(request)));
  }

  Loop loop;
  net::Loopback network{loop.runtime};
  Reviewer reviewer{loop.clock};
  std::unique_ptr<kube::Client> kubernetes = kube::connect(loop.runtime, network, {.server = "https://kube"});
  Access access{loop.runtime, kubernetes->api()};
  Handler page{[](net::ServerRequest, net::Responder& out) { return out.send({.status = 200, .body = "the page"}); }};
  Guard guard;
  std::unique_ptr<net::HttpClient> client;
};

}  // namespace

TEST_CASE("metrics are for whom Kubernetes knows and allows to get them", "[diagnostics]") {
  GuardedPage site;
  CHECK(site.get("Bearer scraper") == 200);
  CHECK(json::equal(site.reviewer.judged, json::parse(R"({"user":"scraper","uid":"7","groups":["g"],)"
                                                      R"("nonResourceAttributes":{"path":"/metrics","verb":"get"}})")));
  CHECK(site.get("bearer  scraper ") == 200);
  CHECK(site.get("Bearer guest") == 403);
  CHECK(site.get("Bearer nobody") == 401);
}

TEST_CASE("who shows no token costs Kubernetes nothing", "[diagnostics]") {
  GuardedPage site;
  for (const char* none : {"", "Bearer", "Bearer ", "Basic c2NyYXBlcg=="}) CHECK(site.get(none) == 401);
  for (const char* other : {"/", "/healthz", "/debug/pprof/", "/metrics/"})
    CHECK(site.get("Bearer scraper", other) == 404);
  CHECK(site.reviewer.asked.empty());
}

TEST_CASE("an answer is remembered for a minute, a refusal for ten seconds", "[diagnostics]") {
  GuardedPage site;
  for (int i = 0; i < 3; ++i) CHECK(site.get("Bearer scraper") == 200);
  CHECK(site.reviewer.asked.size() == 2);
  for (int i = 0; i < 3; ++i) CHECK(site.get("Bearer nobody") == 401);
  CHECK(site.reviewer.asked.size() == 3);
  site.loop.clock.advance(11s);
  CHECK(site.get("Bearer nobody") == 401);
  CHECK(site.reviewer.asked.size() == 4);
  CHECK(site.get("Bearer scraper") == 200);
  CHECK(site.reviewer.asked.size() == 4);
  site.loop.clock.advance(1min);
  CHECK(site.get("Bearer scraper") == 200);
  CHECK(site.reviewer.asked.size() == 6);
}

TEST_CASE("nobody is let in while Kubernetes cannot be asked, and that is not remembered", "[diagnostics]") {
  GuardedPage site;
  site.reviewer.isDown = true;
  CHECK(site.get("Bearer scraper") == 500);
  site.reviewer.isDown = false;
  CHECK(site.get("Bearer scraper") == 200);
}

TEST_CASE("a few tokens are looked up at a time, and who is known is let in meanwhile", "[diagnostics]") {
  GuardedPage site;
  CHECK(site.get("Bearer scraper") == 200);
  site.reviewer.isSilent = true;
  base::TaskGroup strangers(site.loop.runtime.executor, site.loop.runtime.log);
  for (int i = 0; i < 4; ++i) strangers.spawn("stranger", site.waitAs(fmt::format("Bearer made-up-{}", i)));
  site.loop.clock.settle();
  CHECK(site.get("Bearer one-more") == 503);
  CHECK(site.reviewer.asked.size() == 2 + 4);
  CHECK(site.get("Bearer scraper") == 200);
  site.loop.run(strangers.close());
  site.reviewer.isSilent = false;
  CHECK(site.get("Bearer one-more") == 401);  // those who left are not counted any more
}

TEST_CASE("strangers who make up tokens take no place of one that was good lately", "[diagnostics]") {
  GuardedPage site;
  CHECK(site.get("Bearer scraper") == 200);
  for (int i = 0; i < 100; ++i) CHECK(site.get(fmt::format("Bearer made-up-{}", i)) == 401);
  site.reviewer.asked.clear();
  CHECK(site.get("Bearer scraper") == 200);
  CHECK(site.reviewer.asked.empty());  // it is still remembered
  const bool isRecent = GENERATE(true, false);
  site.loop.clock.advance(isRecent ? 61s : 11min);
  site.reviewer.isSilent = true;
  base::TaskGroup strangers(site.loop.runtime.executor, site.loop.runtime.log);
  for (int i = 0; i < 4; ++i) strangers.spawn("stranger", site.waitAs(fmt::format("Bearer silent-{}", i)));
  site.loop.clock.settle();
  site.reviewer.isSilent = false;
  CHECK(site.get("Bearer one-more") == 503);
  CHECK(site.get("Bearer scraper") == (isRecent ? 200 : 503));  // looked up anew while they wait, though not for ever
  site.loop.run(strangers.close());
}

TEST_CASE("a token that was good and is no more is refused", "[diagnostics]") {
  GuardedPage site;
  CHECK(site.get("Bearer scraper") == 200);
  site.loop.clock.advance(61s);
  site.reviewer.revoked = true;
  CHECK(site.get("Bearer scraper") == 403);
  CHECK(site.get("Bearer scraper") == 403);
  site.reviewer.revoked = false;
  site.loop.clock.advance(11s);
  CHECK(site.get("Bearer scraper") == 200);
}

TEST_CASE("insecure diagnostics are for everybody, and nothing else is", "[diagnostics]") {
  GuardedPage site(true);
  CHECK(site.get("") == 200);
  CHECK(site.get("", "/healthz") == 404);
  CHECK(site.reviewer.asked.empty());
}

}  // namespace ingot::tests
