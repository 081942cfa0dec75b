// spec/capm3.md §9, §10.1 and §11 against an API: hosts that refuse their claims, and claims of which nobody knows
// whether they are carried out.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

bool isPatchOf(const net::ServerRequest& request, std::string_view path) {
  return request.method == "PATCH" && request.path().ends_with(path);
}

bool isClaimOf(const net::ServerRequest& request, std::string_view path) {
  return isPatchOf(request, path) && request.body.find("consumerRef") != std::string::npos;
}

}  // namespace

TEST_CASE("a machine whose hosts all refuse their claims backs off", "[machine][refusal]") {
  constexpr int kMost = 1000;  // then the API refuses no more, so that the test ends
  MachineSite site;
  site.addHost("h1");
  site.addHost("h2");
  site.denied = "/baremetalhosts/h";
  site.denials = kMost;
  site.addMachine("m1");
  site.settle(3s);
  CHECK(kMost - site.denials < 20);
  CHECK(site.writesTo("/metal3machines/m1").size() < 12);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("the claim of host h1 was refused"));
  site.settle(3min);
  CHECK(kMost - site.denials < 50);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("the claim of host h1 was refused"));
  CHECK(site.writesTo("/metal3machines/m1/status").size() <= 2);  // it says the same
  site.denials = 0;
  site.settle(4min);
  CHECK(site.consumer(site.hostOf("m1")) == "m1");
}

TEST_CASE("a machine backs off when one host refuses its claim and another one is taken each time",
          "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  site.addHost("h2");
  site.forbidden = "/baremetalhosts/h1";
  int taken = 0;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isPatchOf(request, "/baremetalhosts/h2") || taken >= 300) return std::nullopt;
    ++taken;
    return ApiSite::Answer{409, "somebody was first"};
  };
  site.addMachine("m1");
  site.settle(3s);
  CHECK(taken > 0);
  CHECK(taken < 20);
  site.settle(3min);
  CHECK(taken < 40);
  taken = 300;
  site.settle(4min);
  CHECK(site.consumer("h2") == "m1");
}

TEST_CASE("§10.1 a machine whose claims many hosts refuse goes on to others", "[machine][refusal]") {
  MachineSite site;
  for (int i = 0; i < 14; ++i) site.addHost(fmt::format("h{}", i));
  std::set<std::string> refusing;  // the first ones that it tries, whichever these are
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "")) return std::nullopt;
    const std::string host(request.path());
    if (refusing.size() < 12) refusing.insert(host);
    if (!refusing.contains(host)) return std::nullopt;
    return ApiSite::Answer{403, "a webhook says no"};
  };
  site.addMachine("m1");
  site.settle(1min);
  CHECK(refusing.size() == 12);
  REQUIRE_FALSE(site.hostOf("m1").empty());
  CHECK(site.consumer(site.hostOf("m1")) == "m1");
}

TEST_CASE("§10.1 a machine whose claims all hosts have refused begins anew", "[machine][refusal]") {
  MachineSite site;
  for (int i = 0; i < 7; ++i) site.addHost(fmt::format("h{}", i));
  std::string first;
  bool isOver = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "")) return std::nullopt;
    if (first.empty()) first = request.path();
    if (isOver && request.path() == first) return std::nullopt;
    return ApiSite::Answer{403, "a webhook says no"};
  };
  site.addMachine("m1");
  site.settle(1min);
  isOver = true;
  site.settle(5min);
  REQUIRE_FALSE(site.hostOf("m1").empty());
  CHECK(first.ends_with("/" + site.hostOf("m1")));
  CHECK(site.consumer(site.hostOf("m1")) == "m1");
}

TEST_CASE("§10.1 what is told of refused claims stands still, and a deletion minds none of them",
          "[machine][refusal]") {
  MachineSite site;
  for (int i = 0; i < 14; ++i) site.addHost(fmt::format("h{}", i));
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "")) return std::nullopt;
    return ApiSite::Answer{403, "a webhook says no"};
  };
  site.addMachine("m1");
  site.settle(10min);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("the claim of host h0 was refused"));
  site.writes.clear();
  site.settle(20min);
  CHECK(site.writesTo("/metal3machines/m1/status").empty());
  site.writes.clear();
  site.removeMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.writesTo("/baremetalhosts/").size() <= 2);  // of the one that it links to
}

TEST_CASE("§9.4 a machine that found the only host held by another's claim gets it when that fails",
          "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  bool isUnderWay = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (!isClaimOf(request, "/baremetalhosts/h1") || request.body.find("\"m1\"") == std::string::npos) co_return;
    isUnderWay = true;
    co_await site.loop.clock.sleepFor(5s);
  };
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "/baremetalhosts/h1") || request.body.find("\"m1\"") == std::string::npos)
      return std::nullopt;
    return ApiSite::Answer{403, "a webhook says no"};
  };
  site.addMachine("m1");
  site.settle(1s);
  REQUIRE(isUnderWay);
  site.addMachine("m2");
  site.settle(2s);
  CHECK(site.consumer("h1").empty());
  site.settle(4s);
  CHECK(site.consumer("h1") == "m2");
}

TEST_CASE("§9.4 machines whose claims are all refused do not wake each other for ever", "[machine][refusal]") {
  MachineSite site;
  for (const char* host : {"h1", "h2", "h3"}) site.addHost(host);
  int claims = 0;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (isClaimOf(request, "")) co_await site.loop.clock.sleepFor(10ms);
  };
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "")) return std::nullopt;
    if (++claims > 3000) return std::nullopt;  // so that the test ends
    return ApiSite::Answer{403, "a webhook says no"};
  };
  for (const char* machine : {"m1", "m2", "m3", "m4"}) site.addMachine(machine);
  site.settle(1min);
  CHECK(claims < 400);
}

TEST_CASE("a machine waits half a minute while the cache of hosts shows one free that is not", "[machine][rivals]") {
  MachineSite site;
  site.addHost("h1");
  site.kill();
  site.heldWatch = "/baremetalhosts";
  site.watchHeldFor = 2min;
  site.start();
  site.settle(1s);
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal",)"
                                  R"("name":"rival","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  int written = 0;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isPatchOf(request, "/metal3machines/m1") || ++written <= 100) return std::nullopt;
    return ApiSite::Answer{500, "enough, so that the test ends"};
  };
  site.addMachine("m1");
  site.settle(10s);
  CHECK(site.writesTo("/metal3machines/m1").size() <= 4);
  CHECK(site.hostOf("m1").empty());
  site.settle(5min);
  CHECK(site.consumer("h1") == "rival");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("no available host found (1 host: 1 in use)"));
}

TEST_CASE("what somebody takes off a machine that has a host is put back at once", "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  REQUIRE(site.machine("m1").metadata.finalizers.size() == 1);
  SECTION("the finalizer") { site.patch<Metal3Machine>("m1", R"({"metadata":{"finalizers":null}})"); }
  SECTION("the link") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":null}}})");
  }
  site.settle(1s);
  CHECK(site.machine("m1").metadata.finalizers.size() == 1);
  CHECK(site.hostOf("m1") == "h1");
}

TEST_CASE("§11 a claim that is carried out late keeps no host that its machine has turned away from",
          "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  std::string claim;
  bool refuses = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "/baremetalhosts/h1")) return std::nullopt;
    if (refuses) return ApiSite::Answer{403, "a webhook says no"};
    claim = request.body;
    return ApiSite::Answer{};  // none: it may be carried out yet
  };
  site.addMachine("m1");
  site.settle(1s);
  REQUIRE_FALSE(claim.empty());
  refuses = true;
  site.addHost("h2");
  site.settle(2min);
  REQUIRE(site.hostOf("m1") == "h2");
  site.removeMachine("m1");
  site.settle();
  site.state("h2", "available");
  site.settle(2min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.consumer("h2").empty());
  CHECK_THROWS_AS(site.patch<BareMetalHost>("h1", claim), kube::Error);
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.host("h1").metadata.annotations.contains("ingot.dev/let-go-by"));
}

TEST_CASE("§8.5, §11 a machine that gives up its host is held as long as a claim of its may be carried out late",
          "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  std::string claim;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!isClaimOf(request, "/baremetalhosts/h1")) return std::nullopt;
    if (!claim.empty()) return ApiSite::Answer{403, "a webhook says no"};
    claim = request.body;
    return ApiSite::Answer{};  // none: it may be carried out yet
  };
  site.addMachine("m1", withTemplate);
  site.settle(1s);
  REQUIRE_FALSE(claim.empty());
  site.addHost("h2");
  site.settle(2min);
  REQUIRE(site.hostOf("m1") == "h2");
  site.patch<BareMetalHost>("h1",
                            R"({"spec":{"online":true,"image":{"url":"http://images/other.raw","checksum":"c"}}})");
  const auto last = site.host("h1").metadata.resourceVersion;
  site.remove<BareMetalHost>("h2");
  site.settle(1min);
  REQUIRE(site.hostOf("m1").empty());
  CHECK(site.machine("m1").metadata.finalizers.size() == 1);
  site.instead = nullptr;
  site.removeMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h1").metadata.resourceVersion != last);  // which outruns the claim
  CHECK(site.consumer("h1").empty());
}

TEST_CASE("§11 a host that refuses every write keeps no machine that has another host from going",
          "[machine][departure]") {
  MachineSite site;
  site.addHost("h1");
  site.forbidden = "/baremetalhosts/h1";
  site.addMachine("m1");
  site.settle();
  site.addHost("h2");
  site.settle(3min);
  REQUIRE(site.consumer("h2") == "m1");
  site.removeMachine("m1");
  site.settle();
  site.state("h2", "available");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.consumer("h2").empty());
}
