// spec/capm3.md §18.2, §18.3, §18.5 against an API: off, the Node out of the way, on again.
#include "tests/coordinator/remediation/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("§18.2, §18.3, §18.5 a host is restarted, its Node out of service in between", "[remediation]") {
  RemediationSite site;
  site.remediate();
  CHECK(site.phase() == "Running");
  CHECK(site.hasFinalizer());
  REQUIRE(site.isHeldOff());
  CHECK_FALSE(site.isTainted());
  CHECK(site.told("RemediationStarted") == 1);
  CHECK(site.told("WaitingForPowerOff") == 1);

  site.volumes = R"([{"spec":{"nodeName":"n1"}}])";
  site.obey();
  CHECK(site.isTainted());
  CHECK(site.told("NodeOutOfService") == 1);
  site.settle(30s);
  CHECK(site.phase() == "Running");
  CHECK(site.told("WaitingForDrain") == 1);
  site.volumes = "[]";
  site.settle(6s);
  CHECK(site.phase() == "Waiting");
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.isTainted());

  site.obey();
  CHECK_FALSE(site.isTainted());
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.phase() == "Waiting");
  CHECK(site.node()->metadata.labels.at("role") == "db");
  CHECK(site.told("HostRestarted") == 1);
  CHECK(site.told("NodeRestored") == 1);
  site.healthy(true);
  site.remove<Metal3Remediation>("m1");
  site.settle();
  CHECK_FALSE(site.exists());
}

TEST_CASE("§18.2 (4), §18.3 (3) a cluster without that taint has the Node deleted, and it comes back as it was",
          "[remediation]") {
  RemediationSite site("27+");
  site.remediate();
  REQUIRE(site.isHeldOff());
  REQUIRE(site.node());
  site.obey();
  CHECK_FALSE(site.node());
  CHECK(site.phase() == "Waiting");
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("NodeDeleted") == 1);
  site.obey();
  CHECK(site.hasFinalizer());
  CHECK(site.told("WaitingForNode") == 1);
  site.join({{"role", ""}});
  const auto node = site.node().value();
  CHECK(node.metadata.labels.at("role").empty());  // what it has stays
  CHECK(node.metadata.annotations.at("note") == "kept");
  CHECK_FALSE(site.hasFinalizer());
  CHECK(site.it().metadata.annotations.empty());
  CHECK(site.told("WaitingForNodeDeletion") == 1);
  CHECK(site.told("NodeRestored") == 1);
}

TEST_CASE("the Node stays until the host is proven to be off", "[remediation]") {
  RemediationSite site("27");
  SECTION("off in an old reading") {
    site.remediate();
    site.power(false, "Unknown");
    site.settle(5min);
    CHECK(site.node());
    site.power(false, "True");  // Ironic that is back shows what it had before
    site.settle(9min);
    CHECK(site.node());
    site.settle(2min);
    CHECK_FALSE(site.node());
  }
  SECTION("off before it was asked for") {
    site.power(false);
    site.remediate();
    REQUIRE(site.isHeldOff());
    CHECK(site.told("WaitingForProofOfOff") == 1);
    site.settle(9min);
    CHECK(site.node());
    SECTION("and nobody says otherwise") {
      site.settle(2min);
      CHECK_FALSE(site.node());
    }
    SECTION("but switched on since") {
      site.power(true);
      site.settle(3min);
      CHECK(site.node());
      site.power(false);
      site.settle();
      CHECK_FALSE(site.node());
    }
  }
  SECTION("off while nobody looks after it") {
    site.remediate();
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
    site.power(false);
    site.settle(5min);
    CHECK(site.node());
  }
  SECTION("off for the cache, on for the API") {
    site.remediate();
    bool changed = false;
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (changed || request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
      changed = true;
      co_await site.patchMeanwhile<BareMetalHost>(
          "h1", fmt::format(R"({{"metadata":{{"annotations":{{"reboot.metal3.io/metal3-remediation-{}":null}}}}}})",
                            site.it().metadata.uid));
    };
    site.power(false);
    site.settle(500ms);
    CHECK(changed);
    CHECK(site.node());
  }
  SECTION("of Metal3's controller, which knows no such condition") {
    site.power(true, "");
    site.remediate();
    site.settle(4min);
    CHECK(site.node());
    site.power(false, "");
    site.settle();
    CHECK_FALSE(site.node());
  }
}

TEST_CASE("a host is not switched off while its Node is not known", "[remediation]") {
  RemediationSite site;
  site.workload.reachable = false;
  site.remediate();
  site.settle(1min);
  CHECK_FALSE(site.isHeldOff());
  CHECK(site.told("NodeUnknown") == 1);
  SECTION("and then is") {
    site.workload.reachable = true;
    site.settle(2min);
    CHECK(site.isHeldOff());
  }
  SECTION("nor when the machine has recovered meanwhile") {
    site.healthy(true);
    site.workload.reachable = true;
    site.settle(2min);
    CHECK_FALSE(site.isHeldOff());
    CHECK(site.told("Healthy") == 1);
    site.healthy(false);
    site.settle();
    CHECK(site.isHeldOff());
  }
}

TEST_CASE("a machine that has become healthy is not switched off", "[remediation]") {
  RemediationSite site;
  SECTION("before the remediation was seen") {
    site.healthy(true);
    site.settle();
    site.remediate();
    CHECK(site.told("Healthy") == 1);
    CHECK(site.phase().empty());
  }
  SECTION("for the API, not for the cache yet") {
    site.heldWatch = "/machines";
    site.watchHeldFor = 10min;
    site.restart();  // its watch begins late
    site.settle();
    site.healthy(true);
    site.remediate();
    CHECK(site.told("Healthy") == 1);
  }
  SECTION("between the first write and the power-off") {
    bool recovered = false;
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (recovered || request.method == "GET" || !request.path().ends_with("/metal3remediations/m1/status")) co_return;
      recovered = true;
      co_await site.patchStatusMeanwhile<Machine>(
          "m1", R"({"status":{"conditions":[{"type":"HealthCheckSucceeded","status":"True","reason":"R","message":"",)"
                R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
    };
    site.remediate();
    CHECK(recovered);
    CHECK(site.phase() == "Running");
  }
  CHECK_FALSE(site.isHeldOff());
}

TEST_CASE("a host that is still being deployed is not switched off, and no time passes", "[remediation]") {
  RemediationSite site;
  const auto become = [&](const std::string& state) {
    site.patchStatus<BareMetalHost>("h1", fmt::format(R"({{"status":{{"provisioning":{{"state":"{}"}}}}}})", state));
    site.settle();
  };
  become("provisioning");
  site.remediate();
  CHECK(site.told("HostNotRunning") == 1);
  site.settle(30min);
  CHECK(site.phase().empty());
  CHECK_FALSE(site.isHeldOff());
  become("provisioned");
  CHECK(site.phase() == "Running");
  CHECK(site.it().status.retryCount == 0);
  CHECK(site.isHeldOff());
}

TEST_CASE("what a host said before a pause proves nothing after it", "[remediation]") {
  RemediationSite site("27");
  const auto pauseHost = [&](bool pause) {
    site.patch<BareMetalHost>("h1",
                              fmt::format(R"({{"metadata":{{"annotations":{{"baremetalhost.metal3.io/paused":{}}}}}}})",
                                          pause ? R"("")" : "null"));
  };
  const auto pauseCluster = [&](bool pause) {
    site.patch<Cluster>("c1", fmt::format(R"({{"spec":{{"paused":{}}}}})", pause));
  };
  site.power(false);
  site.remediate([](Metal3Remediation& it) { it.spec.strategy->timeoutSeconds = 3600; });
  REQUIRE(site.isHeldOff());
  SECTION("of the host") {
    pauseHost(true);
    site.settle(15min);
    CHECK(site.node());
    pauseHost(false);
    site.settle(1s);
  }
  SECTION("of the Cluster") {
    pauseCluster(true);
    site.settle(15min);
    CHECK(site.node());
    pauseCluster(false);
    site.settle(1s);
  }
  SECTION("of both") {
    pauseCluster(true), pauseHost(true);
    site.settle(15min);
    pauseHost(false), pauseCluster(false);
    site.settle(1s);
  }
  SECTION("so short that nobody did anything meanwhile") {
    site.settle(9min + 50s);
    pauseHost(true), pauseHost(false);
    site.settle(20s);
  }
  SECTION("that no pass over the remediation looks at") {
    const auto link = [&](const std::string& host) {
      site.patch<Metal3Machine>(
          "m1", fmt::format(R"({{"metadata":{{"annotations":{{"metal3.io/BareMetalHost":{}}}}}}})", host));
      site.settle(1s);
    };
    link("null");
    pauseHost(true);
    site.settle(15min);
    pauseHost(false);
    site.settle(1s);
    link(R"("metal/h1")");
  }
  CHECK(site.node());
  site.settle(9min);
  CHECK(site.node());
  site.settle(2min);
  CHECK_FALSE(site.node());
}

TEST_CASE("a host that took its cluster's API along is switched on again", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.workload.reachable = false;
  site.settle(1min);
  site.obey();
  CHECK(site.phase() == "Running");
  site.settle(2min);
  CHECK(site.phase() == "Waiting");
  CHECK(site.told("NodeNotFenced") == 1);
  site.obey();
  CHECK(site.hasFinalizer());  // the Node may have to get something back
  site.workload.reachable = true;
  site.settle(2min);
  CHECK_FALSE(site.hasFinalizer());
  CHECK_FALSE(site.isTainted());
}

TEST_CASE("a machine that never had a Node is restarted", "[remediation]") {
  RemediationSite site;
  site.workload.remove<kube::Node>({"", "n1"});
  site.patchStatus<Machine>("m1", R"({"status":{"nodeRef":null}})");
  site.remediate();
  site.obey();
  CHECK(site.phase() == "Waiting");
  site.obey();
  CHECK_FALSE(site.hasFinalizer());
}

TEST_CASE("a Node of the same name that is another machine's is left alone", "[remediation]") {
  RemediationSite site("27");
  site.workload.remove<kube::Node>({"", "n1"});
  kube::Node other;
  other.metadata.name = "n1";
  other.spec.providerId = "metal3://metal/h2/m2";
  site.workload.create(other);
  site.settle();
  site.remediate();
  site.obey();
  site.obey();
  CHECK(site.node());
  CHECK(site.phase() == "Waiting");
  CHECK(site.workload.writes.empty());
}

TEST_CASE("§18.1 (3), §18.2 (2) a host that is somebody else's is not switched off", "[remediation]") {
  RemediationSite site;
  SECTION("from the beginning") {
    site.patch<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
    site.remediate();
    CHECK(site.told("HostNotOurs") == 1);
    CHECK(site.phase().empty());
  }
  SECTION("taken before the look, or between the look and the write") {
    const auto at = GENERATE(as<std::string>{}, "GET", "PATCH");
    bool taken = false;
    site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (taken || request.method != at || !request.path().ends_with("/baremetalhosts/h1")) co_return;
      taken = true;
      co_await site.patchMeanwhile<BareMetalHost>("h1", R"({"spec":{"consumerRef":{"name":"other"}}})");
    };
    site.remediate();
    CHECK(taken);
    site.settle(10s);
  }
  CHECK_FALSE(site.isHeldOff());
}

TEST_CASE("§21 Q6 a remediation rests with its Cluster, and one of another instance is left alone", "[remediation]") {
  RemediationSite site;
  SECTION("paused Cluster") {
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.settle();
    site.remediate();
    CHECK_FALSE(site.isHeldOff());
    site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  }
  SECTION("paused itself") {
    site.remediate([](Metal3Remediation& it) { it.metadata.annotations["cluster.x-k8s.io/paused"] = ""; });
    CHECK_FALSE(site.isHeldOff());
    site.patch<Metal3Remediation>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
  }
  SECTION("watch filter") {
    site.watchFilter = "mine";
    site.restart();
    site.remediate();
    CHECK_FALSE(site.isHeldOff());
    site.patch<Metal3Remediation>("m1", R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"mine"}}})");
  }
  site.settle();
  CHECK(site.isHeldOff());
}

TEST_CASE("a remediation that Cluster API made goes by the watch filter of its machine", "[remediation]") {
  RemediationSite site;
  site.watchFilter = "mine";
  site.restart();
  const char* const labelled = R"({"metadata":{"labels":{"cluster.x-k8s.io/watch-filter":"mine"}}})";
  SECTION("that is ours") {
    site.patch<Metal3Machine>("m1", labelled);
    site.remediate();
    CHECK(site.isHeldOff());
    site.removeByForce<Metal3Machine>("m1");
    site.settle();
    site.remove<Metal3Remediation>("m1");
    site.settle();
    CHECK_FALSE(site.exists());
  }
  SECTION("that becomes ours") {
    site.remediate();
    CHECK_FALSE(site.isHeldOff());
    site.patch<Metal3Machine>("m1", labelled);
    site.settle();
    CHECK(site.isHeldOff());
  }
  SECTION("unless it has one of its own") {
    site.patch<Metal3Machine>("m1", labelled);
    site.remediate([](Metal3Remediation& it) { it.metadata.labels["cluster.x-k8s.io/watch-filter"] = "other"; });
    CHECK_FALSE(site.isHeldOff());
    CHECK_FALSE(site.hasFinalizer());
  }
}
