// spec/capm3.md §8.2, §8.3 and §8.4 against an API that fails for hours: what is told of that, when, and how often
// (docs/decisions/0045).
#include "coordinator/caches/lasting_errors.hpp"

#include "api/bmh/names.hpp"
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Answers 500 to all writes to these paths.
class Outage {
 public:
  Outage(MachineSite& site, std::string path) {
    site.instead = [this, path = std::move(path)](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
      if (isOver || request.method != "PATCH" || !request.path().ends_with(path)) return std::nullopt;
      ++tries;
      const std::string words = changes ? fmt::format("failed calling webhook, request {}", tries) : text;
      return ApiSite::Answer{500, fmt::format(R"({{"kind":"Status","status":"Failure","code":500,)"
                                              R"("reason":"InternalError","message":"{}"}})",
                                              words)};
    };
  }
  Outage(const Outage&) = delete;
  Outage& operator=(const Outage&) = delete;

  std::string text = "failed calling webhook baremetalhost.metal3.io: no endpoints available";
  bool changes = false;  // each answer has words of its own
  bool isOver = false;
  int tries = 0;
};

std::size_t statusesOf(const MachineSite& site) { return site.writesTo("/metal3machines/m1/status").size(); }

void bringIntoUse(MachineSite& site) {
  site.deploy();
  site.join("h1", "n1");
  REQUIRE(site.isProvisioned("m1"));
}

}  // namespace

TEST_CASE("§8.3 (4) an API that fails for a minute is told by a new machine, once, and no more when it works again",
          "[machine][lasting]") {
  MachineSite site;
  site.addHost("h1");
  Outage outage(site, "/baremetalhosts/h1");
  site.addMachine("m1");
  site.settle(55s);
  CHECK(site.condition("m1", kAssociate).empty());
  CHECK(statusesOf(site) == 0);
  site.settle(2min);
  CHECK_THAT(site.condition("m1", kAssociate),
             Catch::StartsWith("False/AssociateBareMetalHostFailed: failed to associate the Metal3Machine to a "
                               "BareMetalHost: ") &&
                 Catch::Contains(outage.text));
  CHECK(site.legacyCondition("m1", "AssociateBMH") == "False/AssociateBMHFailed");
  CHECK(statusesOf(site) == 1);
  const int passes = site.passes();
  site.settle(1h);
  CHECK(statusesOf(site) == 1);
  CHECK(site.passes() - passes >= 25);  // some two minutes apart, as errors that nobody is told of
  CHECK(site.passes() - passes <= 60);
  outage.isOver = true;
  site.settle(3min);
  CHECK(site.consumer("h1") == "m1");
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
}

TEST_CASE("an error whose words change with each answer is told anew after minutes only", "[machine][lasting]") {
  MachineSite site;
  site.addHost("h1");
  Outage outage(site, "/baremetalhosts/h1");
  outage.changes = true;
  site.addMachine("m1");
  site.settle(3min);
  REQUIRE_THAT(site.condition("m1", kAssociate), Catch::Contains("failed calling webhook, request"));
  const auto told = statusesOf(site);
  outage.tries = 0;
  site.settle(1h);
  CHECK(outage.tries >= 30);
  CHECK(statusesOf(site) >= told + 6);
  CHECK(statusesOf(site) <= told + 12);
}

TEST_CASE("of a long error a condition shows the beginning", "[machine][lasting]") {
  MachineSite site;
  site.addHost("h1");
  Outage outage(site, "/baremetalhosts/h1");
  outage.text = std::string(100'000, 'x');
  site.addMachine("m1");
  site.settle(3min);
  const auto told = site.condition("m1", kAssociate);
  CHECK_THAT(told, Catch::Contains("xxx"));
  CHECK(told.size() < 2000);
}

TEST_CASE("§8.4 (3) an API that fails for a minute is told by a machine in deletion", "[machine][lasting]") {
  MachineSite site;
  bringIntoUse(site);
  const auto path = GENERATE(as<std::string>(), "/baremetalhosts/h1", "/metal3machines/m1");  // the second at its end
  Outage outage(site, path);
  site.removeMachine("m1");
  site.settle(30s);
  site.state("h1", "available");
  site.settle(20s);
  CHECK_THAT(site.condition("m1", kMetaData), !Catch::Contains("webhook"));
  site.settle(4min);
  CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains(outage.text));
  if (path == "/baremetalhosts/h1") {
    CHECK_THAT(site.condition("m1", kMetaData),
               Catch::StartsWith("False/DeletionFailed: failed to delete Metal3Machine: "));
    CHECK(site.legacyCondition("m1", "KubernetesNodeReady") == "False/DeletionFailed");
  }
  outage.isOver = true;
  site.settle(3min);
  site.state("h1", "available");
  site.settle(3min);
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("§8.2 (8) a pause that does not reach the host for a minute is told, and so is its end",
          "[machine][lasting]") {
  MachineSite site;
  bringIntoUse(site);
  Outage outage(site, "/baremetalhosts/h1");
  for (const bool isSet : {true, false}) {
    INFO("the pause is " << (isSet ? "set" : "removed"));
    outage.isOver = false;
    site.patch<Cluster>("c1", fmt::format(R"({{"spec":{{"paused":{}}}}})", isSet));
    site.settle(50s);
    CHECK_THAT(site.condition("m1", "Paused"), !Catch::Contains("webhook"));
    site.settle(2min);
    const std::string reason = fmt::format("BareMetalHostPauseAnnotation{}Failed", isSet ? "Set" : "Remove");
    for (const std::string& type : {std::string("Paused"), kAssociate})
      CHECK_THAT(site.condition("m1", type), Catch::StartsWith("False/" + reason) && Catch::Contains(outage.text));
    outage.isOver = true;
    site.settle(3min);
    CHECK(site.host("h1").metadata.annotations.contains(std::string(api::annotation::paused)) == isSet);
    CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith(isSet ? "True/Paused" : "False/NotPaused"));
    CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
  }
}

TEST_CASE("§8.2 (10) a machine that rests says so, not that the API fails what nobody tries", "[machine][lasting]") {
  const bool byCluster = GENERATE(true, false);
  MachineSite site;
  site.addHost("h1");
  bool isOver = false;
  site.instead = [&](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
    if (isOver || request.method != "POST" || !request.path().ends_with("/metal3dataclaims")) return std::nullopt;
    return ApiSite::Answer{500, R"({"kind":"Status","code":500,"message":"etcd is slow"})"};
  };
  site.addMachine("m1", withTemplate);
  site.settle(4min);
  REQUIRE_THAT(site.condition("m1", kMetaData), Catch::Contains("etcd is slow"));
  REQUIRE(site.legacyCondition("m1", "KubernetesNodeReady") == "False/AssociateM3MetaDataFailed");
  const auto pause = [&](bool isSet) {
    if (byCluster)
      site.patch<Cluster>("c1", fmt::format(R"({{"spec":{{"paused":{}}}}})", isSet));
    else
      site.patch<Metal3Machine>(
          "m1",
          fmt::format(R"({{"metadata":{{"annotations":{{"cluster.x-k8s.io/paused":{}}}}}}})", isSet ? "\"\"" : "null"));
  };
  pause(true);
  site.settle(2min);
  CHECK(site.condition("m1", kMetaData) ==
        (byCluster ? "False/Paused: Cluster spec.paused is set to true"
                   : "False/Paused: Metal3Machine has the cluster.x-k8s.io/paused annotation"));
  CHECK(site.legacyCondition("m1", "KubernetesNodeReady").empty());
  const auto told = statusesOf(site);
  site.restart();  // which remembers nothing of it
  site.settle(10min);
  CHECK(statusesOf(site) == told);
  isOver = GENERATE(true, false);
  pause(false);
  site.settle(20s);
  if (isOver) CHECK(site.condition("m1", "Paused") == "False/NotPaused");
  if (isOver) CHECK_THAT(site.condition("m1", kMetaData), !Catch::Contains("Paused"));
  site.settle(4min);
  if (!isOver) CHECK_THAT(site.condition("m1", kMetaData), Catch::Contains("etcd is slow"));
  if (!isOver) return;
  site.renderData("m1");
  CHECK_THAT(site.condition("m1", kMetaData), Catch::StartsWith("True/"));
}

TEST_CASE("errors of one machine are told by step, and of another machine of its name anew", "[machine][lasting]") {
  coordinator::LastingErrors errors;
  const kube::ObjectMeta machine{.name = "m1", .namespace_ = "metal", .uid = "a"};
  const kube::ObjectMeta successor{.name = "m1", .namespace_ = "metal", .uid = "b"};
  const base::MonoTime start{1h};
  const auto tell = [&](const kube::ObjectMeta& of, std::string_view step, std::string_view error, auto after) {
    return errors.tell(of, step, error, start + after).value_or("");
  };
  CHECK(tell(machine, "claim", "one", 0s).empty());
  CHECK(tell(machine, "stop", "one", 59s).empty());
  CHECK(tell(machine, "stop", "two", 60s) == "two");
  CHECK(tell(machine, "stop", "three", 5min) == "two");
  CHECK(tell(machine, "claim", "three", 100s).empty());  // steps that take turns are no reason to write each time
  CHECK(tell(machine, "claim", "three", 120s) == "three");
  CHECK(tell(machine, "claim", "four", 120s + 5min) == "four");
  CHECK(tell(successor, "claim", "four", 8min).empty());
  CHECK(tell(successor, "claim", "four", 9min) == "four");
  errors.over(successor.key());
  CHECK(tell(successor, "claim", "four", 10min).empty());
}
