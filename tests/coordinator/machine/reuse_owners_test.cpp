// What it costs to know whether there is anything of those that hosts are kept for: Machines looked at, and passes.
#include "coordinator/machine/reuse_owners.hpp"

#include "base/vital.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using api::capi::MachineSet;

namespace {

Machine planeMachine(const std::string& name, const std::string& plane) {
  Machine machine;
  machine.metadata = {.name = name, .namespace_ = "metal"};
  machine.metadata.ownerReferences = {{.apiVersion = "controlplane.cluster.x-k8s.io/v1beta2",
                                       .kind = "KubeadmControlPlane",
                                       .name = plane,
                                       .uid = "uid-" + plane}};
  machine.spec.clusterName = "c1";
  machine.spec.bootstrap.dataSecretName = name + "-boot";
  machine.spec.infrastructureRef = {.apiGroup = "lab.example.com", .kind = "LabMachine", .name = name};
  return machine;
}

// What a controller sees; Machines that nobody looks at are packed.
class OwnersSite : public MachineSite {
 public:
  OwnersSite() {
    clusters_.start(tasks_.group());
    machines.start(tasks_.group());
    sets_.start(tasks_.group());
    settle();
  }
  ~OwnersSite() { run(tasks_.close()); }

 private:
  std::unique_ptr<kube::Client> client_ = kube::connect(loop.runtime, network(), {.server = kProcess});
  kube::Cache<Cluster> clusters_{loop.runtime, client_->api()};
  kube::Cache<MachineSet> sets_{loop.runtime, client_->api()};
  base::VitalTasks tasks_{loop.runtime.executor, loop.runtime.log};

 public:
  kube::Cache<Machine> machines{loop.runtime, client_->api(), {.packAfter = 10s}};
  coordinator::machine::ReuseOwners owners{clusters_, machines, sets_};
};

}  // namespace

TEST_CASE("whether there is anything of a control plane is known without a look at a Machine", "[machine][kept]") {
  OwnersSite site;
  for (int i = 0; i < 200; ++i) site.create(planeMachine(fmt::format("m{}", i), fmt::format("plane{}", i % 10)));
  site.settle(1min);
  const auto packed = site.machines.packed();
  REQUIRE(packed > 100);
  int gone = 0;
  for (int i = 0; i < 100; ++i) gone += site.owners.isGone("metal", fmt::format("cp-plane{}", i)) ? 1 : 0;
  CHECK(gone == 90);
  CHECK(site.machines.packed() == packed);
}

TEST_CASE("an owner of machines comes with the first that is there of him, and goes with the last", "[machine][kept]") {
  OwnersSite site;
  std::vector<std::string> told;
  const auto subscription = site.owners.onChange([&](const kube::ObjectKey& owner) {
    told.push_back((site.owners.isGone(owner.namespace_, owner.name) ? "gone " : "come ") + owner.text());
  });
  using Texts = std::vector<std::string>;
  site.create(planeMachine("m1", "plane"));
  site.settle();
  CHECK(std::exchange(told, {}) == Texts{"come metal/cp-plane"});
  site.create(planeMachine("m2", "plane"));
  site.patch<Cluster>("c1", R"({"spec":{"controlPlaneRef":{"apiGroup":"controlplane.cluster.x-k8s.io",)"
                            R"("kind":"KubeadmControlPlane","name":"plane"}}})");
  site.settle();
  site.remove<Machine>("m1");
  site.remove<Machine>("m2");
  site.settle();
  CHECK(told.empty());
  site.patch<Cluster>("c1", R"({"spec":{"controlPlaneRef":{"name":"next"}}})");
  site.settle();
  CHECK(std::exchange(told, {}) == Texts{"gone metal/cp-plane", "come metal/cp-next"});
  site.remove<Cluster>("c1");
  site.settle();
  CHECK(told == Texts{"gone metal/cp-next"});
}
