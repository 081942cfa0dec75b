// spec/capm3.md §10.1: what a machine has told a host binds it to that host, whatever other host names it as its
// consumer: by an old manifest, by a mistake, or by a claim that was carried out late.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Merged into a host: it names m1.
constexpr const char* kNamesM1 = R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                 R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})";
constexpr const char* kNobodys = R"({"spec":{"consumerRef":null}})";

// m1 has told h1 what to run; h2 is free.
void deployBeside(MachineSite& site, bool withData) {
  if (withData)
    site.deploy(withTemplate);
  else
    site.deploy();
  site.addHost("h2");
}

}  // namespace

TEST_CASE("§10.1 a machine in service moves onto no other host that names it", "[machine][bound]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.addHost("h2");
  site.patch<BareMetalHost>("h2", kNamesM1);
  site.settle();
  const auto before = site.host("h2").spec;
  SECTION("when its host is deleted") {
    site.remove<BareMetalHost>("h1");
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("BareMetalHost not found for machine m1"));
  }
  SECTION("when its host loses its consumer") {
    site.patch<BareMetalHost>("h1", kNobodys);
    site.settle(2min);
    CHECK(site.consumer("h1") == "m1");  // it runs with the machine's user data
  }
  SECTION("when its host is another's") {
    site.patch<BareMetalHost>("h1", kRival);
    site.settle(2min);
    CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h1 is used by Metal3Machine metal/rival"));
  }
  SECTION("when the status is lost, too") {
    site.kill();
    site.patchStatus<Metal3Machine>("m1", R"({"status":null})");
    site.remove<BareMetalHost>("h1");
    site.start();
    site.settle(2min);
  }
  CHECK(site.hostOf("m1") == "h1");
  CHECK(site.host("h2").spec == before);
}

TEST_CASE("§10.1 a machine that has told its host what to run stays with that one, although another names it",
          "[machine][bound]") {
  MachineSite site;
  deployBeside(site, GENERATE(true, false));
  site.patch<BareMetalHost>("h2", kNamesM1);
  site.settle();
  bool isLost = false;
  SECTION("its host is gone") {
    site.remove<BareMetalHost>("h1");
    isLost = true;
  }
  SECTION("its host has lost its consumer") { site.patch<BareMetalHost>("h1", kNobodys); }
  SECTION("its host has lost its consumer, and the machine its status") {
    site.kill();
    site.patch<BareMetalHost>("h1", kNobodys);
    site.patchStatus<Metal3Machine>("m1", R"({"status":null})");
    site.start();
  }
  site.settle(2min);
  CHECK(site.hostOf("m1") == "h1");
  CHECK_FALSE(site.host("h2").spec.image);
  if (!isLost) CHECK(site.consumer("h1") == "m1");
}

TEST_CASE("§10.1 a machine keeps the host that it told, whatever else somebody has it link to", "[machine][bound]") {
  MachineSite site;
  deployBeside(site, GENERATE(true, false));
  site.settle();
  std::string link = "metal/h2";
  SECTION("a free host") {}
  SECTION("a free host, and the machine has lost its status") {
    site.kill();
    site.patchStatus<Metal3Machine>("m1", R"({"status":null})");
    site.start();
  }
  SECTION("none that is there") { link = "metal/h9"; }
  site.patch<Metal3Machine>(
      "m1", fmt::format(R"({{"metadata":{{"annotations":{{"metal3.io/BareMetalHost":"{}"}}}}}})", link));
  site.settle(2min);
  CHECK(site.hostOf("m1") == "h1");
  CHECK(site.consumer("h1") == "m1");
  CHECK(site.consumer("h2").empty());
  CHECK_FALSE(site.host("h2").spec.image);
}

TEST_CASE("§10.1 a link that names no host is written anew, and holds up no machine that has its host",
          "[machine][bound]") {
  MachineSite site;
  site.deploy();
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"a/b/h1"}}})");
  site.settle();
  SECTION("in service") {
    CHECK(site.find<Metal3Machine>("m1")->metadata.annotations.at("metal3.io/BareMetalHost") == "metal/h1");
    CHECK(site.consumer("h1") == "m1");
  }
  SECTION("that goes") {
    site.removeMachine("m1");
    site.settle();
    CHECK_FALSE(site.host("h1").spec.image);
    site.state("h1", "deprovisioning");
    site.state("h1", "available");
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    CHECK(site.consumer("h1").empty());
  }
}

TEST_CASE("§11 a host that refuses writes, and is linked to, holds no stop of the machine's own", "[machine][bound]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.addHost("h0");
  site.kill();
  site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":"metal/h0"}}})");
  site.removeMachine("m1");
  site.instead = [](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (request.method != "PATCH" || !request.path().ends_with("/baremetalhosts/h0")) return std::nullopt;
    return ApiSite::Answer{422, R"({"kind":"Status","status":"Failure","code":422,"reason":"Invalid","message":"no"})"};
  };
  site.start();
  site.settle(1min);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
}

TEST_CASE("§10.1, §11 a machine that lost its host stops nobody's work elsewhere when it goes", "[machine][bound]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.putInService("h2", "m2");
  site.patch<BareMetalHost>("h2", kNamesM1);
  site.settle();
  const auto before = site.host("h2").spec;
  site.remove<BareMetalHost>("h1");
  site.settle(2min);
  CHECK(site.hostOf("m1") == "h1");
  site.removeMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK(site.host("h2").spec == before);
  CHECK(site.told("LeftToItself") == 1);
}

TEST_CASE("§11 a machine that goes lets its own host go, and the one that names it", "[machine][bound]") {
  MachineSite site;
  site.putInService("h1", "m1");
  site.addHost("h0");
  site.patch<BareMetalHost>("h0", kNamesM1);
  site.patch<BareMetalHost>("h1", kNobodys);
  site.settle(1min);
  site.removeMachine("m1");
  site.settle(1min);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
  site.state("h1", "available");
  site.settle(1min);
  CHECK(site.consumer("h0").empty());
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§10.1 a machine that told its host nothing takes the one that names it, with data of its own",
          "[machine][bound]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle(1min);
  REQUIRE(site.consumer("h1") == "m1");
  const auto asked = site.find<Metal3DataClaim>("m1")->metadata.uid;
  site.addHost("h2");
  site.patch<BareMetalHost>("h2", kNamesM1);
  bool wasLetGo = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isOfMachine = request.method == "PATCH" && request.path().ends_with("/metal3machines/m1");
    wasLetGo = wasLetGo || (isOfMachine && request.body.find("finalizers") != std::string::npos);
    co_return;
  };
  SECTION("its host is gone") { site.remove<BareMetalHost>("h1"); }
  SECTION("its host is another's") { site.patch<BareMetalHost>("h1", kRival); }
  site.settle(1min);
  CHECK(site.hostOf("m1") == "h2");
  CHECK_FALSE(wasLetGo);
  CHECK(site.find<Metal3DataClaim>("m1")->metadata.uid != asked);
  CHECK(site.told("HostTaken") == 1);
  site.renderData("m1");
  CHECK(site.host("h2").spec.image);
}

TEST_CASE("§10.1 of hosts that name a machine without a link the one that it runs on is its own", "[machine][bound]") {
  MachineSite site;
  site.addHost("h0");
  site.patch<BareMetalHost>("h0", kNamesM1);
  site.putInService("h1", "m2");
  site.kill();
  site.patch<BareMetalHost>("h1", kNamesM1);
  site.patch<BareMetalHost>("h1", R"({"spec":{"userData":{"name":"m1-boot"}}})");
  site.addMachine("m1");
  site.patchStatus<Metal3Machine>("m1", R"({"status":{"userData":{"name":"m1-boot","namespace":"metal"}}})");
  site.start();
  site.settle();
  CHECK(site.hostOf("m1") == "h1");
  CHECK_FALSE(site.host("h0").spec.image);
}
