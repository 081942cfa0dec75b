// Data of machines as `ingot-coordinator --embedded` runs their controllers.
#include "api/ipam/ip_claim.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/data/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

template <class T>
T stored(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  return site.run(site.client().create(std::move(object)));
}

template <class T>
std::optional<T> present(Site& site, const std::string& name) {
  return site.run(site.client().get<T>({"default", name}));
}

// The host is nobody's as far as its own controller knows: without a BMC it stays unmanaged.
void addMachine(Site& site) {
  auto host = hostOf("m0");
  host.spec.consumerRef->namespace_ = "default";
  stored(site, host);
  auto metal = metalMachine(stored(site, machineNamed("m0")));
  metal.spec.dataTemplate->namespace_ = "default";
  const auto owner = stored(site, metal);
  Metal3DataClaim claim;
  claim.metadata.name = "m0";
  claim.metadata.labels = owner.metadata.labels;
  claim.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
  claim.spec.template_ = {.name = "dt", .namespace_ = "default"};
  stored(site, claim);
}

}  // namespace

TEST_CASE("--enable-bmh-name-based-preallocation names the claims of a machine that gets its data by its host",
          "[scenario][flags]") {
  const bool byHost = GENERATE(true, false);
  Site site(byHost ? std::vector<std::string>{"--enable-bmh-name-based-preallocation"} : std::vector<std::string>{});
  stored(site, clusterC1());
  stored(site, poolNamed("prov", "10.0.0.10", "10.0.0.20"));
  stored(site, dataTemplate(R"({"metaData":{"ipAddressesFromPool":[{"key":"ip","name":"prov"}]}})"));
  addMachine(site);
  site.loop.clock.advance(10s);
  REQUIRE(present<Metal3Data>(site, "dt-0"));
  CHECK(present<Metal3Data>(site, "dt-0")->status.ready == true);
  CHECK(present<kube::Secret>(site, "m0-metadata"));
  CHECK(present<api::ipam::IPClaim>(site, byHost ? "host-m0-prov" : "dt-0-prov"));
}

}  // namespace ingot::tests
