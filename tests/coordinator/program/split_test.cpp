// A coordinator whose work is divided between processes (--controllers), as far as one of them depends on the other.
#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capm3/names.hpp"
#include "tests/coordinator/program/process.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using api::BareMetalHost;
using api::ProvisioningAgent;
using api::capi::Cluster;

struct OnlyMachines : Process {
  explicit OnlyMachines(std::string controllers) : Process(std::move(controllers), nullptr, 10s) {}

  void approveAgent() {
    ProvisioningAgent agent;
    agent.metadata.name = "near";
    agent.spec = {.publicKey = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID", .approved = true};
    agent.spec.fingerprint = "a fingerprint", agent.spec.allHosts = true;
    run(program->client()->create(std::move(agent)));
    clock.advance(1s);
  }
  // Paused, as for a move, with a host that no machine has.
  void pauseAll() {
    BareMetalHost host;
    host.metadata = {.name = "a", .namespace_ = "default"};
    run(program->client()->create(std::move(host)));
    Cluster cluster;
    cluster.metadata = {.name = "edge", .namespace_ = "default"};
    cluster.spec.infrastructureRef = {
        .apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = "edge"};
    cluster.spec.paused = true;
    run(program->client()->create(std::move(cluster)));
    clock.advance(1min);
  }
  bool carries(const std::string& annotation) {
    const auto host = run(program->client()->get<BareMetalHost>({"default", "a"}));
    return host.value().metadata.annotations.contains(annotation);
  }
};

}  // namespace

TEST_CASE("who has machines without hosts has none moved while agents obey somebody else", "[split]") {
  const bool isServed = GENERATE(false, true);
  const std::string controllers = GENERATE("metal3machine", "*,-host", "*");
  CAPTURE(isServed, controllers);
  OnlyMachines site(controllers);
  if (isServed) site.approveAgent();
  site.pauseAll();
  CHECK(site.carries("baremetalhost.metal3.io/paused"));
  CHECK(site.carries("clusterctl.cluster.x-k8s.io/block-move") == (isServed && controllers != "*"));
}

}  // namespace ingot::tests
