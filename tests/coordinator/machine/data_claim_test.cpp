// spec/capm3.md §11, §15.1, §15.3 and §15.4 against an API: data of other machines, and data on hosts that go.
#include "api/capm3/names.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// A machine other than m1, for owner references; it does nothing.
kube::OwnerReference another(MachineSite& site) {
  site.addMachine("m0", [](Metal3Machine& machine) { machine.metadata.annotations["cluster.x-k8s.io/paused"] = ""; });
  return kube::ownerReferenceTo(site.machine("m0"), false);
}

}  // namespace

TEST_CASE("data of an earlier machine of the same name are not taken", "[machine][data-claim]") {
  MachineSite site;
  Metal3DataClaim earlier;
  earlier.metadata = {.name = "m1", .namespace_ = "metal"};
  earlier.metadata.ownerReferences = {another(site)};
  earlier.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  site.create(earlier);
  site.renderData("m1", "old-data");
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.metaData);
  CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("False/AssociateMetal3MachineMetaDataFailed: ") &&
                                                  Catch::Contains("of an earlier machine"));
  CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/AssociateM3MetaDataFailed");
  SECTION("its claim is waited for") {
    site.remove<Metal3DataClaim>("m1");
    site.settle(40s);
    CHECK(site.find<Metal3DataClaim>("m1")->metadata.ownerReferences.at(0).uid == site.machine("m1").metadata.uid);
    CHECK(site.legacyCondition("m1", "KubernetesNodeReady").empty());
    site.renderData("m1");
    CHECK(site.machine("m1").status.renderedData->name == "m1-data");
    CHECK(site.host("h1").spec.image);
  }
  SECTION("its claim is left alone by a machine that goes") {
    site.removeMachine("m1");
    site.settle();
    CHECK_FALSE(site.find<Metal3Machine>("m1"));
    CHECK_FALSE(site.find<Metal3DataClaim>("m1")->metadata.beingDeleted());
  }
}

TEST_CASE("§8.5 a machine in service is ready in the old dialect, whatever it waited for before",
          "[machine][data-claim]") {
  MachineSite site;
  site.deploy(withTemplate);
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
  const auto isSeen = [&](const char* reason) {  // as an earlier manager left it
    auto status = site.machine("m1").status;
    status.deprecated->v1beta1->conditions.push_back({.type = "KubernetesNodeReady",
                                                      .status = "False",
                                                      .severity = "Warning",
                                                      .lastTransitionTime = site.loop.clock.wall(),
                                                      .reason = reason});
    site.patchStatus<Metal3Machine>("m1", json::serialize(json::Object{{"status", json::encode(status)}}));
  };
  SECTION("as ever") {}
  SECTION("for its data") { isSeen("AssociateM3MetaDataFailed"); }
  SECTION("for its Node") { isSeen("SettingProviderIDOnNodeFailed"); }
  site.patch<Machine>("m1", R"({"metadata":{"labels":{"rack":"7"}}})");
  site.settle();
  CHECK(site.legacyCondition("m1", "KubernetesNodeReady").empty());
  CHECK(site.legacyCondition("m1", "Ready") == "True");
  CHECK(site.condition("m1", "Ready") == "True/Ready");
}

TEST_CASE("data that answer another claim are not taken", "[machine][data-claim]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  Metal3Data data;
  data.metadata = {.name = "m1-data", .namespace_ = "metal"};
  data.spec.index = 0;
  SECTION("by name") { data.spec.claim = {.name = "m2", .namespace_ = "metal"}; }
  SECTION("of another machine") {
    data.spec.claim = {.name = "m1", .namespace_ = "metal"};
    data.metadata.ownerReferences = {another(site)};
  }
  site.create(data);
  site.patchStatus<Metal3Data>("m1-data", R"({"status":{"ready":true}})");
  site.patchStatus<Metal3DataClaim>("m1", R"({"status":{"renderedData":{"name":"m1-data","namespace":"metal"}}})");
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("Metal3Data m1-data is not for this machine's claim"));
}

TEST_CASE("§11, §21 Q16 nothing of a machine stays on its host when the status is lost", "[machine][data-claim]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.renderData("m1");
  REQUIRE(site.host("h1").spec.networkData);
  site.kill();
  site.patchStatus<Metal3Machine>("m1", R"({"status":null})");
  site.removeMachine("m1");
  site.start();
  site.settle();
  const auto host = site.host("h1");
  CHECK_FALSE(host.spec.image);
  CHECK_FALSE(host.spec.userData);
  CHECK_FALSE(host.spec.metaData);
  CHECK_FALSE(host.spec.networkData);
}

TEST_CASE("data that were on a host before its machine stay there", "[machine][data-claim]") {
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":{"networkData":{"name":"racks","namespace":"metal"}}})");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.host("h1").spec.image);
  site.removeMachine("m1");
  site.settle();
  CHECK(site.host("h1").spec.networkData->name == "racks");
}

TEST_CASE("§10.3, §11 (2) data that were on a host stay there, whatever else is rendered for its machine",
          "[machine][data-claim]") {
  const bool isTold = GENERATE(false, true);
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"spec":{"networkData":{"name":"racks","namespace":"metal"}}})");
  site.addMachine("m1", withTemplate);
  site.settle();
  REQUIRE(site.consumer("h1") == "m1");
  if (isTold) site.renderData("m1", "", false);
  REQUIRE(site.host("h1").spec.metaData.has_value() == isTold);
  site.removeMachine("m1");
  site.settle();
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.metaData);
  REQUIRE(site.host("h1").spec.networkData);
  CHECK(site.host("h1").spec.networkData->name == "racks");
}

TEST_CASE("nothing is decided on a claim that cannot be read", "[machine][data-claim]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.kill();
  site.patch<Metal3DataClaim>("m1", R"({"metadata":{"finalizers":[]}})");
  site.remove<Metal3DataClaim>("m1");
  site.unreadable.add("metal3dataclaims.infrastructure.cluster.x-k8s.io", {"metal", "m1"});
  site.removeMachine("m1");
  site.start();
  site.settle();
  site.state("h1", "available");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("Metal3DataClaim m1 cannot be read"));
  CHECK(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a data claim is made with the finalizer of who is sure to answer it", "[machine]") {
  using api::capm3::v1beta2::Metal3DataTemplate;
  const bool isLookedAfter = GENERATE(true, false);
  CAPTURE(isLookedAfter);
  MachineSite site;
  Metal3DataTemplate dataTemplate;
  dataTemplate.metadata = {.name = "dt", .namespace_ = "metal"};
  dataTemplate.spec.clusterName = "c1";
  if (isLookedAfter) dataTemplate.metadata.finalizers = {std::string(api::capm3::finalizer::dataTemplate)};
  site.create(dataTemplate);
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  auto expected = std::vector<std::string>{std::string(api::capm3::finalizer::machine)};
  if (isLookedAfter) expected.emplace_back(api::capm3::finalizer::dataClaim);
  CHECK(site.find<Metal3DataClaim>("m1").value().metadata.finalizers == expected);
}

TEST_CASE("data that are given without a namespace settle", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", [](Metal3Machine& machine) {
    machine.spec.metaData = api::SecretReference{.name = "given"};
    machine.spec.networkData = api::SecretReference{.name = "net"};
  });
  site.settle(1min);
  REQUIRE(site.host("h1").spec.metaData);
  CHECK(site.host("h1").spec.metaData->name == "given");
  CHECK(site.machine("m1").status.metaData == api::SecretReference{.name = "given", .namespace_ = "metal"});
  const auto before = site.writes.size();
  for (int i = 0; i < 10; ++i) {  // each pass would write once
    site.patch<Metal3Machine>("m1", fmt::format(R"({{"metadata":{{"annotations":{{"a":"{}"}}}}}})", i));
    site.settle(10s);
  }
  CHECK(site.writes.size() == before);
}

TEST_CASE("§15.4 a data claim that is deleted before it is answered is asked for anew", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  const auto first = site.find<Metal3DataClaim>("m1").value().metadata.uid;
  site.remove<Metal3DataClaim>("m1");
  site.settle(1min);
  const auto second = site.find<Metal3DataClaim>("m1").value().metadata;
  CHECK(second.uid != first);
  CHECK_FALSE(second.beingDeleted());
  site.renderData("m1");
  CHECK(site.host("h1").spec.image);
}

TEST_CASE("a data claim whose data a machine runs with is not let go of", "[machine]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1", withTemplate);
  site.settle();
  site.renderData("m1");
  site.remove<Metal3DataClaim>("m1");
  site.settle(1min);
  const auto claim = site.find<Metal3DataClaim>("m1").value().metadata;
  CHECK(claim.beingDeleted());
  CHECK(kube::hasFinalizer(claim, api::capm3::finalizer::machine));
}
