// What is news to those who choose among hosts, and what is not.
#include "coordinator/machine/host_pool.hpp"

#include "base/vital.hpp"
#include "coordinator/machine/told_refusals.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/kube/fake_api.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace ingot::coordinator::machine;

namespace {

constexpr const char* kFreeHost =
    R"({{"metadata":{{"name":"{}","namespace":"metal"}},"spec":{{}},"status":{{"provisioning":{{"state":"available"}},)"
    R"("operationalStatus":"OK","errorMessage":"","poweredOn":false}}}})";
constexpr const char* kOtherPower = R"({"status":{"poweredOn":true}})";
constexpr const char* kOtherHealth =
    R"({"status":{"conditions":[{"type":"PowerStateKnown","status":"False","reason":"Lost","message":"",)"
    R"("lastTransitionTime":"2026-01-01T00:00:00Z"}],"lastUpdated":"2026-01-01T00:00:00Z"}})";
constexpr const char* kOtherInventory = R"({"status":{"hardware":{"hostname":"new","cpu":{"count":4}}}})";
constexpr const char* kTaken = R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"m1",)"
                               R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"}}})";

class PoolStage {
 public:
  explicit PoolStage(int count) {
    for (int i = 0; i < count; ++i) add(fmt::format("h{}", i));
    hosts_.start(tasks_.group());
    loop_.clock.settle();
    static_cast<void>(pool.version("metal"));
  }
  ~PoolStage() { loop_.run(tasks_.close()); }

  void add(const std::string& name) {
    api_.store.create("baremetalhosts", "metal", json::parse(fmt::format(fmt::runtime(kFreeHost), name)));
    tell();
  }
  void patch(const std::string& name, const char* mergePatch) {
    api_.store.patch({"baremetalhosts", "metal", name}, json::parse(mergePatch), false);
    tell();
  }
  HostChoice choice() { return pool.choose({.machine = machine_, .selector = selector_, .nodeReuse = ""}); }
  const std::string& whyNoHost() {
    return refusals.whyNoHost({.machine = machine_, .selector = selector_, .nodeReuse = ""});
  }
  [[nodiscard]] bool cannotRead(const std::string& name) const { return hosts_.isUnreadable({"metal", name}); }

 private:
  void tell() {
    api_.changed();
    loop_.clock.settle();
  }
  static Metal3Machine machineOf(const std::string& name) {
    Metal3Machine machine;
    machine.metadata = {.name = name, .namespace_ = "metal"};
    return machine;
  }
  static HostSelector selectorOf(const std::string& role) {
    api::capm3::v1beta2::HostSelector wanted;
    wanted.matchLabels["role"] = role;
    return HostSelector(wanted);
  }

  Loop loop_;
  FakeApi api_{loop_.runtime};
  net::Loopback network_{loop_.runtime};
  bool isServed_ = (network_.serve("https://fake:6443", api_), true);
  std::unique_ptr<kube::Client> client_ = kube::connect(loop_.runtime, network_, {.server = "https://fake:6443"});
  kube::Cache<BareMetalHost> hosts_{loop_.runtime, client_->api()};
  base::VitalTasks tasks_{loop_.runtime.executor, loop_.runtime.log};
  Metal3Machine machine_ = machineOf("waiting");
  HostSelector selector_ = selectorOf("gpu");

 public:
  HostPool pool{hosts_};
  ToldRefusals refusals{pool, nullptr};
  int offered = 0;

 private:
  kube::Subscription subscription_ = pool.onCandidate([this](const BareMetalHost&) { ++offered; });
};

}  // namespace

TEST_CASE("the power, the health and the inventory of hosts are no news to those who wait for others",
          "[machine][waiting]") {
  PoolStage stage(30);
  stage.patch("h29", kTaken);
  REQUIRE(stage.choice().host == nullptr);
  REQUIRE_THAT(stage.whyNoHost(), Catch::Contains("30 hosts: 29 without label role=gpu, 1 in use"));
  const auto version = stage.pool.version("metal");
  const auto offered = stage.offered;
  for (const char* patch : {kOtherPower, kOtherHealth, kOtherInventory})
    for (int i = 0; i < 30; ++i) {
      stage.patch(fmt::format("h{}", i), patch);
      static_cast<void>(stage.whyNoHost());
    }
  CHECK(stage.refusals.made() == 1);
  CHECK(stage.offered == offered);
  CHECK(stage.pool.version("metal") == version);
  SECTION("until one suits them") {
    stage.patch("h7", R"({"metadata":{"labels":{"role":"gpu"}}})");
    CHECK(stage.offered == offered + 1);
    CHECK(stage.choice().host->metadata.name == "h7");
  }
  SECTION("and one that is let go is") {
    stage.patch("h29", R"({"spec":{"consumerRef":null},"metadata":{"labels":{"role":"gpu"}}})");
    CHECK(stage.offered == offered + 1);
    CHECK(stage.choice().host->metadata.name == "h29");
    CHECK(stage.pool.hostsOf({"metal", "m1"}).empty());
  }
  SECTION("and a consumer of a host in use is") {
    stage.patch("h29", R"({"spec":{"consumerRef":{"name":"m2"}}})");
    CHECK(stage.pool.hostsOf({"metal", "m1"}).empty());
    CHECK(stage.pool.hostsOf({"metal", "m2"}).size() == 1);
  }
}

TEST_CASE("whatever changes of a reserved host ends its reservation", "[machine][waiting]") {
  PoolStage stage(1);
  stage.pool.reserve({"metal", "h0"});
  REQUIRE(stage.pool.candidate({"metal", "h0"}) == nullptr);
  stage.patch("h0", kOtherPower);
  CHECK(stage.pool.candidate({"metal", "h0"}) != nullptr);
}

TEST_CASE("a host that could not be read is offered once it can, though nothing of it has changed",
          "[machine][waiting]") {
  PoolStage stage(1);
  stage.patch("h0", R"({"metadata":{"labels":{"role":"gpu"}}})");
  stage.patch("h0", R"({"status":{"poweredOn":"perhaps"}})");
  REQUIRE(stage.cannotRead("h0"));
  REQUIRE(stage.choice().host == nullptr);
  const auto offered = stage.offered;
  stage.patch("h0", R"({"status":{"poweredOn":false}})");
  REQUIRE_FALSE(stage.cannotRead("h0"));
  CHECK(stage.offered == offered + 1);
}
