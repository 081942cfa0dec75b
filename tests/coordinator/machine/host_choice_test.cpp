// Which host a machine gets (spec/capm3.md §9).
#include "coordinator/machine/host_choice.hpp"

#include "coordinator/machine/error.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <set>

using namespace ingot;
using namespace ingot::coordinator::machine;

namespace {

api::BareMetalHost hostNamed(std::string name, std::string state = "available") {
  api::BareMetalHost host;
  host.metadata = {.name = name, .namespace_ = "metal"};
  host.metadata.uid = "uid-" + name;
  host.status.provisioning.state = state;
  return host;
}

Metal3Machine machineNamed(const std::string& name) {
  Metal3Machine machine;
  machine.metadata = {.name = name, .namespace_ = "metal"};
  machine.metadata.uid = "uid-" + name;
  return machine;
}

struct Answer : HostChoice {
  std::vector<RefusedHost> refused;
};

Answer choose(const std::vector<api::BareMetalHost>& hosts, const Metal3Machine& machine,
              const std::string& nodeReuse = "", const HostSelector& selector = {}) {
  std::vector<const api::BareMetalHost*> all;
  all.reserve(hosts.size());
  for (const auto& host : hosts) all.push_back(&host);
  const HostWish wish{.machine = machine, .selector = selector, .nodeReuse = nodeReuse};
  const HostChoice choice = chooseHost(all, wish);
  return {choice, refusedHosts(all, wish, choice)};
}

std::string nameOf(const api::BareMetalHost* host) { return host ? host->metadata.name : ""; }

const Metal3Machine kMachine = machineNamed("m");

}  // namespace

TEST_CASE("§9.2 each host that is not taken has its reason", "[machine]") {
  using Edit = void (*)(api::BareMetalHost&);
  const auto [edit, why] = GENERATE(table<Edit, Unfit>({
      {[](auto& h) { h.metadata.namespace_ = "far"; }, Unfit::otherNamespace},
      {[](auto& h) { h.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine", .name = "x"}; }, Unfit::inUse},
      {[](auto& h) { h.metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] = "md-x"; }, Unfit::keptForOthers},
      {[](auto& h) {
         h.metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] = "md-m";
         h.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine",
                                                    .namespace_ = "metal",
                                                    .name = "x",
                                                    .apiVersion = "infrastructure.cluster.x-k8s.io/v1beta2"};
       },
       Unfit::inUse},
      {[](auto& h) {
         h.metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] = "md-m";
         h.spec.image.emplace().url = "http://images/others";
       },
       Unfit::otherWorkload},
      {[](auto& h) { h.metadata.deletionTimestamp = base::WallTime{}; }, Unfit::beingDeleted},
      {[](auto& h) { h.status.errorMessage = "broken"; }, Unfit::hasError},
      {[](auto& h) { h.metadata.annotations["baremetalhost.metal3.io/paused"] = ""; }, Unfit::paused},
      {[](auto& h) { h.metadata.annotations["clusterctl.cluster.x-k8s.io/delete-for-move"] = ""; }, Unfit::paused},
      {[](auto& h) { h.metadata.annotations["capm3.metal3.io/unhealthy"] = ""; }, Unfit::unhealthy},
      {[](auto& h) { h.metadata.annotations["capi.metal3.io/unhealthy"] = ""; }, Unfit::unhealthy},
      {[](auto& h) { h.status.provisioning.state = "provisioned"; }, Unfit::notAvailable},
      {[](auto& h) { h.status.provisioning.state = ""; }, Unfit::notAvailable},
  }));
  auto host = hostNamed("a");
  edit(host);
  const std::vector hosts{host};
  const Answer choice = choose(hosts, kMachine, "md-m");
  CHECK(choice.host == nullptr);
  REQUIRE(choice.refused.size() == 1);
  CHECK(choice.refused[0].why == why);
  CHECK_FALSE(reasonText(why).empty());
}

TEST_CASE("§9.2 (1) the machine's own host is taken whatever its state", "[machine]") {
  auto own = hostNamed("own", "provisioned");
  own.status.errorMessage = "broken";
  own.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine",
                                               .namespace_ = "metal",
                                               .name = "m",
                                               .apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1"};
  const std::vector hosts{hostNamed("a"), own};
  const Answer choice = choose(hosts, kMachine);
  CHECK(nameOf(choice.host) == "own");
  CHECK_FALSE(choice.forReuse);
}

TEST_CASE("the same snapshot gives the same host, and machines are spread over the hosts", "[machine]") {
  std::vector<api::BareMetalHost> hosts;
  hosts.reserve(20);
  for (int i = 0; i < 20; ++i) hosts.push_back(hostNamed(fmt::format("host{}", i)));
  std::set<std::string> chosen;
  for (int i = 0; i < 40; ++i) {
    const auto machine = machineNamed(fmt::format("machine{}", i));
    const Answer choice = choose(hosts, machine);
    REQUIRE(choice.host != nullptr);
    CHECK(nameOf(choose(hosts, machine).host) == nameOf(choice.host));
    CHECK(choice.refused.size() == hosts.size() - 1);
    chosen.insert(nameOf(choice.host));
  }
  CHECK(chosen.size() > 10);
}

TEST_CASE("the only host that would do is found among many that nobody uses", "[machine]") {
  std::vector<api::BareMetalHost> hosts;
  hosts.reserve(500);
  for (int i = 0; i < 500; ++i) hosts.push_back(hostNamed(fmt::format("host{}", i), "inspecting"));
  const auto only = GENERATE(std::size_t{0}, std::size_t{123}, std::size_t{499});
  hosts[only].status.provisioning.state = "available";
  const Answer choice = choose(hosts, kMachine);
  CHECK(choice.host == &hosts[only]);
  REQUIRE(choice.refused.size() == hosts.size() - 1);
  for (const auto& refused : choice.refused) CHECK(refused.why == Unfit::notAvailable);
}

TEST_CASE("machines are spread over the hosts that would do, however few", "[machine]") {
  std::vector<api::BareMetalHost> hosts;
  hosts.reserve(200);
  for (int i = 0; i < 200; ++i) hosts.push_back(hostNamed(fmt::format("host{}", i), i % 20 ? "inspecting" : "ready"));
  std::set<std::string> chosen;
  for (int i = 0; i < 100; ++i) chosen.insert(nameOf(choose(hosts, machineNamed(fmt::format("machine{}", i))).host));
  CHECK(chosen.size() == 10);
}

TEST_CASE("§9.4 (3) hosts of the wanted failure domain go first", "[machine]") {
  auto there = hostNamed("there");
  there.metadata.labels["infrastructure.cluster.x-k8s.io/failure-domain"] = "rack-2";
  const std::vector hosts{hostNamed("a"), there, hostNamed("b")};
  auto machine = kMachine;
  machine.spec.failureDomain = "rack-2";
  const Answer choice = choose(hosts, machine);
  CHECK(nameOf(choice.host) == "there");
  CHECK(choice.refused.at(0).why == Unfit::otherDomain);
  machine.spec.failureDomain = "rack-9";
  CHECK(choose(hosts, machine).host != nullptr);
  machine.spec.failureDomain = "not a label!";
  CHECK_THROWS_AS(choose(hosts, machine), MachineError);
}

TEST_CASE("§9.4 (2) hosts kept for the machine's owner go before all others, and are waited for", "[machine]") {
  auto kept = hostNamed("kept", "deprovisioning");
  kept.metadata.labels["infrastructure.cluster.x-k8s.io/node-reuse"] = "md-workers";
  kept.spec.consumerRef = kube::ObjectReference{.kind = "Cluster", .name = "c"};
  std::vector hosts{hostNamed("a"), kept};
  const Answer waiting = choose(hosts, kMachine, "md-workers");
  CHECK(waiting.host == nullptr);
  CHECK(nameOf(waiting.awaited) == "kept");
  REQUIRE(waiting.refused.size() == 2);
  CHECK(waiting.refused[0].why == Unfit::notDrawn);
  CHECK(waiting.refused[1].why == Unfit::notAvailable);
  hosts[1].status.provisioning.state = "ready";
  const Answer choice = choose(hosts, kMachine, "md-workers");
  CHECK(nameOf(choice.host) == "kept");
  CHECK(choice.forReuse);
  CHECK(nameOf(choose(hosts, kMachine, "md-others").host) == "a");
}

TEST_CASE("§9.3 hosts are kept under the name of control plane or deployment", "[machine]") {
  api::capi::Machine machine;
  api::capi::MachineSet set;
  CHECK(nodeReuseName(machine, &set).empty());
  set.metadata = {.name = "set"};
  set.metadata.uid = "set-uid";
  set.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineDeployment", .name = "workers"}};
  machine.metadata.ownerReferences = {
      {.apiVersion = "cluster.x-k8s.io/v1beta2", .kind = "MachineSet", .name = "set", .uid = "set-uid"}};
  CHECK(nodeReuseName(machine, &set) == "md-workers");
  CHECK(nodeReuseName(machine, nullptr).empty());
  set.metadata.uid = "another";
  CHECK(nodeReuseName(machine, &set).empty());
  machine.metadata.labels["cluster.x-k8s.io/control-plane"] = "";
  machine.metadata.ownerReferences = {
      {.apiVersion = "controlplane.cluster.x-k8s.io/v1beta2", .kind = "KubeadmControlPlane", .name = "cp"}};
  CHECK(nodeReuseName(machine, nullptr) == "cp-cp");
}

TEST_CASE("§9.1, §21 Q12 selectors compare labels as Kubernetes does, operators in any case", "[machine]") {
  const Labels labels{{"role", "worker"}, {"slot", "7"}};
  using Values = std::vector<std::string>;
  const auto [key, how, values, expected] = GENERATE(table<std::string, std::string, Values, bool>({
      {"role", "In", {"worker", "x"}, true},
      {"role", "notin", {"worker"}, false},
      {"gone", "NotIn", {"x"}, true},
      {"role", "Exists", {}, true},
      {"gone", "exists", {}, false},
      {"gone", "!", {}, true},
      {"role", "!", {}, false},
      {"gone", "DoesNotExist", {}, true},
      {"role", "doesnotexist", {}, false},
      {"role", "=", {"worker"}, true},
      {"role", "==", {"x"}, false},
      {"role", "!=", {"x"}, true},
      {"slot", "Gt", {"6"}, true},
      {"slot", "gt", {"7"}, false},
      {"slot", "Lt", {"8"}, true},
      {"role", "lt", {"8"}, false},
      {"gone", "gt", {"1"}, false},
  }));
  INFO(key << " " << how);
  api::capm3::v1beta2::HostSelector wanted;
  wanted.matchExpressions = {{.key = key, .operator_ = how, .values = values}};
  CHECK(HostSelector(wanted).matches(labels) == expected);
}

TEST_CASE("§9.1 a selector that makes no sense is refused", "[machine]") {
  using Values = std::vector<std::string>;
  const auto [key, how, values] = GENERATE(table<std::string, std::string, Values>({
      {"role", "DoesNotExist", {"x"}},
      {"role", "in", {}},
      {"role", "exists", {"x"}},
      {"role", "=", {"a", "b"}},
      {"role", "gt", {"x"}},
      {"bad key", "exists", {}},
      {"role", "in", {"not ok"}},
  }));
  INFO(key << " " << how);
  api::capm3::v1beta2::HostSelector wanted;
  wanted.matchExpressions = {{.key = key, .operator_ = how, .values = values}};
  CHECK_THROWS_AS(HostSelector(wanted), MachineError);
}
