// The Secrets of data: written once, completed, and never taken from somebody else (spec/capm3.md §15.6).
#include "api/capm3/v1beta1/metal3_data_template.hpp"
#include "kube/core/config_map.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

kube::Secret secretNamed(std::string name, std::string key) {
  kube::Secret secret;
  secret.metadata = {.name = std::move(name), .namespace_ = "metal"};
  secret.data.emplace(std::move(key), kube::SecretBytes("mine"));
  return secret;
}

}  // namespace

TEST_CASE("§15.6 (5) what is rendered stays as it is, whatever becomes of the host", "[data][secrets]") {
  DataSite site;
  site.settleOneMachine();
  const std::string before = site.textOf("m0-networkdata", "networkData");
  site.patchStatus<BareMetalHost>("host-m0",
                                  R"({"status":{"hardware":{"nics":[{"name":"nic0","mac":"00:00:00:00:00:01"}]}}})");
  site.patch<Metal3Data>("dt-0", R"({"metadata":{"labels":{"look":"again"}}})");
  site.settle(1min);
  site.restart();
  site.settle(1min);
  CHECK(site.textOf("m0-networkdata", "networkData") == before);
  CHECK(site.writes.empty());
}

TEST_CASE("§15.6 (8) a Secret that is lost is made again, and the other one is not touched", "[data][secrets]") {
  DataSite site;
  site.settleOneMachine();
  const std::string kept = site.find<kube::Secret>("m0-networkdata")->metadata.resourceVersion;
  const std::string text = site.textOf("m0-metadata", "metaData");
  const bool asleep = GENERATE(false, true);
  if (asleep) site.kill();
  site.remove<kube::Secret>("m0-metadata");
  if (asleep) site.start();
  site.settle();
  CHECK(site.textOf("m0-metadata", "metaData") == text);
  CHECK(site.find<kube::Secret>("m0-networkdata")->metadata.resourceVersion == kept);
  CHECK(site.writes == Texts{"POST /api/v1/namespaces/metal/secrets"});
  CHECK(site.isReady("dt-0"));
}

TEST_CASE("data that lost a Secret and cannot render it are not ready", "[data][secrets]") {
  DataSite site;
  site.settleOneMachine();
  site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m9"}}})");
  site.remove<kube::Secret>("m0-metadata");
  site.settle();
  CHECK_FALSE(site.isReady("dt-0"));
  site.patch<BareMetalHost>("host-m0", R"({"spec":{"consumerRef":{"name":"m0"}}})");
  site.settle();
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<kube::Secret>("m0-metadata"));
}

TEST_CASE("a Secret of the user's is taken as it is", "[data][secrets]") {
  DataSite site;
  site.create(secretNamed("m0-metadata", "metaData"));
  site.settleOneMachine();
  CHECK(site.textOf("m0-metadata", "metaData") == "mine");
  CHECK(site.find<kube::Secret>("m0-metadata")->metadata.ownerReferences.empty());
  CHECK(site.find<kube::Secret>("m0-networkdata"));
  site.restart();
  site.settle(1min);
  CHECK(site.writes.empty());
}

TEST_CASE("a Secret of earlier data, or one that goes away, is waited for, and that is told after a while",
          "[data][secrets]") {
  DataSite site;
  kube::Secret secret = secretNamed("m0-metadata", "metaData");
  secret.metadata.finalizers = {"x.y/z"};
  std::string error;
  SECTION("that goes away") { error = "Secret m0-metadata is going away"; }
  SECTION("of earlier data") {
    error = "Secret m0-metadata is controlled by Metal3Data dt-9";
    secret.metadata.ownerReferences = {{.apiVersion = Metal3Data::info.apiVersion(),
                                        .kind = "Metal3Data",
                                        .name = "dt-9",
                                        .uid = "gone",
                                        .controller = true}};
  }
  site.create(secret);
  if (secret.metadata.ownerReferences.empty()) site.remove<kube::Secret>("m0-metadata");
  site.settleOneMachine();
  site.settle(5s);
  CHECK(site.told("WaitingForSecret") == 0);
  site.settle(1min);
  CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage == error);
  CHECK(site.told("WaitingForSecret") == 1);
  CHECK_FALSE(site.isReady("dt-0"));
  if (!secret.metadata.ownerReferences.empty()) site.remove<kube::Secret>("m0-metadata");
  site.patch<kube::Secret>("m0-metadata", R"({"metadata":{"finalizers":null}})");
  site.settle(3min);
  CHECK(site.isReady("dt-0"));
}

TEST_CASE("§15.6 (8) a Secret that something else controls is neither used nor changed", "[data][secrets]") {
  DataSite site;
  kube::ConfigMap other;
  other.metadata = {.name = "other", .namespace_ = "metal"};
  auto secret = secretNamed("m0-metadata", "metaData");
  secret.metadata.ownerReferences = {kube::ownerReferenceTo(site.create(other), true)};
  site.create(secret);
  site.create(dataTemplate(kPlain));
  site.addMachine("m0");
  site.settle();
  CHECK(site.find<Metal3Data>("dt-0")->status.errorMessage == "Secret m0-metadata is controlled by ConfigMap other");
  CHECK(site.told("SecretNotOurs") == 1);
  CHECK_FALSE(site.isReady("dt-0"));
  CHECK(site.textOf("m0-metadata", "metaData") == "mine");
  site.remove<kube::Secret>("m0-metadata");
  site.settle(2min);
  CHECK(site.isReady("dt-0"));
}

TEST_CASE("objects that were moved here are taken over without anything rendered anew", "[data][secrets]") {
  DataSite site;
  site.settleOneMachine();
  site.kill();
  // A move keeps no status.
  site.patchStatus<Metal3Data>("dt-0", R"({"status":null})");
  site.patchStatus<Metal3DataClaim>("m0", R"({"status":null})");
  site.start();
  site.settle(1min);
  CHECK(site.isReady("dt-0"));
  CHECK(site.find<Metal3DataClaim>("m0")->status.renderedData->name == "dt-0");
  CHECK(count(site.writes, "POST") == 0);
  CHECK(site.writes.size() == 2);
  CHECK(site.breaches().empty());
}

TEST_CASE("data made by hand, and by an earlier version, get our finalizer and their names", "[data][secrets]") {
  DataSite site;
  site.create(dataTemplate(kPlain));
  site.kill();
  site.addMachine("m0");
  const auto claim = *site.find<Metal3DataClaim>("m0");
  Metal3Data data;
  data.metadata = {.name = "dt-5", .namespace_ = "metal"};
  data.metadata.labels[kClusterLabel] = "c1";
  data.metadata.finalizers = {"metal3dataclaim.infrastructure.cluster.x-k8s.io"};
  data.metadata.ownerReferences = {kube::ownerReferenceTo(claim, true)};
  data.spec.index = 5;
  data.spec.template_ = {.name = "dt", .namespace_ = "metal"};
  data.spec.claim = {.name = "m0", .namespace_ = "metal"};
  site.create(data);
  site.start();
  site.settle();
  CHECK(site.find<Metal3DataClaim>("m0")->status.renderedData->name == "dt-5");
  const auto stored = *site.find<Metal3Data>("dt-5");
  CHECK(stored.status.ready == true);
  CHECK(stored.metadata.finalizers.size() == 2);
  CHECK(stored.spec.metaData->name == "m0-metadata");
  CHECK(site.textOf("m0-metadata", "metaData").starts_with("idx: \"5\"\n"));
}

TEST_CASE("§17.2, §21 Q29 scalar parameters of a bond, which only v1beta1 can write, are rendered as they are",
          "[data][secrets]") {
  DataSite site;
  api::capm3::v1beta1::Metal3DataTemplate old;
  old.metadata = {.name = "dt", .namespace_ = "metal"};
  old.spec = json::decode<api::capm3::v1beta1::Metal3DataTemplateSpec>(json::parse(R"({"clusterName": "c1",
      "networkData": {"links": {"bonds": [{"id": "bond0", "bondMode": "802.3ad", "bondXmitHashPolicy": "layer3+4",
          "bondLinks": ["eth0"], "macAddress": {"string": "00:11:22:33:44:55"},
          "parameters": {"lacp_rate": "fast", "miimon": 100}}]}, "networks": {}}})"));
  site.create(old);
  site.addMachine("m0");
  site.settle();
  const Texts text{site.textOf("m0-networkdata", "networkData")};
  CAPTURE(text);
  CHECK(count(text, "bond_lacp_rate: fast") == 1);
  CHECK(count(text, "bond_miimon: 100") == 1);
}
