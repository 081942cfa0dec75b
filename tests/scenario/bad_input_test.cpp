// What users get wrong around a machine, by the whole coordinator: its own status says what it lacks, and it goes on
// once that is mended.
#include "api/ipam/ip_claim.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/coordinator/data/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Catch::Contains;
using Catch::StartsWith;

const std::string kHost = "AssociateBareMetalHost", kMetaData = "AssociateMetal3MachineMetaData";
constexpr const char* kFromPool = R"({"metaData":{"ipAddressesFromPool":[{"key":"ip","name":"prov"}]}})";

struct Yard {
  Yard() { addCluster("c1"); }

  template <class T>
  T put(T object) {
    object.metadata.namespace_ = "default";
    object.metadata.uid.clear();
    return site.run(site.client().create(std::move(object)));
  }
  template <class T>
  void status(const std::string& name, const std::string& mergePatch) {
    static_cast<void>(site.run(site.client().patchStatus<T>({"default", name}, json::parse(mergePatch))));
  }

  void addCluster(const std::string& name) {
    Metal3Cluster metal = metalCluster(put(clusterNamed(name)).metadata.uid);
    metal.metadata.name = name;
    metal.metadata.labels[kClusterLabel] = name;
    metal.metadata.ownerReferences.front().name = name;
    put(metal);
    status<Cluster>(name, R"({"status":{"initialization":{"infrastructureProvisioned":true}}})");
  }

  void addBootstrapSecret(const std::string& machine) {
    kube::Secret secret;
    secret.metadata.name = machine + "-boot";
    secret.data["value"] = kube::SecretBytes("#cloud-config");
    put(secret);
  }

  // `dataTemplate` "": it needs no data.
  void addMachine(const std::string& name, const std::string& dataTemplate, const std::string& cluster = "c1") {
    Machine machine = machineOf(cluster, name);
    machine.metadata.labels[kClusterLabel] = cluster;
    machine.spec.bootstrap.dataSecretName = name + "-boot";
    const Machine owner = put(machine);
    Metal3Machine metal;
    metal.metadata.name = name;
    metal.metadata.labels = owner.metadata.labels;
    metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
    metal.spec.image = {
        .url = "http://images/os.raw", .checksum = "abcd", .checksumType = "sha256", .diskFormat = "raw"};
    if (!dataTemplate.empty()) metal.spec.dataTemplate = {.name = dataTemplate, .namespace_ = "default"};
    put(metal);
  }

  void addHost() { site.createHost("h1", "redfish://10.0.0.1/redfish/v1/Systems/1"); }

  // "False/Reason: message"; "": there is no such condition.
  [[nodiscard]] std::string condition(const std::string& machine, const std::string& type) {
    const auto found = site.run(site.client().get<Metal3Machine>({"default", machine})).value();
    const auto* condition = kube::findCondition(found.status.conditions, type);
    return condition == nullptr ? ""
                                : fmt::format("{}/{}: {}", condition->status, condition->reason, condition->message);
  }

  Site site;
};

}  // namespace

TEST_CASE("a machine whose data cannot be made says why itself, and goes on once they can", "[scenario][input]") {
  Yard yard;
  yard.addBootstrapSecret("m1");
  yard.addHost();
  REQUIRE(yard.site.reaches("h1", "available"));
  SECTION("its template does not exist") {
    yard.addMachine("m1", "dt");
    yard.site.loop.clock.advance(1min);
    CHECK_THAT(yard.condition("m1", kMetaData),
               StartsWith("False/") && Contains("Metal3DataTemplate dt does not exist"));
    yard.put(dataTemplate(kPlain));
  }
  SECTION("its pool does not exist") {
    yard.put(dataTemplate(kFromPool));
    yard.addMachine("m1", "dt");
    yard.site.loop.clock.advance(1min);
    CHECK_THAT(yard.condition("m1", kMetaData),
               StartsWith("False/") && Contains("waiting for addresses of IPPool prov (there is no such IPPool)"));
    yard.put(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
  }
  SECTION("its pool is exhausted") {
    yard.put(dataTemplate(kFromPool));
    yard.put(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
    api::ipam::IPClaim first;
    first.metadata.name = "first";
    first.spec.pool.name = "prov";
    yard.put(first);
    yard.site.loop.clock.advance(5s);
    yard.addMachine("m1", "dt");
    yard.site.loop.clock.advance(1min);
    CHECK_THAT(yard.condition("m1", kMetaData),
               StartsWith("False/") && Contains("IP Allocation for prov failed : Exhausted IP Pools"));
    static_cast<void>(yard.site.run(yard.site.client().remove<api::ipam::IPClaim>({"default", "first"})));
    yard.site.loop.clock.advance(5s);
    yard.status<api::ipam::IPClaim>("dt-0-prov", R"({"status":{"errorMessage":null}})");
  }
  const auto claimBeforehand = [&](const std::string& pool) {
    api::ipam::IPClaim first;
    first.metadata.name = "first";
    first.spec.pool.name = pool;
    yard.put(first);
    yard.site.loop.clock.advance(5s);
  };
  const auto whatItWaitsFor = [&] {
    yard.put(dataTemplate(kFromPool));
    yard.addMachine("m1", "dt");
    yard.site.loop.clock.advance(1min);
    return yard.condition("m1", kMetaData);
  };
  SECTION("the address that its pool keeps for it is somebody else's") {
    auto pool = poolNamed("prov", "10.0.0.10", "10.0.0.20");
    yard.put(pool);
    claimBeforehand("prov");
    static_cast<void>(yard.site.run(yard.site.client().patch<api::ipam::IPPool>(
        {"default", "prov"}, json::parse(R"({"spec":{"preAllocations":{"dt-0-prov":"10.0.0.10"}}})"))));
    CHECK_THAT(whatItWaitsFor(), StartsWith("False/") && Contains("(IPClaim dt-0-prov has no address yet: 10.0.0.10 "
                                                                  "is kept for it, and somebody else has it)"));
    static_cast<void>(yard.site.run(yard.site.client().remove<api::ipam::IPClaim>({"default", "first"})));
  }
  SECTION("its pool overlaps another one, whose address has the name of its own") {
    auto other = poolNamed("other", "10.0.0.10", "10.0.0.10");
    other.spec.namePrefix = "prov";
    yard.put(other);
    claimBeforehand("other");
    yard.put(poolNamed("prov", "10.0.0.10", "10.0.0.10"));
    CHECK_THAT(whatItWaitsFor(),
               StartsWith("False/") && Contains("(IPClaim dt-0-prov has no address yet: 10.0.0.10 of pool prov is "
                                                "free, but the name that its IPAddress would have is another one's)"));
    static_cast<void>(yard.site.run(yard.site.client().remove<api::ipam::IPClaim>({"default", "first"})));
  }
  REQUIRE(yard.site.reaches("h1", "provisioned"));
  CHECK_THAT(yard.condition("m1", "Metal3DataReady"), StartsWith("True/"));
  CHECK(yard.site.host("h1")->spec.metaData->name == "m1-metadata");
}

TEST_CASE("a machine whose bootstrap Secret is missing says so, and is provisioned once it is there",
          "[scenario][input]") {
  Yard yard;
  yard.addMachine("m1", "");
  yard.addHost();
  REQUIRE(yard.site.reaches("h1", "available"));
  yard.site.loop.clock.advance(2min);
  CHECK(yard.site.state("h1") == "available");
  CHECK_THAT(yard.condition("m1", kMetaData),
             StartsWith("False/BareMetalHostNotProvisioned: the BareMetalHost cannot be provisioned: host h1") &&
                 Contains("default/m1-boot does not exist"));
  yard.addBootstrapSecret("m1");
  REQUIRE(yard.site.reaches("h1", "provisioned"));
  yard.site.loop.clock.advance(5s);
  CHECK_THAT(yard.condition("m1", kMetaData), !Contains("BareMetalHostNotProvisioned"));
}

TEST_CASE("of machines of two Clusters that want one host the other one says that it is in use", "[scenario][input]") {
  Yard yard;
  yard.addCluster("c2");
  for (const char* name : {"m1", "m2"}) {
    yard.addBootstrapSecret(name);
    yard.addMachine(name, "", std::string(name) == "m1" ? "c1" : "c2");
  }
  yard.site.loop.clock.advance(10s);
  for (const char* name : {"m1", "m2"})
    CHECK_THAT(yard.condition(name, kHost), Contains("no available host found (no host in namespace default)"));
  yard.addHost();
  yard.site.loop.clock.advance(40s);
  for (const char* name : {"m1", "m2"})
    CHECK_THAT(yard.condition(name, kHost), StartsWith("True/") || Contains("no available host found (1 host: 1 "));
  REQUIRE(yard.site.reaches("h1", "provisioned"));
  yard.site.loop.clock.advance(6min);
  const std::string winner = yard.site.host("h1")->spec.consumerRef->name;
  CHECK(yard.site.host("h1")->metadata.labels.at(kClusterLabel) == (winner == "m1" ? "c1" : "c2"));
  CHECK_THAT(
      yard.condition(winner == "m1" ? "m2" : "m1", kHost),
      StartsWith("False/AssociateBareMetalHostFailed: ") && Contains("no available host found (1 host: 1 in use)"));
}

}  // namespace ingot::tests
