// What stands in status.errorMessage is true: no object is missed that is there, and an API that fails is named as long
// as it does (spec/capm3.md §15, §16).
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

std::string toldOfData(DataSite& site) { return site.find<Metal3Data>("dt-0")->status.errorMessage; }

std::string toldOfClaim(DataSite& site) { return site.find<Metal3DataClaim>("m0")->status.errorMessage; }

void checkQuietlyReady(DataSite& site) {
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(toldOfData(site).empty());
  CHECK(toldOfClaim(site).empty());
}

}  // namespace

TEST_CASE("what another process tells of an API that fails is left to it", "[data][hindrances]") {
  DataSite site;
  site.kill();
  site.watchFilter = "blue";
  site.start();
  site.create(dataTemplate(kPlain));  // another process's
  site.addMachine("m0");
  site.settle(1min);
  site.patchStatus<Metal3DataClaim>("m0", R"({"status":{"errorMessage":"the API fails: x"}})");
  site.writes.clear();
  site.settle(10min);
  CHECK(site.writes.empty());
  CHECK(toldOfClaim(site) == "the API fails: x");
}

TEST_CASE("what is there is not missed, though it is paused or another process's", "[data][hindrances]") {
  DataSite site;
  const int what = GENERATE(0, 1, 2);
  CAPTURE(what);
  if (what == 1) {
    site.kill();
    site.watchFilter = "blue";
    site.start();
  }
  if (what == 2) {
    site.create(dataTemplate(kPlain));
    site.remove<Cluster>("c1");
  }
  site.addMachine("m0");
  site.settle(1min);
  REQUIRE((what == 2 ? toldOfData(site) : toldOfClaim(site)).ends_with(" does not exist"));
  if (what == 2) {
    site.create(clusterC1(true));
  } else {
    auto late = dataTemplate(kPlain);
    if (what == 0) late.metadata.annotations["cluster.x-k8s.io/paused"] = "";
    site.create(late);
  }
  site.settle();
  CHECK(toldOfClaim(site).empty());
  CHECK((what == 2 ? toldOfData(site) : "").empty());
  site.writes.clear();
  site.settle(10min);
  CHECK(site.writes.empty());
  if (what == 1) return;
  if (what == 0) site.patch<Metal3DataTemplate>("dt", R"({"metadata":{"annotations":null}})");
  if (what == 2) site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  checkQuietlyReady(site);
}

TEST_CASE("data say what their pool waits for, not that it is missing", "[data][hindrances]") {
  DataSite site;
  site.create(dataTemplate(kWithPool));
  site.addMachine("m0");
  site.settle(1min);
  REQUIRE(toldOfData(site) == "waiting for addresses of IPPool prov (there is no such IPPool)");
  IPPool pool = poolNamed("prov", "10.0.0.10", "10.0.0.11");
  pool.spec.clusterName = "c2";
  site.create(pool);
  site.settle();
  CHECK(toldOfData(site) ==
        "waiting for addresses of IPPool prov (IPClaim dt-0-prov has no address yet: pool metal/prov "
        "waits for Cluster c2, which does not exist)");
}

TEST_CASE("§15, §16 an API that goes on failing is told of, until it works", "[data][hindrances]") {
  struct Row {
    std::string method, path;
    int status;
    bool onClaim;
  };
  const auto row = GENERATE(values<Row>({{"POST", "/metal3datas", 500, true},
                                         {"GET", "/baremetalhosts/host-m0", 403, false},
                                         {"POST", "/secrets", 503, false}}));
  CAPTURE(row.method, row.path);
  int tries = 0;  // each has words of its own, and they are told once in five minutes
  DataSite site;
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.11"));
  site.create(dataTemplate(kWithPool));
  site.settle();
  site.instead = [&](const net::ServerRequest& request) -> std::optional<DataSite::Answer> {
    const bool isIt = request.method == row.method && request.path().ends_with(row.path) && request.query().empty();
    if (!isIt) return std::nullopt;
    return DataSite::Answer{row.status,
                            fmt::format("failed calling webhook, try {}: {}", ++tries, std::string(2'000, 'x'))};
  };
  const auto error = [&] { return row.onClaim ? toldOfClaim(site) : toldOfData(site); };
  site.addMachine("m0");
  site.settle(45s);
  CHECK(error().empty());
  site.settle(2min);
  CHECK_THAT(error(), Catch::StartsWith("the API fails: "));
  CHECK(error().size() <= 512);
  CHECK(site.told("ApiFails") == 1);
  const int before = tries;
  site.settle(30min);
  CHECK(tries - before >= 15);
  CHECK(site.told("ApiFails") <= 7);
  SECTION("and all is well") {
    site.instead = nullptr;
    site.settle(2min);
    checkQuietlyReady(site);
    CHECK(site.breaches().empty());
  }
  SECTION("and something else is waited for") {
    if (row.onClaim) site.remove<Metal3DataTemplate>("dt");
    if (!row.onClaim) site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m9"}}})");
    site.instead = nullptr;
    site.settle(1s);
    if (!row.onClaim) CHECK(toldOfData(site).empty());
    site.settle(3min);
    CHECK_FALSE(error().empty());
    CHECK_FALSE(error().starts_with("the API fails"));
  }
  SECTION("and nobody tries any more, as its Cluster is paused") {
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.settle();
    CHECK(error().empty());
    site.writes.clear();
    site.settle(10min);
    CHECK(site.writes.empty());
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
    site.settle(45s);
    CHECK(error().empty());
    site.settle(3min);
    CHECK_THAT(error(), Catch::StartsWith("the API fails: "));
  }
}

TEST_CASE("§15.2 an API that goes on failing is told of on the template", "[data][hindrances]") {
  DataSite site;
  int tries = 0;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<DataSite::Answer> {
    if (request.method != "PATCH" || !request.path().ends_with("/metal3datatemplates/dt")) return std::nullopt;
    return DataSite::Answer{500, fmt::format("failed calling webhook, try {}", ++tries)};
  };
  site.create(dataTemplate(kWithPool));
  site.settle(45s);
  CHECK(site.told("ApiFails") == 0);
  site.settle(2min);
  CHECK(site.told("ApiFails") == 1);
  const int before = tries;
  site.settle(30min);
  CHECK(tries - before >= 15);
  CHECK(site.told("ApiFails") <= 7);  // other words once in five minutes
  site.instead = nullptr;
  site.settle(2min);
  CHECK_FALSE(site.find<Metal3DataTemplate>("dt")->metadata.finalizers.empty());
}

TEST_CASE("data that are ready stay so while the API fails", "[data][hindrances]") {
  DataSite site;
  site.settleOneMachine();
  site.instead = [](const net::ServerRequest& request) -> std::optional<DataSite::Answer> {
    if (request.method != "POST" || !request.path().ends_with("/secrets")) return std::nullopt;
    return DataSite::Answer{500, "no"};
  };
  site.remove<kube::Secret>("m0-metadata");
  site.settle(5min);
  CHECK_THAT(toldOfData(site), Catch::StartsWith("the API fails: "));
  CHECK(site.isReady("dt-0"));
  site.instead = nullptr;
  site.settle(2min);
  checkQuietlyReady(site);
}
