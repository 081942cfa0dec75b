// spec/capm3.md §9: why a machine has the host that it has, or none, in words.
#include "coordinator/machine/explanation.hpp"

#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using coordinator::machine::HostSelector;
using coordinator::machine::whyNoHost;
using coordinator::machine::whyThisHost;

namespace {

const std::string kDomain = "infrastructure.cluster.x-k8s.io/failure-domain";

void inRack(Metal3Machine& machine) { machine.spec.hostSelector.emplace().matchLabels["rack"] = "a"; }

}  // namespace

TEST_CASE("a machine says why it has its host", "[machine][explanation]") {
  MachineSite site;
  const std::string has = "True/AssociateBareMetalHostSuccess: host ";
  SECTION("the only one") {
    site.addHost("h1");
    site.addMachine("m1");
    site.settle();
    CHECK(site.condition("m1", kAssociate) == has + "h1, the only one that fits");
  }
  SECTION("one of several, with what speaks against the others") {
    site.addHost("h1", {{"rack", "a"}});
    site.addHost("h2", {{"rack", "a"}});
    site.addHost("h3", {{"rack", "b"}});
    site.addHost("h4", {{"rack", "a"}}, "inspecting");
    site.addMachine("m1", inRack);
    site.settle();
    CHECK(site.condition("m1", kAssociate) ==
          has + site.hostOf("m1") +
              ", one of 2 that fit (4 hosts: 1 not available (inspecting), 1 without label rack=a)");
  }
  SECTION("also when that is shown later") {
    site.addHost("h1");
    site.addMachine("m1", withTemplate);
    site.settle(20s);
    CHECK(site.condition("m1", kAssociate) == has + "h1, the only one that fits");
    site.renderData("m1");
    CHECK(site.condition("m1", kAssociate) == has + "h1, the only one that fits");
  }
}

TEST_CASE("failure domains, and fleets too large to count, in words", "[machine][explanation]") {
  std::vector<BareMetalHost> hosts(3);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    hosts[i].metadata = {.name = fmt::format("h{}", i), .namespace_ = "metal"};
    hosts[i].metadata.labels[kDomain] = i == 0 ? "r1" : "r2";
    hosts[i].status.provisioning.state = "available";
  }
  Metal3Machine machine;
  machine.metadata = {.name = "m1", .namespace_ = "metal"};
  const HostSelector any;
  const auto why = [&](const std::string& domain) {
    std::vector<const BareMetalHost*> seen;
    for (const auto& host : hosts) seen.push_back(&host);
    machine.spec.failureDomain = domain;
    return whyThisHost(seen, 7, {machine, any, ""}, {.host = seen.front()});
  };
  CHECK(why("") == "host h0, one of 3 that fit (10 hosts: 7 in use)");
  CHECK(why("r1") ==
        "host h0, the only one that fits in failure domain r1 (10 hosts: 7 in use, 2 in another failure domain)");
  CHECK(why("r9") == "host h0, one of 3 that fit, as failure domain r9 has none (10 hosts: 7 in use)");
  CHECK(whyThisHost(300, 7, {machine, any, ""}, {.host = &hosts[0]}) ==
        "host h0, as failure domain r9 has none (of 300 that nobody has; 7 in use)");
  CHECK(whyThisHost(1, 0, {machine, any, "cp-a"}, {.host = &hosts[0], .forReuse = true}) ==
        "host h0, which is kept for cp-a");
}

TEST_CASE("§9 hosts that cannot be read are told of where a machine finds none", "[machine][explanation]") {
  Metal3Machine machine;
  machine.metadata = {.name = "m1", .namespace_ = "metal"};
  const HostSelector any;
  CHECK(whyNoHost({}, 0, {machine, any, ""}) == "no host in namespace metal");
  CHECK(whyNoHost({}, 0, {machine, any, ""}, {}, 2) == "2 hosts: 2 that cannot be read");
  CHECK(whyNoHost({}, 7, {machine, any, ""}, {}, 2) == "9 hosts: 7 in use, 2 that cannot be read");
}

TEST_CASE("§9 a machine that finds no host counts those that cannot be read", "[machine][explanation]") {
  MachineSite site;
  site.kill();
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "h1"});  // the API lists none that it cannot read
  site.unreadable.add("baremetalhosts.metal3.io", {"elsewhere", "h2"});
  site.start();
  site.addMachine("m1");
  site.settle();
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::Contains("no available host found (1 host: 1 that cannot be read)"));
}

TEST_CASE("§9 a host that was free and cannot be read any more is told of as such", "[machine][explanation]") {
  MachineSite site;
  site.addHost("h1");
  site.addHost("h2", {}, "inspecting");
  site.patch<BareMetalHost>("h1", kRival);
  site.addMachine("m1");
  site.settle();
  REQUIRE_THAT(site.condition("m1", kAssociate), Catch::Contains("(2 hosts: 1 in use, 1 not available (inspecting))"));
  json::Array listed;
  for (const auto& host : site.all<BareMetalHost>()) {
    listed.push_back(kube::encodeObject(host));
    listed.back().get_object()["spec"].get_object()["online"] = "perhaps";
  }
  const json::Object list{{"kind", "BareMetalHostList"},
                          {"apiVersion", "metal3.io/v1alpha1"},
                          {"metadata", json::Object{{"resourceVersion", site.host("h2").metadata.resourceVersion}}},
                          {"items", std::move(listed)}};
  int expired = 0, told = 0;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!request.path().ends_with("/baremetalhosts")) return std::nullopt;
    if (request.query().contains("watch=true")) {
      if (expired++ > 0) return std::nullopt;
      return ApiSite::Answer{410, R"({"kind":"Status","status":"Failure","reason":"Expired","code":410})"};
    }
    ++told;
    return ApiSite::Answer{200, json::serialize(list)};
  };
  site.settle(20min);
  REQUIRE(told == 1);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("(2 hosts: 1 in use, 1 that cannot be read)"));
}
