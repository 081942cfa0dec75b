// How agents come to the coordinator, as `ingot-coordinator check` finds out.
#include "coordinator/agents_way.hpp"
#include "tests/coordinator/program/asked_cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Said = std::vector<std::string>;

const std::string kNobody = "0 known, 0 approved, 0 connected; ",
                  kLeadsNowhere = "Service ingot-agents (LoadBalancer) leads to no pod";

TEST_CASE("by which Service agents come is looked for", "[coordinator]") {
  AskedCluster site;
  SECTION("it leads to a pod") {
    CHECK(site.said({"agents"}) == Said{"ok " + kNobody + "they come by Service ingot-agents (LoadBalancer)"});
  }
  SECTION("it leads to none, and nobody needs it") {
    site.clear(kSlices);
    CHECK(site.said({"agents"}) ==
          Said{"note " + kNobody + "Service ingot-agents (LoadBalancer) leads to no pod: they find nobody"});
  }
  SECTION("it leads to none, and all hosts wait for agents") {
    site.options.provisioner = coordinator::Backend::agent;
    site.clear(kSlices);
    CHECK(site.said({"agents"}) ==
          Said{"FAIL " + kNobody + "Service ingot-agents (LoadBalancer) leads to no pod: they find nobody"});
  }
  SECTION("it leads to none, and an agent is approved") {
    site.add("/apis/ingot.dev/v1alpha1/provisioningagents", R"({"metadata":{"name":"a"},"spec":{"approved":true}})");
    site.clear(kSlices);
    CHECK(site.said({"agents"}) == Said{"FAIL 1 known, 1 approved, 0 connected; Service ingot-agents (LoadBalancer) "
                                        "leads to no pod: they find nobody"});
  }
  SECTION("nobody leads yet") {
    site.clear(kSlices);
    site.holder.clear();
    CHECK(site.said({"agents"}) ==
          Said{"ok " + kNobody + "they come by Service ingot-agents (LoadBalancer), once somebody leads"});
  }
  SECTION("it is gone") {
    site.lists[kServices].pop_back();
    CHECK(site.said({"agents"}) ==
          Said{"note " + kNobody + "no Service in ingot-system selects ingot.dev/leader=true: they find nobody"});
  }
  SECTION("it may not be read") {
    site.denied = {"services"};
    CHECK(site.said({"agents"}) ==
          Said{"ok " + kNobody + "by which Service they come is not known (list services in ingot-system)"});
  }
}

TEST_CASE("that agents find nobody is said at once of a leader that has led for long", "[coordinator]") {
  AskedCluster site;
  site.add(kProvisioningAgents, R"({"metadata":{"name":"a"},"spec":{"approved":true}})");
  site.clear(kSlices);
  CHECK(site.said({"agents"}) ==
        Said{"FAIL 1 known, 1 approved, 0 connected; " + kLeadsNowhere + ": they find nobody"});
  CHECK(site.clock.wall() - site.begun <= 4s);
}

TEST_CASE("a leader that was killed is waited for until the next one is found", "[coordinator]") {
  AskedCluster site;
  site.add(kProvisioningAgents, R"({"metadata":{"name":"a"},"spec":{"approved":true}})");
  const auto slices = site.lists[kSlices];
  site.clear(kSlices);
  site.isAlive = false;
  SECTION("it takes the Lease over, and its pod gets the label") {
    site.meanwhile = [&](base::Duration since) {
      if (since >= 16s && std::exchange(site.holder, "another pod") == "a pod") {
        site.isAlive = true;
        site.acquired = site.clock.wall();
      }
      if (since >= 19s) site.lists[kSlices] = slices;
    };
    CHECK(site.said({"agents"}) ==
          Said{"ok 1 known, 1 approved, 0 connected; they come by Service ingot-agents (LoadBalancer)"});
  }
  SECTION("it takes the Lease over, and is not found yet") {
    site.meanwhile = [&](base::Duration since) {
      if (since < 16s || std::exchange(site.holder, "another pod") != "a pod") return;
      site.isAlive = true;
      site.acquired = site.clock.wall();
    };
    CHECK(site.said({"agents"}) == Said{"note 1 known, 1 approved, 0 connected; " + kLeadsNowhere +
                                        " yet: leadership is changing over, check again"});
  }
  SECTION("nobody does") {
    CHECK(site.said({"agents"}) == Said{"ok 1 known, 1 approved, 0 connected; they come by Service ingot-agents "
                                        "(LoadBalancer), once somebody leads"});
  }
  CHECK(site.clock.wall() - site.begun <= 31s);
}

TEST_CASE("a leader that stands by for a manager of Metal3 is found by no agent, and does not have to be",
          "[coordinator]") {
  AskedCluster site;
  site.add(kProvisioningAgents, R"({"metadata":{"name":"a"},"spec":{"approved":true}})");
  site.clear(kSlices);
  site.add(kDeployments, R"({"metadata":{"namespace":"capm3-system","name":"capm3-controller-manager"},)"
                         R"("spec":{"replicas":1},"status":{"readyReplicas":1}})");
  const kube::Environment ofPod = [](std::string_view name) -> std::optional<std::string> {
    return name == "POD_NAMESPACE" ? std::optional<std::string>("ingot-system") : std::nullopt;
  };
  CHECK(site.said({"agents"}, ofPod) == Said{"ok 1 known, 1 approved, 0 connected; they come by Service ingot-agents "
                                             "(LoadBalancer), once no manager of Metal3 acts"});
}

TEST_CASE("agents come to an address of the machine that runs a coordinator outside of the cluster", "[coordinator]") {
  AskedCluster site;
  site.clear(kDeployments);
  const auto [endpoint, isHere] = GENERATE(table<std::string, bool>({{"tcp://127.0.0.1:7460", true},
                                                                     {"tcp://0.0.0.0:7460", true},
                                                                     {"tcp://*:7460", true},
                                                                     {"tcp://[::]:7460", true},
                                                                     {"tcp://[::1]:7460", true},
                                                                     {"tcp://192.0.2.77:7460", false},
                                                                     {"tcp://[2001:db8::77]:7460", false}}));
  CAPTURE(endpoint);
  site.options.agentsEndpoint = endpoint;
  CHECK(site.said({"agents"}) ==
        Said{isHere ? "ok " + kNobody + "they come to " + endpoint
                    : "note " + kNobody + endpoint + " is no address of this machine: they find nobody"});
}

TEST_CASE("an address of this machine is one however it is spelled", "[coordinator]") {
  const std::vector<std::string> names = {"rack-a", "192.0.2.7", "2001:db8::7"};
  const auto [endpoint, isHere] = GENERATE(table<std::string, bool>({{"tcp://192.0.2.7:7460", true},
                                                                     {"tcp://[::ffff:192.0.2.7]:7460", true},
                                                                     {"tcp://[2001:db8::7]:7460", true},
                                                                     {"tcp://[2001:DB8:0:0:0:0:0:7]:7460", true},
                                                                     {"tcp://[2001:0db8::0007]:7460", true},
                                                                     {"tcp://[2001:db8::8]:7460", false},
                                                                     {"tcp://[::ffff:192.0.2.8]:7460", false},
                                                                     {"tcp://[0:0:0:0:0:0:0:0]:7460", true},
                                                                     {"tcp://[0:0:0:0:0:0:0:1]:7460", true},
                                                                     {"tcp://[::ffff:127.0.0.1]:7460", true},
                                                                     {"tcp://[FE80::1]:7460", true},
                                                                     {"tcp://[fe80::1%eth0]:7460", true},
                                                                     {"tcp://eth0:7460", true}}));
  CAPTURE(endpoint);
  CHECK(coordinator::wayToMachine(endpoint, names).leads == isHere);
}

}  // namespace
}  // namespace ingot::tests
