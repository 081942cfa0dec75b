// From a claim to the Secrets of a machine, with our own address management beside it (spec/capm3.md §15, §16).
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/coordinator/data/site.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// A site with the template `spec` and a pool for it, at rest.
void prepare(DataSite& site, const char* spec) {
  site.create(poolNamed("prov", "10.0.0.10", "10.0.0.99"));
  site.create(dataTemplate(spec));
  site.settle();
  site.writes.clear();
  site.reads.clear();
}

std::size_t own(const Texts& writes) { return writes.size() - count(writes, "ipam.metal3.io"); }

}  // namespace

TEST_CASE("a machine with an address and both Secrets costs six writes and one read", "[data][budget]") {
  DataSite site;
  prepare(site, kWithPool);
  site.addMachine("m0");
  site.settle();
  REQUIRE(site.isReady("dt-0"));
  INFO(fmt::format("{}", fmt::join(site.writes, "\n")));
  CHECK(count(site.writes, "metal3dataclaims/m0") == 1);  // its status: it was made with the finalizer
  CHECK(count(site.writes, "POST /apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/metal3datas") == 1);
  CHECK(count(site.writes, "metal3datas/dt-0/status") == 1);
  CHECK(count(site.writes, "POST /api/v1/namespaces/metal/secrets") == 2);
  CHECK(count(site.writes, "POST /apis/ipam.metal3.io/v1alpha1/namespaces/metal/ipclaims") == 1);
  CHECK(count(site.writes, "metal3datatemplates/dt/status") == 1);  // of all machines of a second
  CHECK(count(site.writes, "ipam.metal3.io/v1alpha1/namespaces/metal/ipclaims/dt-0-prov") == 1);  // likewise
  CHECK(own(site.writes) == 6);  // with that of the template, without the claim for the address
  CHECK(site.reads == Texts{"/apis/metal3.io/v1alpha1/namespaces/metal/baremetalhosts/host-m0"});
  CHECK(site.breaches().empty());
}

TEST_CASE("§2.1, §15.1, §15.2.1, §15.6, §16.2 the objects of a machine are as upstream leaves them", "[data]") {
  DataSite site;
  prepare(site, kWithPool);
  site.addMachine("m0");
  site.settle();
  const auto claim = *site.find<Metal3DataClaim>("m0");
  const auto data = *site.find<Metal3Data>("dt-0");
  const auto metal = *site.find<Metal3Machine>("m0");
  const std::string version = "infrastructure.cluster.x-k8s.io/v1beta2";
  CHECK(claim.metadata.finalizers ==
        Texts{"metal3machine.infrastructure.cluster.x-k8s.io", "metal3dataclaim.infrastructure.cluster.x-k8s.io"});
  CHECK(claim.status.renderedData == api::capm3::v1beta2::ObjectRef{"dt-0", "metal"});
  CHECK(data.metadata.finalizers ==
        Texts{"metal3dataclaim.infrastructure.cluster.x-k8s.io", "metal3data.infrastructure.cluster.x-k8s.io"});
  CHECK(data.metadata.labels == claim.metadata.labels);
  CHECK(data.metadata.ownerReferences ==
        std::vector<kube::OwnerReference>{{version, "Metal3DataClaim", "m0", claim.metadata.uid, true},
                                          {version, "Metal3Machine", "m0", metal.metadata.uid}});
  CHECK(data.spec.index == 0);
  CHECK(data.spec.metaData == api::SecretReference{"m0-metadata", "metal"});
  CHECK(data.spec.networkData == api::SecretReference{"m0-networkdata", "metal"});
  CHECK(data.spec.claim == api::capm3::v1beta2::ObjectRef{"m0", "metal"});
  CHECK(data.spec.template_ == api::capm3::v1beta2::ObjectRef{"dt", "metal"});
  const auto address = *site.find<IPClaim>("dt-0-prov");
  CHECK(address.metadata.finalizers == Texts{"metal3data.infrastructure.cluster.x-k8s.io", "ipclaim.ipam.metal3.io"});
  CHECK(address.metadata.labels == data.metadata.labels);
  const std::vector<kube::OwnerReference> byData{{version, "Metal3Data", "dt-0", data.metadata.uid, true}};
  CHECK(address.metadata.ownerReferences == byData);
  CHECK(address.spec.pool == kube::ObjectReference{.namespace_ = "metal", .name = "prov"});
  const auto secret = *site.find<kube::Secret>("m0-metadata");
  CHECK(secret.type == "infrastructure.cluster.x-k8s.io/secret");
  CHECK(secret.metadata.labels ==
        std::map<std::string, std::string>{{kClusterLabel, "c1"}, {"environment.metal3.io", "baremetal"}});
  CHECK(secret.metadata.ownerReferences == byData);
  CHECK(site.textOf("m0-metadata", "metaData") == "idx: \"0\"\nip: 10.0.0.10\nproviderid: metal/host-m0/m0\n");
  CHECK(count({site.textOf("m0-networkdata", "networkData")}, "ip_address: 10.0.0.10") == 1);
  CHECK(count({site.textOf("m0-networkdata", "networkData")}, "00:11:22:33:44:66") == 1);
  const auto dataTemplate = *site.find<Metal3DataTemplate>("dt");
  CHECK(dataTemplate.metadata.finalizers == Texts{"metal3datatemplate.infrastructure.cluster.x-k8s.io"});
  CHECK(dataTemplate.metadata.ownerReferences.empty());
  CHECK(dataTemplate.status.indexes == std::vector<api::capm3::v1beta2::DataIndex>{{"m0", 0}});
  CHECK(dataTemplate.status.lastUpdated);
}

TEST_CASE("what is settled costs nothing, also after a start", "[data]") {
  DataSite site;
  prepare(site, kWithPool);
  site.addMachine("m0");
  site.settle();
  site.writes.clear();
  site.reads.clear();
  site.restart();
  site.settle(1h);
  CHECK(site.writes.empty());
  CHECK(site.reads.empty());
}

TEST_CASE("fifty claims at once get the indexes 0 to 49 and an address each", "[data]") {
  DataSite site;
  prepare(site, kWithPool);
  constexpr int kMachines = 50;
  for (int i = 0; i < kMachines; ++i) site.addMachine(fmt::format("m{}", i));
  site.settle(30s);
  std::set<int> indexes;
  for (const auto& data : site.all<Metal3Data>()) {
    indexes.insert(data.spec.index.value());
    CHECK(data.status.ready == true);
  }
  CHECK(indexes.size() == kMachines);
  CHECK(*indexes.rbegin() == kMachines - 1);
  CHECK(site.find<Metal3DataTemplate>("dt")->status.indexes.size() == kMachines);
  CHECK(site.all<api::ipam::IPAddress>().size() == kMachines);
  CHECK(site.breaches().empty());
}

TEST_CASE("§15.2.2, §16.5 all that a machine had goes with it, and its index and address are given again", "[data]") {
  DataSite site;
  prepare(site, kWithPool);
  for (const char* name : {"m0", "m1", "m2"}) {
    site.addMachine(name);
    site.settle();
  }
  site.removeMachine("m1");
  site.settle(1min);
  CHECK(site.names<Metal3Data>() == Texts{"dt-0", "dt-2"});
  CHECK(site.names<Metal3DataClaim>() == Texts{"m0", "m2"});
  CHECK(site.names<IPClaim>() == Texts{"dt-0-prov", "dt-2-prov"});
  CHECK_FALSE(site.find<kube::Secret>("m1-metadata"));
  site.addMachine("m3");
  site.settle();
  CHECK(site.find<Metal3DataClaim>("m3")->status.renderedData->name == "dt-1");
  CHECK(count({site.textOf("m3-metadata", "metaData")}, "ip: 10.0.0.11") == 1);
  CHECK(site.breaches().empty());
  for (const char* name : {"m0", "m2", "m3"}) site.removeMachine(name);
  site.remove<Metal3DataTemplate>("dt");
  site.settle(1min);
  CHECK(site.names<Metal3Data>().empty());
  CHECK(site.names<Metal3DataTemplate>().empty());
  CHECK(site.names<IPClaim>().empty());
  CHECK(site.names<api::ipam::IPAddress>().empty());
  CHECK(count(site.names<kube::Secret>(), "data") == 0);
}

TEST_CASE("a machine made anew under its name gets data of its own", "[data]") {
  DataSite site;
  prepare(site, kWithPool);
  site.addMachine("m0");
  site.settle();
  const std::string before = site.find<Metal3Data>("dt-0")->metadata.uid;
  site.removeMachine("m0");
  site.remove<BareMetalHost>("host-m0");
  site.addMachine("m0");
  site.settle(1min);
  const auto claim = *site.find<Metal3DataClaim>("m0");
  REQUIRE(claim.status.renderedData);
  const auto data = *site.find<Metal3Data>(claim.status.renderedData->name);
  CHECK(data.metadata.uid != before);
  CHECK(data.metadata.ownedBy(claim.metadata.uid));
  CHECK(data.status.ready == true);
  CHECK(site.find<kube::Secret>("m0-metadata")->metadata.ownedBy(data.metadata.uid));
  CHECK(site.breaches().empty());
}
