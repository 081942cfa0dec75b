// A machine in service whose Machine or Cluster goes before it (docs/decisions/0016).
#pragma once

#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "kube/core/secret.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

inline const std::string kHostPaused(api::annotation::paused);
inline constexpr auto kMachinePause = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})";
inline constexpr auto kMachineResume = R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})";

// Machine "m1" on host "h1", made a moment ago.
inline void inService(MachineSite& site, const std::function<void(Metal3Machine&)>& change = {}) {
  site.addHost("h1");
  site.addMachine("m1", change);
  site.settle();
  if (site.machine("m1").spec.dataTemplate) site.renderData("m1");
  site.state("h1", "provisioned");
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
}

// The same, and nothing of it may be of a restore that is under way.
inline void running(MachineSite& site, const std::function<void(Metal3Machine&)>& change = {}) {
  inService(site, change);
  site.settle(std::chrono::minutes(11));
}

inline bool runs(MachineSite& site) {
  const auto host = site.host("h1");
  return host.spec.image && host.spec.online && site.consumer("h1") == "m1";
}

inline void isReleased(MachineSite& site) {
  using namespace std::chrono_literals;
  site.settle(40s);
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
  CHECK(site.consumer("h1") == "m1");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("False/Deleting: deprovisioning BareMetalHost"));
  site.state("h1", "available");
  site.settle(40s);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
  CHECK_FALSE(site.find<Metal3DataClaim>("m1"));
  const auto host = site.host("h1");
  CHECK_FALSE(host.spec.consumerRef);
  CHECK_FALSE(host.metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
  CHECK_FALSE(host.metadata.annotations.contains("clusterctl.cluster.x-k8s.io/block-move"));
  CHECK_FALSE(site.find<kube::Secret>("h1-bmc")->metadata.labels.contains("cluster.x-k8s.io/cluster-name"));
}

}  // namespace ingot::tests
