// What a machine writes onto its host (spec/capm3.md §10, §13.1).
#include "coordinator/machine/association.hpp"

#include "coordinator/machine/error.hpp"
#include "coordinator/machine/host_choice.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::machine;

namespace {

struct Pair {
  Pair() {
    host.metadata = {.name = "host", .namespace_ = "metal"};
    machine.metadata = {.name = "m", .namespace_ = "metal", .uid = "uid-of-m"};
    machine.spec.image = {.url = "http://images/i.raw", .checksum = "http://images/sums"};
    owner.metadata = {.name = "owner", .namespace_ = "metal"};
    owner.spec.clusterName = "blue";
    owner.spec.bootstrap.dataSecretName = "boot";
  }

  void associate() {
    settleUserData(machine, owner);
    claimHost(host, machine, owner);
    if (!machine.spec.dataTemplate) writeHost(host, machine);
    linkHost(machine, host.metadata.key());
  }

  BareMetalHost host;
  Metal3Machine machine;
  Machine owner;
};

}  // namespace

TEST_CASE("§10.1, §10.3, §21 Q14 a host is claimed, told what to run, and switched on", "[machine]") {
  Pair pair;
  pair.host.metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] = "md-x";
  pair.host.metadata.annotations[kLetGoBy] = "of a process that ended";
  pair.associate();
  CHECK(pair.host.metadata.annotations == std::map<std::string, std::string>{{kToldBy, "uid-of-m/boot"}});
  CHECK(pair.host.metadata.labels == std::map<std::string, std::string>{{"cluster.x-k8s.io/cluster-name", "blue"}});
  CHECK(pair.host.spec.consumerRef->name == "m");
  CHECK(pair.host.spec.image->url == "http://images/i.raw");
  CHECK(json::find(json::encode(pair.host), {"spec", "image", "format"}) == nullptr);
  CHECK(pair.host.spec.userData == api::SecretReference{.name = "boot", .namespace_ = "metal"});
  CHECK(pair.host.spec.online);
  CHECK(linkedHost(pair.machine) == kube::ObjectKey{.namespace_ = "metal", .name = "host"});
}

TEST_CASE("§10.1 (5) with a data template the host is claimed only", "[machine]") {
  Pair pair;
  pair.machine.spec.dataTemplate = {.name = "template"};
  pair.associate();
  CHECK(pair.host.spec.consumerRef);
  CHECK_FALSE(pair.host.spec.image);
  CHECK_FALSE(pair.host.spec.online);
}

TEST_CASE("§10.3 (2) what a host runs is not replaced", "[machine]") {
  Pair pair;
  pair.host.spec.image = api::Image{.url = "http://images/old.raw"};
  SECTION("of a machine in service") { pair.machine.spec.providerID = "metal3://metal/host/m"; }
  SECTION("that was told to run with these user data") {
    pair.host.spec.userData = api::SecretReference{.name = "boot", .namespace_ = ""};
  }
  pair.associate();
  CHECK(pair.host.spec.image->url == "http://images/old.raw");
}

TEST_CASE("what a host was told by somebody else is no machine's", "[machine]") {
  Pair pair;
  pair.host.spec.customDeploy = api::CustomDeploy{.method = "x"};
  SECTION("with no user data") {}
  SECTION("with other user data") { pair.host.spec.userData = api::SecretReference{.name = "old"}; }
  SECTION("with user data of another namespace") {
    pair.host.spec.userData = api::SecretReference{.name = "boot", .namespace_ = "far"};
  }
  CHECK_THROWS_AS(pair.associate(), MachineError);
}

TEST_CASE("§10.2, §21 Q13 user data are settled once", "[machine]") {
  Pair pair;
  pair.associate();
  pair.owner.spec.bootstrap.dataSecretName = "later";
  settleUserData(pair.machine, pair.owner);
  CHECK(pair.machine.status.userData->name == "boot");
}

TEST_CASE("§10.2, §10.3 Secrets of other namespaces and machines without an image are refused", "[machine]") {
  Pair foreign;
  foreign.machine.spec.userData = api::SecretReference{.name = "s", .namespace_ = "other"};
  CHECK_THROWS_AS(foreign.associate(), MachineError);
  Pair late;  // written by hand since it was settled
  late.machine.status.userData = {"s", "other"};
  CHECK_THROWS_AS(writeHost(late.host, late.machine), MachineError);
  Pair kept;
  kept.machine.status.userData = {"s", "metal"};
  kept.host.spec.networkData = api::SecretReference{"s", "other"};
  CHECK_THROWS_AS(writeHost(kept.host, kept.machine), MachineError);
  Pair empty;
  empty.machine.spec.image = {};
  CHECK_THROWS_AS(empty.associate(), MachineError);
  Pair given;
  given.machine.spec.metaData = api::SecretReference{.name = "s", .namespace_ = "other"};
  CHECK_THROWS_AS(settleGivenData(given.machine), MachineError);
}

TEST_CASE("§13.4 a host with many addresses shows as many as may be, and its name", "[machine]") {
  BareMetalHost host;
  host.status.hardware.emplace();
  for (int i = 0; i < 40; ++i) host.status.hardware->nics.push_back({.ip = fmt::format("10.0.0.{}", i)});
  CHECK(nodeAddresses(host).size() == 32);
  CHECK(nodeAddresses(host).back().address == "10.0.0.31");
  host.status.hardware->hostname = "n1";
  const auto named = nodeAddresses(host);
  REQUIRE(named.size() == 32);
  CHECK(named[29].address == "10.0.0.29");
  CHECK(named[30].type == "Hostname");
  CHECK(named[31].type == "InternalDNS");
}

TEST_CASE("§13.1 an annotation that names no host is refused", "[machine]") {
  Pair pair;
  CHECK_FALSE(linkedHost(pair.machine));
  pair.machine.metadata.annotations["metal3.io/BareMetalHost"] = "a/b/c";
  CHECK_FALSE(linkedHost(pair.machine));
  CHECK_THROWS_AS(requireLink(pair.machine), MachineError);
}

TEST_CASE("a host serves machines of its own namespace only", "[machine]") {
  Pair pair;
  pair.associate();
  CHECK(isConsumer(pair.host, pair.machine));
  pair.host.metadata.namespace_ = "stranger";
  CHECK_FALSE(isConsumer(pair.host, pair.machine));
}
