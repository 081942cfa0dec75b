// docs/decisions/0016 against an API: what proves that the Machine or the Cluster of a machine in deletion is gone.
#include "tests/coordinator/machine/absence_site.hpp"

#include "kube/core/event.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string kGone = "False/Deleting: Machine m1 is gone; unless it comes back, the host is stopped without it";
const std::string kUntold = "False/Deleting: it cannot be told whether";

std::string told(MachineSite& site) { return site.condition("m1", kMetaData); }

// Time passes until a look has come to this; a minute at most.
bool isTold(MachineSite& site, const std::string& text) {
  for (int i = 0; i < 60 && !told(site).starts_with(text); ++i) site.settle(1s);
  return told(site).starts_with(text);
}

}  // namespace

TEST_CASE("a host stays as it is when nobody can tell whether its Machine is gone", "[machine][absence]") {
  const auto answer = GENERATE(ApiSite::Answer{403, "no"}, ApiSite::Answer{500, "broken"}, ApiSite::Answer{503, "busy"},
                               ApiSite::Answer{404, "404 page not found"}, ApiSite::Answer{0, ""});
  CAPTURE(answer.status);
  MachineSite site;
  running(site);
  std::string path;
  site.instead = [&](const net::ServerRequest& request) {
    return request.path().ends_with(path) ? std::optional(answer) : std::nullopt;
  };
  SECTION("the Machine") {
    path = "/machines/m1";
    site.remove<Machine>("m1");
  }
  SECTION("the Cluster") {
    path = "/clusters/c1";
    site.remove<Cluster>("c1");
    site.settle();
    site.removeMachine("m1");
  }
  SECTION("any Machine") {
    path = "/namespaces/metal/machines";
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.remove<Machine>("m1");
    site.settle();
    site.removeMachine("m1");
  }
  site.settle(5min);
  CHECK(runs(site));
  CHECK_THAT(told(site), Catch::StartsWith(kUntold));
  site.instead = nullptr;
  site.settle(70s);  // the first look that proves it
  isReleased(site);
}

TEST_CASE("a Status that names no object proves nothing", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (!request.path().ends_with("/machines/m1")) return std::nullopt;
    return ApiSite::Answer{404, R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound",)"
                                R"("code":404,"details":{"kind":"machines"}})"};
  };
  site.remove<Machine>("m1");
  site.settle(3min);
  CHECK(runs(site));
  CHECK_THAT(told(site), Catch::StartsWith(kUntold));
}

TEST_CASE("a host is not stopped before its Machine was gone for long enough", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.remove<Machine>("m1");
  const auto lookAgain = [&](const std::string& why) {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"wakes":")" + why + R"("}}})");
    site.settle(500ms);
  };
  site.settle(10s);
  lookAgain("half way");
  site.settle(8s);
  lookAgain("a second too early");  // 19 s
  CHECK(runs(site));
  CHECK(told(site) == kGone);
  site.settle(1s);
  lookAgain("long enough");  // 20 s
  CHECK_FALSE(site.host("h1").spec.image);
  CHECK_FALSE(site.host("h1").spec.online);
}

TEST_CASE("a pause that no watch has told holds a host whose Machine is gone", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.kill();
  site.watchHeldFor = 1h;
  SECTION("the Cluster's") {
    site.heldWatch = "/v1beta2/clusters";
    site.start();
    site.settle();
    site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
    site.remove<Machine>("m1");
    site.settle(1min);
  }
  SECTION("its own") {
    site.start();
    site.remove<Machine>("m1");
    REQUIRE(isTold(site, kGone));
    site.kill();
    site.heldWatch = "/v1beta2/metal3machines";
    site.start();
    site.settle();
    site.patch<Metal3Machine>("m1", kMachinePause);
    site.settle(12min);
  }
  CHECK(runs(site));
}

TEST_CASE("a machine that changes while it is looked at is not acted on as it was", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.remove<Machine>("m1");
  REQUIRE(isTold(site, kGone));
  site.settle(22s);
  bool changed = false;
  auto again = site.machine("m1");
  const auto late = [&](const std::function<base::Task<void>()>& change) {
    site.meanwhile = [&, change](const net::ServerRequest& request) -> base::Task<void> {
      if (changed || !request.path().ends_with("/machines/m1")) co_return;
      changed = true;
      co_await change();
    };
  };
  SECTION("it rests") {
    late([&] { return site.patchMeanwhile<Metal3Machine>("m1", kMachinePause); });
    site.settle(1min);
  }
  SECTION("clusterctl moves it") {
    late([&] {
      return site.patchMeanwhile<Metal3Machine>(
          "m1", R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/delete-for-move":""}}})");
    });
    site.settle(1min);
  }
  SECTION("it is another one of that name, which has its own time") {
    again.metadata.resourceVersion.clear();
    again.metadata.deletionTimestamp.reset();
    late([&]() -> base::Task<void> {
      co_await site.patchMeanwhile<Metal3Machine>("m1", R"({"metadata":{"finalizers":null}})");
      co_await site.createMeanwhile(again);
      co_await site.removeMeanwhile<Metal3Machine>("m1");
    });
    site.settle(1min);
    REQUIRE(site.machine("m1").metadata.uid != again.metadata.uid);
  }
  REQUIRE(changed);
  CHECK(runs(site));
}

TEST_CASE("what may be of a restore, or of the time before this process, has ten minutes to be complete",
          "[machine][absence]") {
  MachineSite site;
  SECTION("the machine is young") {
    inService(site);
    site.remove<Machine>("m1");
  }
  SECTION("one of its hosts is") {
    running(site);
    site.addHost("h2");
    site.patch<BareMetalHost>("h2", R"({"spec":{"image":{"url":"http://images/os.raw","checksum":"c"},"online":true,)"
                                    R"("consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                                    R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}}})");
    site.settle();
    site.remove<Machine>("m1");
  }
  SECTION("it was in deletion before") {
    running(site);
    site.kill();
    site.remove<Machine>("m1");
    site.settle(24h);
    site.start();
  }
  site.settle(9min);
  CHECK(runs(site));
  CHECK_THAT(told(site), Catch::StartsWith(kGone + " at 20"));
  site.settle(1min);
  site.settle(40s);
  CHECK_FALSE(site.host("h1").spec.image);
}

TEST_CASE("the time that a Machine must be gone begins anew", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.remove<Machine>("m1");
  REQUIRE(isTold(site, kGone));
  SECTION("after a look that could not tell") {
    site.forbidsReads = true;
    site.forbidden = "/machines/m1";
    site.settle(6h);
    site.forbidden.clear();
    CHECK(isTold(site, kGone));
  }
  SECTION("after a rest") {
    site.patch<Metal3Machine>("m1", kMachinePause);
    site.settle(6h);
    site.patch<Metal3Machine>("m1", kMachineResume);
    site.settle();
  }
  SECTION("when the Cluster goes too") {
    site.settle(21s);
    site.remove<Cluster>("c1");
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"wakes":"it"}}})");
    site.settle();
    CHECK_THAT(told(site), Catch::Contains("Machine m1 is gone, and Cluster c1 is gone; unless"));
  }
  CHECK(runs(site));
  isReleased(site);
}

TEST_CASE("who stops a host without its Machine says so once", "[machine][absence]") {
  MachineSite site;
  running(site);
  SECTION("its Machine is gone") {
    site.remove<Machine>("m1");
    isReleased(site);
    REQUIRE(site.told("ReleasedWithoutMachine") == 1);
    for (const auto& event : site.all<kube::Event>())
      if (event.reason == "ReleasedWithoutMachine")
        CHECK_THAT(event.message, Catch::StartsWith("host h1 is stopped: Machine m1 is gone since 20"));
  }
  SECTION("its Machine is there, and found") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.settle();
    site.removeMachine("m1");
    isReleased(site);
    CHECK(site.told("ReleasedWithoutMachine") == 0);
  }
}

TEST_CASE("a wrong label does not hide the Cluster that rests", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":{"cluster.x-k8s.io/cluster-name":"wrong"}}})");
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.remove<Machine>("m1");
  site.settle(3min);
  CHECK(runs(site));
  CHECK(site.condition("m1", "Paused") == "True/Paused: Cluster spec.paused is set to true");
  site.patch<Cluster>("c1", R"({"spec":{"paused":false}})");
  site.settle(40s);  // nothing wakes it
  site.settle(40s);
  CHECK_FALSE(site.host("h1").spec.image);
}

TEST_CASE("a machine of which nothing tells the Cluster waits while any Cluster beside it rests",
          "[machine][absence]") {
  MachineSite site;
  running(site);
  site.patch<Metal3Machine>("m1", R"({"metadata":{"labels":null,"ownerReferences":null}})");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"labels":null}})");
  site.addCluster("c2");
  site.patch<Cluster>("c2", R"({"spec":{"paused":true}})");
  site.remove<Machine>("m1");
  site.removeMachine("m1");
  site.settle(3min);
  CHECK(runs(site));
  CHECK(told(site) == "False/Deleting: nothing names its Cluster, and Cluster c2 is paused");
  site.patch<Cluster>("c2", R"({"spec":{"paused":false}})");
  site.settle(80s);
  CHECK_FALSE(site.host("h1").spec.image);
}

TEST_CASE("what cannot be read is not gone", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.kill();
  SECTION("a Machine that may be the one") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    site.remove<Machine>("m1");
    site.removeMachine("m1");
    site.unreadable.add("machines.cluster.x-k8s.io", {"metal", "m1"});
    site.start();
    site.settle(12min);
    CHECK(told(site) == "False/Deleting: it cannot be told whether its Machine is gone: not all of them can be read");
  }
  SECTION("the Cluster") {
    site.remove<Cluster>("c1");
    site.remove<Machine>("m1");
    site.unreadable.add("clusters.cluster.x-k8s.io", {"metal", "c1"});
    site.start();
    site.settle(12min);
    CHECK(told(site) == "False/Deleting: Cluster c1 cannot be read");
  }
  CHECK(runs(site));
}

TEST_CASE("Machines are listed only when the time for one to show is over", "[machine][absence]") {
  MachineSite site;
  running(site);
  int lists = 0;
  site.meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    lists += request.path().ends_with("/namespaces/metal/machines") ? 1 : 0;
    co_return;
  };
  site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
  SECTION("there is one") {
    site.settle();
    site.removeMachine("m1");
    isReleased(site);
    CHECK(lists == 0);
  }
  SECTION("there is none") {
    site.remove<Machine>("m1");
    site.removeMachine("m1");
    site.settle();
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"wakes":"it"}}})");
    site.settle();
    CHECK(lists == 0);
    isReleased(site);
    CHECK(lists > 0);
  }
}

TEST_CASE("a pause that cannot be known is shown as it was", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.patch<Cluster>("c1", R"({"spec":{"paused":true}})");
  site.settle();
  site.forbidsReads = true;
  site.forbidden = "/clusters/c1";
  site.remove<Cluster>("c1");
  site.remove<Machine>("m1");
  site.settle(1min);
  CHECK_THAT(told(site), Catch::StartsWith(kUntold));
  CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith("True/Paused"));
}

TEST_CASE("a host that comes to rest while it is looked at stays as it is", "[machine][absence]") {
  MachineSite site;
  running(site);
  site.remove<Cluster>("c1");
  site.remove<Machine>("m1");
  const auto* const late =
      GENERATE(R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":"by hand"}}})",
               R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/delete-for-move":""}}})");
  bool changed = false;
  const auto meanwhile = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (changed || request.method != "GET" || !request.path().ends_with("/baremetalhosts/h1")) co_return;
    changed = true;
    co_await site.patchMeanwhile<BareMetalHost>("h1", late);
  };
  SECTION("before it is stopped") {
    site.meanwhile = meanwhile;
    site.settle(2min);
    CHECK(runs(site));
  }
  SECTION("before it is let go") {
    site.settle(40s);
    REQUIRE_FALSE(site.host("h1").spec.image);
    site.meanwhile = meanwhile;
    site.state("h1", "available");
    site.settle(1min);
    CHECK(site.consumer("h1") == "m1");
  }
  REQUIRE(changed);
  CHECK(site.find<Metal3Machine>("m1"));
}
