// spec/capm3.md §8.2, §8.4 and §8.5 against an API that refuses writes, and objects that are taken away under a
// machine: what is told, and that the machine goes on afterwards.
#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kAlways = 1'000'000;

void inServiceWith(MachineSite& site, const std::function<void(Metal3Machine&)>& change = {}) {
  site.deploy(change);
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
}

void deny(MachineSite& site, const std::string& path) {
  site.denied = path;
  site.denials = kAlways;
}

}  // namespace

TEST_CASE("§8.2 (8), §21 Q10 a pause that does not reach the host is told, and tried again", "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site);
  deny(site, "/baremetalhosts/h1");
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  const std::string set =
      "False/BareMetalHostPauseAnnotationSetFailed: Failed to set pause annotation on associated "
      "BareMetalHost. Error: ";
  CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith(set));
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith(set));
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/PauseAnnotationSetFailedReason");
  site.denials = 0;
  site.settle(40s);
  CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  CHECK(site.condition("m1", "Paused") == "True/Paused: Cluster spec.paused is set to true");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));

  deny(site, "/baremetalhosts/h1");
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle();
  const std::string removed =
      "False/BareMetalHostPauseAnnotationRemoveFailed: Failed to remove pause annotation on "
      "associated BareMetalHost. Error: ";
  CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith(removed));
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith(removed));
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/PauseAnnotationRemoveFailed");
  site.denials = 0;
  site.settle(40s);
  CHECK_FALSE(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
  CHECK(site.condition("m1", "Paused") == "False/NotPaused");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
}

TEST_CASE("§8.2 (8) a pause that does not reach the host for now is tried again soon, and no error",
          "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site);
  const auto message = GENERATE("failed calling webhook baremetalhost.metal3.io: no endpoints available",
                                "etcdserver: request timed out");
  const auto begun = site.loop.clock.now();
  site.instead = [&](const net::ServerRequest& request) -> std::optional<MachineSite::Answer> {
    const bool isOfHost = request.method == "PATCH" && request.path().ends_with("/baremetalhosts/h1");
    if (!isOfHost || site.loop.clock.now() > begun + std::chrono::seconds(4)) return std::nullopt;
    return MachineSite::Answer{500, fmt::format(R"({{"kind":"Status","status":"Failure","code":500,)"
                                                R"("reason":"InternalError","message":"{}"}})",
                                                message)};
  };
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle(std::chrono::seconds(3));
  CHECK_THAT(site.condition("m1", "Paused"), !Catch::Contains("Failed to set pause"));
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
  site.settle(std::chrono::seconds(6));
  CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)));
}

TEST_CASE("§8.4 what the API refuses of a deletion is told, and done when it does so no more", "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site, withTemplate);
  SECTION("to stop the host") {
    deny(site, "/baremetalhosts/h1");
    site.removeMachine("m1");
    site.settle();
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/DeletionFailed: failed to delete Metal3Machine: "));
    CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/DeletionFailed");
    CHECK(site.host("h1").spec.image);
  }
  SECTION("to let go of the data") {
    deny(site, "/metal3dataclaims/m1");
    site.removeMachine("m1");
    site.settle();
    site.state("h1", "available");
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/DisassociateM3MetaDataFailed: failed to dissociate Metadata: "));
    CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/DisassociateM3MetaDataFailed");
    CHECK(site.find<Metal3DataClaim>("m1"));
    CHECK(site.find<Metal3Machine>("m1"));
  }
  site.denials = 0;
  site.settle(3min);
  site.state("h1", "available");
  site.settle(3min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
  CHECK(site.consumer("h1").empty());
}

TEST_CASE("§8.3 (2), §21 Q15 a host of a machine in service that may not be written is told of", "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site);
  site.patchStatus<Machine>("m1", R"({"status":{"nodeRef":{"name":"n1"}}})");
  site.settle();
  deny(site, "/baremetalhosts/h1");
  site.patch<BareMetalHost>("h1", R"({"spec":{"online":false}})");
  site.settle();
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/UpdateError: Failed to update the Metal3Machine: "));
  site.denials = 0;
  site.settle(3min);
  CHECK(site.host("h1").spec.online);
  CHECK(site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess");
}

TEST_CASE("§10.1 (7) the credentials of the BMC that are missing after the claim are named", "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  site.remove<kube::Secret>("h1-bmc");
  site.addMachine("m1");
  site.settle();
  CHECK(site.consumer("h1") == "m1");
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::StartsWith("False/AssociateBareMetalHostFailed: ") &&
                 Catch::Contains("the BMC credentials Secret h1-bmc of host h1 does not exist"));
  kube::Secret secret;
  secret.metadata = {.name = "h1-bmc", .namespace_ = "metal"};
  auto wait = base::Duration(40s);
  SECTION("until they are there") {}
  SECTION("until the controller of hosts has labelled them") {
    secret.metadata.labels["environment.metal3.io"] = "baremetal";
    wait = 1s;
  }
  site.create(secret);
  site.settle(wait);
  CHECK(site.find<kube::Secret>("h1-bmc")->metadata.labels.at("cluster.x-k8s.io/cluster-name") == "c1");
  CHECK(site.host("h1").spec.image);
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
}

TEST_CASE("§10.1 (7) other credentials for a BMC wake no machine", "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site);
  const int passes = site.passes();
  site.patch<kube::Secret>("h1-bmc", R"({"metadata":{"annotations":{"note":"a"}}})");
  site.settle();
  CHECK(site.passes() == passes);
}

TEST_CASE("§13.2 a kubeconfig that goes takes nothing from a machine in service, and holds up the next one",
          "[machine][refusal]") {
  MachineSite site;
  inServiceWith(site);
  site.remove<kube::Secret>("c1-kubeconfig");
  const auto written = site.writesTo("/metal3machines/m1").size();
  site.settle(5min);
  CHECK(site.isProvisioned("m1"));
  CHECK(site.condition("m1", "Ready") == "True/Ready");
  CHECK(site.writesTo("/metal3machines/m1").size() == written);

  site.addHost("h2");
  site.addMachine("m2");
  site.settle();
  site.state("h2", "provisioned");
  site.settle(2min);
  CHECK_FALSE(site.isProvisioned("m2"));
  CHECK_THAT(site.condition("m2", kMetaData),
             Catch::Contains("the Nodes of the workload cluster are not known: ") && Catch::Contains("c1-kubeconfig"));
  site.create(WorkloadCluster::kubeconfig("c1"));
  site.join("h2", "n2");
  site.settle(2min);
  CHECK(site.isProvisioned("m2"));
}

TEST_CASE("a machine whose host cannot be provisioned says why, until it can", "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess");
  const std::string told = "False/BareMetalHostNotProvisioned: the BareMetalHost cannot be provisioned: host h1";
  SECTION("its bootstrap Secret does not exist") {
    site.patchStatus<BareMetalHost>("h1",
                                    R"({"status":{"errorMessage":"userData secret metal/m1-boot does not exist"}})");
    site.settle(10s);
    CHECK_THAT(site.condition("m1", "Ready"), !Catch::StartsWith("False/NotReady"));  // what passes at once is not told
    site.settle(10s);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(told + ": userData secret metal/m1-boot does not exist"));
  }
  SECTION("its image cannot be had") {
    site.state("h1", "provisioning");
    site.patchStatus<BareMetalHost>(
        "h1", R"({"status":{"errorType":"provisioning error","errorMessage":"Image download failed: 404"}})");
    site.settle(20s);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(told + " has a provisioning error: Image download failed: 404"));
  }
  SECTION("somebody has paused it") {
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"by hand"}}})");
    site.settle(20s);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(told + " has the annotation baremetalhost.metal3.io/paused"));
  }
  SECTION("somebody has detached it") {
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/detached":""}}})");
    site.settle(20s);
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith(told + " has the annotation baremetalhost.metal3.io/detached"));
  }
  CHECK_THAT(site.condition("m1", "Ready"), Catch::StartsWith("False/NotReady"));
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
  const auto written = site.writesTo("/metal3machines/m1").size();
  site.settle(10min);
  CHECK(site.writesTo("/metal3machines/m1").size() == written);
  site.patchStatus<BareMetalHost>("h1", R"({"status":{"errorType":null,"errorMessage":""}})");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null,)"
                                  R"("baremetalhost.metal3.io/detached":null}}})");
  site.settle();
  CHECK(site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  CHECK(site.condition("m1", "Ready") == "True/Ready");
}

TEST_CASE("a machine whose host is deleted before it is provisioned says so", "[machine][refusal]") {
  MachineSite site;
  site.addHost("h1");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"finalizers":["baremetalhost.metal3.io"]}})");
  site.addMachine("m1");
  site.settle();
  REQUIRE(site.condition("m1", kMetaData) == "True/AssociateMetal3MachineMetaDataSuccess");
  site.remove<BareMetalHost>("h1");
  site.settle(20s);
  CHECK_THAT(site.condition("m1", kMetaData),
             Catch::StartsWith("False/BareMetalHostNotProvisioned: the BareMetalHost cannot be provisioned: "
                               "host h1 is being deleted"));
}
