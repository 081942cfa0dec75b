// spec/capm3.md §8, §10 and §12, spec/cluster-api.md §1.10, against an API: what machines do while they wait, and what
// they write meanwhile.
#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"
#include "coordinator/machine/waiting.hpp"

#include <fmt/ranges.h>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using Texts = std::vector<std::string>;

const std::string kPaused(api::annotation::paused);
constexpr const char* kBlockMove = "clusterctl.cluster.x-k8s.io/block-move";
constexpr const char* kPause = R"({"spec":{"paused":true}})";
constexpr const char* kResume = R"({"spec":{"paused":false}})";

}  // namespace

TEST_CASE("§8.3 (3) user data are not settled before their Secret is named, in the old dialect either",
          "[machine][waiting]") {
  MachineSite site;
  site.addMachine("m1");
  site.patch<Machine>("m1", R"({"spec":{"bootstrap":{"dataSecretName":null}}})");
  site.patchStatus<Machine>("m1", R"({"status":{"initialization":null,"deprecated":{"v1beta1":{"conditions":[)"
                                  R"({"type":"BootstrapReady","status":"True",)"
                                  R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}}}})");
  site.addHost("h1");
  site.settle(70s);
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("False/WaitingForBootstrapData"));
  site.patch<Machine>("m1", R"({"spec":{"bootstrap":{"dataSecretName":"late"}}})");
  site.settle();
  CHECK(site.host("h1").spec.userData->name == "late");
}

TEST_CASE("§8.2 (8) a pause of the Cluster ends for the host of a machine that waits", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.patch<Cluster>("c1", kPause);
  site.settle();
  REQUIRE(site.host("h1").metadata.annotations.at(kPaused) == "metal3.io/capm3");
  SECTION("for data") {}
  SECTION("for its bootstrap data") { site.patchStatus<Machine>("m1", R"({"status":{"initialization":null}})"); }
  SECTION("for infrastructure") { site.patchStatus<Cluster>("c1", R"({"status":{"initialization":null}})"); }
  SECTION("for its Metal3Cluster") { site.remove<Metal3Cluster>("c1"); }
  site.patch<Cluster>("c1", kResume);
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains(kPaused));
  CHECK(site.host("h1").metadata.annotations.contains(kBlockMove));
  CHECK(site.condition("m1", "Paused") == "False/NotPaused");
}

TEST_CASE("cluster-api §1.10 a pause begins for a machine and its host whatever its Cluster waits for",
          "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  SECTION("for infrastructure") { site.patchStatus<Cluster>("c1", R"({"status":{"initialization":null}})"); }
  SECTION("for its Metal3Cluster") { site.remove<Metal3Cluster>("c1"); }
  site.settle();
  site.patch<Cluster>("c1", kPause);
  site.settle();
  CHECK(site.host("h1").metadata.annotations.at(kPaused) == "metal3.io/capm3");
  CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith("True/Paused"));
}

TEST_CASE("a machine whose waits are short is told of in two statuses: ready for its host, and provisioned",
          "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.writes.clear();
  site.addMachine("m1", withTemplate);
  site.patchStatus<Machine>("m1", R"({"status":{"initialization":null}})");
  site.settle();
  site.patchStatus<Machine>("m1", R"({"status":{"initialization":{"bootstrapDataSecretCreated":true}}})");
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  site.renderData("m1");
  site.state("h1", "provisioning");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  INFO(fmt::format("{}", fmt::join(site.writes, "\n")));
  CHECK(site.writesTo("/metal3machines/m1") == Texts{"PATCH", "PATCH/status", "PATCH", "PATCH/status"});
  CHECK(site.writesTo("/secrets/h1-bmc") == Texts{"PATCH"});
  const auto at = [&](const std::string& what, std::size_t from) {
    const auto found = std::find_if(site.writes.begin() + static_cast<std::ptrdiff_t>(from), site.writes.end(),
                                    [&](const auto& write) { return write.ends_with(what); });
    return static_cast<std::size_t>(found - site.writes.begin());
  };
  const std::size_t claimed = at("/baremetalhosts/h1", 0);
  CHECK(at("/metal3machines/m1/status", 0) < at("/baremetalhosts/h1", claimed + 1));  // before the host is told
}

TEST_CASE("a machine that is forestalled at its Node tells nobody", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  int status = 0, refusals = 1;
  SECTION("by somebody who writes to it at the same time") { status = 409; }
  SECTION("unless it may not write to it") { status = 403; }
  site.workload.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH" || refusals-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = status};
  };
  site.join("h1", "n1");
  CHECK_FALSE(site.isProvisioned("m1"));
  CHECK((site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess") == (status == 409));
  site.workload.patch<kube::Node>({"", "n1"}, R"({"metadata":{"labels":{"a":"b"}}})");
  site.settle();
  CHECK(site.isProvisioned("m1"));
}

TEST_CASE("a Node gets its providerID only as it was looked at", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.state("h1", "provisioned");
  std::string version;
  site.workload.answer = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "PATCH") version = json::textAt(json::parse(request.body), {"metadata", "resourceVersion"});
    return std::nullopt;
  };
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  CHECK_FALSE(version.empty());
}

TEST_CASE("a wait that lasts is told, and so is the end of a trouble", "[machine][waiting]") {
  MachineSite site;
  SECTION("for data") {
    site.addHost("h1");
    site.addMachine("m1", withTemplate);
    site.settle(10s);
    CHECK(site.condition("m1", kAssociate).empty());
    site.settle(10s);
  }
  SECTION("for data, when there was no host before") {
    site.addMachine("m1", withTemplate);
    site.settle();
    REQUIRE_THAT(site.condition("m1", kAssociate), Catch::Contains("no available host found"));
    site.addHost("h1");
    site.settle();
  }
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/AssociateBareMetalHostSuccess: host h"));
  CHECK(site.condition("m1", "Metal3DataReady") == "False/WaitingForMetal3Data");
  const auto written = site.writesTo("/metal3machines/").size();
  site.settle(5min);
  CHECK(site.writesTo("/metal3machines/").size() <= written + 1);  // the words of the same wait
}

TEST_CASE("§12 a pause that somebody else has set stays", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  site.patchStatus<BareMetalHost>("h1", R"({"status":{"lastUpdated":"2026-01-01T00:00:00Z"}})");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"by hand"}}})");
  site.patch<Cluster>("c1", kPause);
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains(kBlockMove));
  // Where it arrives it would be taken for a new one, once somebody ends the pause.
  CHECK_THAT(site.host("h1").metadata.annotations.at(std::string(api::annotation::status)),
             Catch::Contains(R"("lastUpdated":"2026-01-01T00:00:00Z")"));
  site.patch<Cluster>("c1", kResume);
  site.settle();
  CHECK(site.host("h1").metadata.annotations.at(kPaused) == "by hand");
  site.removeMachine("m1");
  site.settle();
  site.state("h1", "available");
  CHECK(site.host("h1").metadata.annotations.at(kPaused) == "by hand");
  CHECK(site.consumer("h1").empty());
}

TEST_CASE("machines that wait for a host do not tell each change of the others", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1", {}, "inspecting");
  for (int i = 0; i < 10; ++i) site.addMachine(fmt::format("m{}", i));
  site.settle();
  REQUIRE_THAT(site.condition("m0", kAssociate), Catch::Contains("1 host: 1 not available (inspecting)"));
  const auto written = site.writesTo("/metal3machines/").size();
  for (int i = 0; i < 20; ++i) {
    site.state("h1", i % 2 == 0 ? "preparing" : "inspecting");
    site.settle(27s);
  }
  CHECK(site.writesTo("/metal3machines/").size() <= written + 20);
  site.addHost("h2", {}, "inspecting");
  site.settle(6min);
  CHECK_THAT(site.condition("m0", kAssociate), Catch::Contains("2 hosts: 2 not available"));
  site.addHost("h3", {}, "inspecting");
  site.patch<Metal3Machine>("m0", R"({"spec":{"hostSelector":{"matchLabels":{"rack":"a"}}}})");  // at once
  site.settle();
  CHECK_THAT(site.condition("m0", kAssociate), Catch::Contains("3 hosts: 3 not available"));
}

TEST_CASE("a machine whose host names it already is held before the host is told what to run", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                  R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  site.writes.clear();
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.host("h1").spec.image);
  REQUIRE_FALSE(site.writes.empty());
  CHECK(site.writes.front().starts_with("PATCH"));
  CHECK(site.writes.front().ends_with("/metal3machines/m1"));
  CHECK(site.machine("m1").metadata.finalizers.size() == 1);
  CHECK(site.hostOf("m1") == "h1");
}

TEST_CASE("§10.1 (3), §12 a host that names its machine beforehand is labelled, and its pause ends",
          "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                  R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
  site.addMachine("m1");
  site.settle();
  CHECK(site.host("h1").metadata.labels.at("cluster.x-k8s.io/cluster-name") == "c1");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  SECTION("with its label") {}
  SECTION("also when somebody took the label off") {
    site.patch<BareMetalHost>("h1", R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":null}}})");
  }
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  REQUIRE(site.host("h1").metadata.annotations.contains("baremetalhost.metal3.io/paused"));
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  CHECK_FALSE(site.host("h1").metadata.annotations.contains("baremetalhost.metal3.io/paused"));
}

TEST_CASE("a link that names another namespace is mended", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  const std::string link = GENERATE(as<std::string>(), "other/h1", "h1");
  site.patch<Metal3Machine>(
      "m1", fmt::format(R"({{"metadata":{{"annotations":{{"metal3.io/BareMetalHost":"{}"}}}}}})", link));
  site.settle();
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  CHECK(site.isProvisioned("m1"));
  CHECK(site.machine("m1").metadata.annotations.at("metal3.io/BareMetalHost") == "metal/h1");
}

TEST_CASE("nothing is decided on a Cluster that cannot be read", "[machine][waiting]") {
  MachineSite site;
  site.addHost("h1");
  site.kill();
  site.remove<Cluster>("c1");
  site.unreadable.add("clusters.cluster.x-k8s.io", {"metal", "c1"});
  site.start();
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_THAT(site.condition("m1", kAssociate), Catch::Contains("Cluster c1 cannot be read"));
}

TEST_CASE("a machine that is offered a second host before it has looked at the first passes both on",
          "[machine][waiting]") {
  coordinator::machine::Waiting waiting;
  const kube::ObjectKey first{"metal", "m1"}, second{"metal", "m2"};
  BareMetalHost a, b;
  a.metadata = {.name = "a", .namespace_ = "metal"};
  b.metadata = {.name = "b", .namespace_ = "metal"};
  waiting.forHost(first, {}, "");
  REQUIRE(waiting.takeFor(a) == first);
  waiting.forHost(first, {}, "");  // none fits, as far as its pass has seen
  REQUIRE(waiting.takeFor(b) == first);
  waiting.forHost(second, {}, "");
  CHECK(waiting.offeredTo(first) == a.metadata.key());
  CHECK(waiting.refused(first, &a) == second);
  CHECK(waiting.offeredTo(first) == b.metadata.key());
  CHECK_FALSE(waiting.refused(first, &b));
  CHECK_FALSE(waiting.offeredTo(first));
}

TEST_CASE("a host is held against each wish once, however many machines have it", "[machine][waiting]") {
  coordinator::machine::Waiting waiting;
  const auto selectorOf = [](const std::string& role) {
    api::capm3::v1beta2::HostSelector wanted;
    wanted.matchLabels["role"] = role;
    return coordinator::machine::HostSelector(wanted);
  };
  for (int i = 0; i < 2000; ++i) waiting.forHost({"metal", fmt::format("gpu{}", i)}, selectorOf("gpu"), "");
  for (int i = 0; i < 2000; ++i) waiting.forHost({"other", fmt::format("any{}", i)}, {}, "");
  waiting.forHost({"metal", "last"}, {}, "md-workers");
  BareMetalHost host;
  host.metadata = {.name = "h1", .namespace_ = "metal", .labels = {{"role", "store"}}};
  CHECK(waiting.takeFor(host) == kube::ObjectKey{"metal", "last"});
  CHECK(waiting.compared() == 2);
  CHECK_FALSE(waiting.takeFor(host));
  CHECK(waiting.compared() == 3);
  SECTION("and goes to the one that has waited the longest, whatever it asks for") {
    waiting.forHost({"metal", "late"}, {}, "");
    host.metadata.labels["role"] = "gpu";
    waiting.forHost({"metal", "gpu0"}, {}, "");  // it keeps its place
    CHECK(waiting.takeFor(host) == kube::ObjectKey{"metal", "gpu0"});
    CHECK(waiting.takeFor(host) == kube::ObjectKey{"metal", "gpu1"});
  }
}

TEST_CASE("a host that is set free wakes who has looked for one meanwhile, however long it has waited",
          "[machine][waiting]") {
  coordinator::machine::Waiting waiting;
  const kube::ObjectKey holder{"metal", "m0"}, old{"metal", "m1"}, idle{"metal", "m2"};
  api::capm3::v1beta2::HostSelector large;
  large.matchLabels["size"] = "large";
  BareMetalHost host;
  host.metadata = {.name = "h1", .namespace_ = "metal"};
  waiting.forHost(idle, {}, "");
  waiting.forHost(old, coordinator::machine::HostSelector(large), "");
  const auto before = waiting.looks();  // the host is held from here on
  SECTION("with another selector") {
    waiting.forHost(old, {}, "");
    CHECK(waiting.takeFreed(host, holder, before) == old);
  }
  SECTION("with the same one, that the host has come to match") {
    host.metadata.labels["size"] = "large";
    waiting.forHost(old, coordinator::machine::HostSelector(large), "");
    CHECK(waiting.takeFreed(host, holder, before) == old);
  }
  SECTION("and none that has not") { CHECK_FALSE(waiting.takeFreed(host, holder, before)); }
  SECTION("nor the one that has held it") {
    waiting.forHost(holder, {}, "");
    CHECK_FALSE(waiting.takeFreed(host, holder, before));
  }
}
