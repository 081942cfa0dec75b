// spec/capm3.md §9 and §10 against an API: which hosts a machine does not take, and what becomes of one that loses its
// host.
#include "tests/coordinator/machine/site.hpp"

#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* kOther = R"({"spec":{"image":{"url":"http://images/other.raw","checksum":"c"}}})";

void linkedTo(Metal3Machine& machine, const std::string& host) {
  machine.metadata.annotations["metal3.io/BareMetalHost"] = host;
}

// The Cluster's name on this Secret, "" without one.
std::string label(MachineSite& site, const std::string& secret) {
  const auto found = site.find<kube::Secret>(secret);
  const std::string* value = found ? found->metadata.label("cluster.x-k8s.io/cluster-name") : nullptr;
  return value == nullptr ? "" : *value;
}

}  // namespace

TEST_CASE("a machine that has told its host what to run takes no second one", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.host("h1").spec.image);
  site.state("h1", "provisioning");
  site.addHost("h2");
  SECTION("while the host still names what it was told") {}
  SECTION("when the host was told otherwise since") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"image":null,"userData":null}})");
  }
  SECTION("when the status is lost, too") { site.patchStatus<Metal3Machine>("m1", R"({"status":null})"); }
  site.patch<BareMetalHost>("h1", kRival);
  site.settle(5min);
  CHECK(site.consumer("h1") == "rival");
  CHECK(site.consumer("h2").empty());
  CHECK_FALSE(site.host("h2").spec.image);
  CHECK(site.hostOf("m1") == "h1");
  CHECK(site.told("HostTaken") == 0);
  CHECK_THAT(site.condition("m1", kMetaData) + site.condition("m1", kAssociate),
             Catch::Contains("host h1 is used by Metal3Machine metal/rival"));
}

TEST_CASE("data rendered for a host that was lost go onto no other", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.addHost("h2");
  site.kill();
  SECTION("asked for") {}
  SECTION("and the status is lost") { site.patchStatus<Metal3Machine>("m1", R"({"status":null})"); }
  site.patch<BareMetalHost>("h1", kRival);
  site.renderData("m1");
  site.start();
  site.settle(10s);
  CHECK(site.consumer("h1") == "rival");
  CHECK(site.hostOf("m1") == "h2");
  CHECK(site.consumer("h2") == "m1");
  CHECK_FALSE(site.host("h2").spec.metaData);
  CHECK_FALSE(site.host("h2").spec.image);
  CHECK_FALSE(site.machine("m1").status.renderedData);
  site.renderData("m1", "m1-data-2");
  CHECK(site.host("h2").spec.image);
  CHECK(site.machine("m1").status.renderedData->name == "m1-data-2");
}

TEST_CASE("the Secret of a host that a rival takes does not stay its former machine's Cluster's", "[machine][lost]") {
  const std::string cluster = GENERATE(as<std::string>(), "theirs", "c1");
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(label(site, "h1-bmc") == "c1");
  site.addHost("h2");
  site.patch<BareMetalHost>(
      "h1", fmt::format(R"({{"metadata":{{"labels":{{"cluster.x-k8s.io/cluster-name":"{}"}}}},{}}})", cluster,
                        std::string(kRival).substr(1, std::string(kRival).size() - 2)));
  site.settle(10s);
  REQUIRE(site.consumer("h2") == "m1");
  CHECK(label(site, "h1-bmc") == (cluster == "c1" ? "c1" : ""));
  CHECK(label(site, "h2-bmc") == "c1");
}

TEST_CASE("a Secret that cannot be read keeps a machine whose host was taken from no other one", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.patch<kube::Secret>("h1-bmc", R"({"metadata":{"labels":{"environment.metal3.io":null}}})");  // in no cache
  site.instead = [](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!request.path().ends_with("/secrets/h1-bmc")) return std::nullopt;
    return ApiSite::Answer{500, R"({"kind":"Status","code":500,"reason":"InternalError","message":"etcd is slow"})"};
  };
  site.addHost("h2");
  site.patch<BareMetalHost>(
      "h1", fmt::format(R"({{"metadata":{{"labels":{{"{}":"theirs"}}}},{}}})", "cluster.x-k8s.io/cluster-name",
                        std::string(kRival).substr(1, std::string(kRival).size() - 2)));
  site.settle(30s);
  CHECK(site.consumer("h2").empty());  // tried again for a minute
  site.settle(3min);
  CHECK(site.hostOf("m1") == "h2");
  CHECK(site.consumer("h2") == "m1");
}

TEST_CASE("a machine that has its host waits for no label on its Secret", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle(20s);  // its status says so
  REQUIRE(site.consumer("h1") == "m1");
  SECTION("it is gone") { site.remove<kube::Secret>("h1-bmc"); }
  SECTION("it must not be written") {
    site.patch<kube::Secret>("h1-bmc", R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":null}}})");
    site.forbidden = "/secrets/h1-bmc";
  }
  site.renderData("m1");
  CHECK(site.host("h1").spec.image);
}

TEST_CASE("a host of the name of one that is gone has its Secret labelled, too", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.renderData("m1");
  REQUIRE(site.host("h1").spec.image);
  site.remove<BareMetalHost>("h1");
  site.remove<kube::Secret>("h1-bmc");
  site.settle();
  site.addHost("h1");
  site.settle(2min);
  REQUIRE(site.consumer("h1") == "m1");
  CHECK(label(site, "h1-bmc") == "c1");
}

TEST_CASE("a machine whose data are rendered stays with its host", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.renderData("m1");
  site.addHost("h2");
  site.patch<BareMetalHost>("h1", kRival);
  site.settle(2min);
  CHECK(site.consumer("h2").empty());
  CHECK(site.find<Metal3DataClaim>("m1"));
}

TEST_CASE("a host that runs something else is nobody's choice", "[machine][lost]") {
  MachineSite site;
  const std::string work = GENERATE(as<std::string>(), R"({"image":{"url":"http://images/other.raw","checksum":"c"}})",
                                    R"({"customDeploy":{"method":"x"}})", R"({"externallyProvisioned":true})");
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":)" + work + "}");
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("1 host: 1 provisioned for something else"));
  site.addHost("h2");
  site.settle(40s);
  CHECK(site.hostOf("m1") == "h2");
}

TEST_CASE("a host that is told to run something else while it is chosen is not claimed", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  bool told = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (told || request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    told = true;
    co_await site.patchMeanwhile<BareMetalHost>("h1", kOther);
  };
  site.addMachine("m1");
  site.settle(1min);
  REQUIRE(told);
  CHECK(site.consumer("h1").empty());
}

TEST_CASE("a machine does not come into service on what an earlier one of its name left running", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1", {}, "provisioned");
  site.patch<BareMetalHost>("h1", R"({"spec":{"image":{"url":"http://images/old.raw","checksum":"c"},"online":true,)"
                                  R"("userData":{"name":"old-boot","namespace":"metal"},)"
                                  R"("consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                  R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  site.addMachine("m1");
  site.settle();
  site.join("h1", "n1", "metal3://metal/h1/m1");
  CHECK_FALSE(site.isProvisioned("m1"));
  CHECK(site.host("h1").spec.image->url == "http://images/old.raw");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h1 has an image or a deploy step already"));
  site.removeMachine("m1");  // which takes it off the host
  site.settle();
  site.state("h1", "available");
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.host("h1").spec.userData);
}

TEST_CASE("a machine with a providerID claims no free host that runs nothing of its own", "[machine][lost]") {
  MachineSite site;
  site.addHost("h9");
  bool isBusy = false;
  SECTION("free") {}
  SECTION("running") {
    site.patch<BareMetalHost>("h9", kOther);
    site.state("h9", "provisioned");
    isBusy = true;
  }
  const auto before = site.host("h9").spec;
  site.addMachine("m1", [](Metal3Machine& machine) {
    machine.spec.providerID = "metal3://metal/h9/m1";
    linkedTo(machine, "metal/h9");
  });
  site.settle(2min);
  CHECK(site.host("h9").spec == before);
  CHECK(site.host("h9").spec.image.has_value() == isBusy);
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("host h9 has no consumer any more"));
  site.removeMachine("m1");
  site.settle();
  CHECK(site.host("h9").spec == before);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a host that lost its consumer only is claimed again", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":null}})");
  site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":{"a":"b"}}})");
  site.settle();
  CHECK(site.consumer("h1") == "m1");
}

TEST_CASE("a host that refuses its claim holds no machine up", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.forbidden = "/baremetalhosts/h1";
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("the claim of host h1 was refused"));
  SECTION("it takes another one") {
    site.addHost("h2");
    site.settle(3min);
    CHECK(site.consumer("h2") == "m1");
    CHECK(site.hostOf("m1") == "h2");
  }
  SECTION("it takes this one later") {
    site.forbidden = "";
    site.settle(3min);
  }
  site.forbidden = "";
  site.addMachine("m2");
  site.settle();
  CHECK(site.consumer("h1") == (site.hostOf("m1") == "h1" ? "m1" : "m2"));
}

TEST_CASE("a host that was chosen, not claimed, and cannot be read holds no machine up", "[machine][lost]") {
  MachineSite site;
  site.addHost("h2");
  site.kill();
  site.unreadable.add("baremetalhosts.metal3.io", {"metal", "h1"});  // the API lists none that it cannot read
  site.forbidden = "/baremetalhosts/h1";
  SECTION("when it is nobody's") { site.forbidden = ""; }
  SECTION("unless that cannot be told") { site.forbidsReads = true; }
  site.start();
  site.addMachine("m1", [](Metal3Machine& machine) { linkedTo(machine, "metal/h1"); });
  site.settle(1min);
  if (site.forbidsReads) {
    CHECK(site.hostOf("m1") == "h1");
    CHECK(site.consumer("h2").empty());
    CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("BareMetalHost h1 cannot be read"));
    return;
  }
  CHECK(site.hostOf("m1") == "h2");
  CHECK(site.consumer("h2") == "m1");
}

TEST_CASE("§10.1 a machine whose host goes before it was told what to run chooses anew", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle(1min);
  REQUIRE(site.consumer("h1") == "m1");
  REQUIRE(site.machine("m1").status.userData);
  const auto asked = site.find<Metal3DataClaim>("m1")->metadata.uid;
  SECTION("deleted") { site.remove<BareMetalHost>("h1"); }
  SECTION("never linked, as another provider that failed in between leaves it") {
    site.kill();
    site.remove<BareMetalHost>("h1");
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"metal3.io/BareMetalHost":null}}})");
    site.start();
  }
  site.addHost("h2");
  site.settle(1min);
  CHECK(site.hostOf("m1") == "h2");
  CHECK(site.consumer("h2") == "m1");
  CHECK(site.find<Metal3DataClaim>("m1")->metadata.uid != asked);
  CHECK(site.told("HostTaken") == 1);
  site.renderData("m1");
  CHECK(site.host("h2").spec.image);
}

TEST_CASE("§8.5 a machine that has given up its host is held by nothing", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle(1min);
  REQUIRE(site.consumer("h1") == "m1");
  SECTION("which is gone") { site.remove<BareMetalHost>("h1"); }
  SECTION("which is another's") { site.patch<BareMetalHost>("h1", kRival); }
  site.settle(1min);
  CHECK(site.hostOf("m1").empty());
  CHECK(site.machine("m1").metadata.finalizers.empty());
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  site.removeMachine("m1");
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a machine that may have told a host that is gone what to run takes no other one", "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  const bool withData = GENERATE(true, false);
  if (withData)
    site.addMachine("m1", withTemplate);
  else
    site.addMachine("m1");
  site.settle();
  if (withData) site.renderData("m1");
  REQUIRE(site.host("h1").spec.image);
  site.remove<BareMetalHost>("h1");
  site.addHost("h2");
  site.settle(2min);
  CHECK(site.hostOf("m1") == "h1");
  CHECK(site.consumer("h2").empty());
}

TEST_CASE("§10.1 a process that dies between the two writes that give up a host does not hold the machine up",
          "[machine][lost]") {
  MachineSite site;
  site.addHost("h1");
  bool isClaimed = false;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method != "PATCH" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    if (std::exchange(isClaimed, true)) site.forbidden = "/baremetalhosts/h1";  // it is told nothing
  };
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  REQUIRE(site.machine("m1").status.userData);
  REQUIRE_FALSE(site.host("h1").spec.image);
  site.forbidden = "";
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool isFirst = request.method == "PATCH" && request.path().ends_with("/metal3machines/m1");
    if (isFirst && !site.dieAtWrite) site.dieAtWrite = site.writes.size() + 1;
    co_return;
  };
  site.addHost("h2");
  site.patch<BareMetalHost>("h1", kRival);
  site.settle(40s);
  INFO(site.condition("m1", kAssociate) + site.condition("m1", kMetaData));
  REQUIRE(site.dead);
  REQUIRE(site.hostOf("m1").empty());
  REQUIRE(site.machine("m1").status.userData);
  site.meanwhile = nullptr;
  site.restart();
  site.settle(1min);
  CHECK(site.hostOf("m1") == "h2");
  CHECK(site.consumer("h2") == "m1");
  CHECK(site.host("h2").spec.image);
  CHECK(site.consumer("h1") == "rival");
}
