// Remediation beside the agents that read its host's power: what they read reaches the proof that the host is off.
#include "api/capm3/v1beta2/remediation.hpp"
#include "api/capm3/names.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "kube/core/object_reference.hpp"
#include "tests/coordinator/agents/resting_host.hpp"
#include "tests/coordinator/cluster/builders.hpp"
#include "tests/support/workload_cluster.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3Remediation;

constexpr auto image =
    R"({"spec":{"image":{"url":"http://i/a.raw","checksum":"http://i/s","checksumType":"sha256","format":"raw"}}})";

// Machine m1 of Cluster c1 on host "a", provisioned and running; its Node is n1.
struct MachineOnAgentsHost : Site {
  MachineOnAgentsHost() : Site(With::fixture, Kinds::all), workload(loop, network) {
    // So old that its Nodes are deleted, not tainted.
    workload.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != "/version") return std::nullopt;
      return net::HttpResponse{.status = 200, .body = R"({"major":"1","minor":"27"})"};
    };
    restingHost(*this);
    make(clusterNamed("c1"));
    make(WorkloadCluster::kubeconfig("c1"));
    makeMachine();
    patchHost("a", fmt::format(R"({{"spec":{{"consumerRef":{{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                               R"("apiVersion":"{}/v1beta2"}},"online":true}}}})",
                               api::capm3::kGroup));
    patchHost("a", image);
    REQUIRE(until([&] { return state("a") == "provisioned" && host("a")->status.poweredOn; }));
    kube::Node node;
    node.metadata.name = "n1";
    node.spec.providerId = "metal3://metal/a/m1";
    workload.create(node);
  }

  template <class T>
  T make(T object) {
    object.metadata.namespace_ = "metal";
    object.metadata.uid.clear();
    return loop.run(user().create(std::move(object)));
  }
  void makeMachine() {
    Machine machine = machineOf("c1", "m1");
    machine.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
    machine.spec.providerID = "metal3://metal/a/m1";
    const Machine owner = make(machine);
    loop.run(
        user().patchStatus<Machine>({"metal", "m1"}, json::parse(R"({"status":{"nodeRef":{"name":"n1"},"conditions":[
      {"type":"HealthCheckSucceeded","status":"False","reason":"R","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})")));
    Metal3Machine metal;
    metal.metadata.name = "m1";
    metal.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
    metal.metadata.ownerReferences = {kube::ownerReferenceTo(owner, true)};
    metal.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/a";
    metal.spec.image = {.url = "http://i/a.raw", .checksum = "http://i/s"};
    make(metal);
  }
  void remediate() {
    Metal3Remediation it;
    it.metadata.name = "m1";
    it.metadata.ownerReferences = {
        kube::ownerReferenceTo(loop.run(user().get<Machine>({"metal", "m1"})).value(), false)};
    it.spec.strategy = {.type = "Reboot", .retryLimit = 1, .timeoutSeconds = 600};
    make(it);
  }
  bool nodeIsGone() { return !workload.find<kube::Node>({"", "n1"}); }

  WorkloadCluster workload;
};

// It lost its power, and its controller has seen so: nothing that the host says changes by switching it off.
void losesPower(MachineOnAgentsHost& site) {
  site.bmc("10.0.0.1").obeys = false;
  site.bmc("10.0.0.1").powerState = "Off";
  REQUIRE(site.until([&] { return !site.host("a")->status.poweredOn; }));
}

}  // namespace

TEST_CASE("a host that was off before its remediation is proved off by what its agent reads, not by ten minutes") {
  MachineOnAgentsHost site;
  losesPower(site);
  site.remediate();
  // The command to switch on that is under way has two minutes, and no reading counts beside it.
  CHECK(site.until([&] { return site.nodeIsGone(); }, 3min));
  site.bmc("10.0.0.1").obeys = true;
  CHECK(site.until([&] { return site.bmc("10.0.0.1").powerState == "On"; }));
}
