// spec/capm3.md §10.1 (7): the label of the Secret of a BMC's credentials holds up no machine that has its host.
#include "tests/coordinator/machine/site.hpp"

#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::string label(MachineSite& site) {
  const auto found = site.find<kube::Secret>("h1-bmc");
  const std::string* value = found ? found->metadata.label("cluster.x-k8s.io/cluster-name") : nullptr;
  return value == nullptr ? "" : *value;
}

}  // namespace

TEST_CASE("§10.1 (7) a machine that has its host comes into service though its Secret cannot be labelled",
          "[machine][secret]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle(20s);  // its status says so
  REQUIRE(site.consumer("h1") == "m1");
  const auto [method, status] =
      GENERATE(std::pair("GET", 500), std::pair("PATCH", 500), std::pair("PATCH", 409), std::pair("PATCH", 403));
  INFO(method << " " << status);
  bool isOver = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (isOver || request.method != method || !request.path().ends_with("/secrets/h1-bmc")) return std::nullopt;
    return ApiSite::Answer{status, fmt::format(R"({{"kind":"Status","code":{},"message":"etcd is slow"}})", status)};
  };
  // In no cache any more, where it is to be read from the API.
  const std::string_view environment = method == std::string("GET") ? R"(,"environment.metal3.io":null)" : "";
  site.patch<kube::Secret>(
      "h1-bmc", fmt::format(R"({{"metadata":{{"labels":{{"cluster.x-k8s.io/cluster-name":null{}}}}}}})", environment));
  site.renderData("m1");
  site.settle(20s);
  CHECK(site.host("h1").spec.image);
  SECTION("which is tried again before that") {
    CHECK(label(site).empty());
    isOver = true;
    site.settle(40s);
    CHECK(label(site) == "c1");
  }
  SECTION("in the end") {
    site.state("h1", "provisioned");
    site.join("h1", "n1");
    CHECK(site.isProvisioned("m1"));
    CHECK(label(site).empty());
    CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("True/"));
  }
}

TEST_CASE("§10.1 (7), §11 (1) a host that is taken from its machine does not keep the label of that one's Cluster",
          "[machine][secret]") {
  MachineSite site;
  site.addHost("h1");
  const bool survives = GENERATE(true, false);
  // Right after the label, before the machine shows that it has the host.
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "PATCH" && request.path().ends_with("/secrets/h1-bmc") && !survives)
      site.dieAtWrite = site.writes.size() + 1;
    co_return;
  };
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  REQUIRE(label(site) == "c1");
  REQUIRE(site.dead == !survives);
  site.meanwhile = nullptr;
  site.kill();
  site.patch<BareMetalHost>("h1", kRival);
  const bool isOfSameCluster = GENERATE(false, true);
  if (!isOfSameCluster)
    site.patch<BareMetalHost>("h1", R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":null}}})");
  SECTION("when that takes another one") {
    site.addHost("h2");
    site.start();
    site.settle(1min);
    CHECK(site.hostOf("m1") == "h2");
  }
  SECTION("when that goes") {
    site.removeMachine("m1");
    site.start();
    site.settle(1min);
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
  }
  CHECK(label(site).empty() != isOfSameCluster);
}
