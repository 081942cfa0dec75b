// What is written for a new attempt, and by ingotctl retry.
#include "api/capi_ipam/ip_address_claim.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/ipam/ip_claim.hpp"
#include "cli/decide/retry_plan.hpp"
#include "tests/cli/edge.hpp"
#include "tests/cli/machines.hpp"
#include "tests/cli/world.hpp"

#include <fmt/ranges.h>

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using Catch::Contains;
using cli::tests::edgeCluster;
using cli::tests::host;
using cli::tests::machine;
using cli::tests::noon;
using cli::tests::World;

TEST_CASE("a retry takes off what blocks, and changes an annotation in any case", "[cli][retry]") {
  const auto plain = planRetry(host("available"), noon);
  CHECK(plain.status.empty());
  CHECK(json::serialize(plain.patch) ==
        R"({"metadata":{"annotations":{"ingot.dev/retry-requested":"2026-01-01T12:00:00Z"}}})");
  auto blocked = host("available").annotation("capm3.metal3.io/unhealthy", "x").annotation("capi.metal3.io/unhealthy");
  blocked.host.status.provisioningFailCount = 5;
  const auto plan = planRetry(blocked, noon);
  CHECK(json::serialize(plan.status) == R"({"status":{"provisioningFailCount":0}})");
  const json::Value patch(plan.patch);
  const auto& annotations = json::find(patch, {"metadata", "annotations"})->as_object();
  CHECK(annotations.at("capm3.metal3.io/unhealthy").is_null());
  CHECK(annotations.at("capi.metal3.io/unhealthy").is_null());
  CHECK(plan.said == "tried anew, no longer marked unhealthy, 5 failed provisionings forgotten");
  const auto failing = planRetry(host("registering").failed("registration error", "no", 4), noon);
  CHECK(json::serialize(failing.status) == R"({"status":{"errorCount":0}})");
  CHECK(planRetry(host("deleting").failed("registration error", "no", 4).deleted(), noon).status.empty());
}

TEST_CASE("a retry that will not be tried yet says so", "[cli][retry]") {
  struct Row {
    RetryPlan plan;
    std::string note;
  };
  const Row rows[] = {
      {planRetry(host("available").annotation(api::annotation::paused), noon),
       "annotation baremetalhost.metal3.io/paused"},
      {planRetry(host("available").annotation(api::annotation::detached), noon), "it is detached"},
      {planRetry(host("available").image().online(false), noon), "spec.online is true"},
      {planRetry(machine("m").condition("Paused", "True"), noon), "it is paused"},
  };
  for (const Row& row : rows) {
    CHECK(row.plan.said == "tried anew later");
    CHECK_THAT(fmt::format("{}", fmt::join(row.plan.notes, "; ")), Contains(row.note));
    CHECK_FALSE(row.plan.patch.empty());
  }
}

TEST_CASE("a retry of a machine writes to no host of somebody else", "[cli][retry]") {
  CHECK_THAT(planRetry(machine("m").on(host("available").usedBy("x")), noon).refusal,
             Contains("host node01 is used by Metal3Machine metal3/x"));
  const auto free = machine("m").onFree(host("available").annotation("capm3.metal3.io/unhealthy"));
  CHECK(planRetry(free, noon).refusal.empty());
  CHECK_FALSE(isItsHost(free));
  CHECK(isItsHost(machine("m").on(host("available"))));
}

TEST_CASE("a machine that leaves is tried anew, whether its host is gone or only unread", "[cli][retry]") {
  auto leaving = machine("m").link("node07").deleted();
  CHECK(planRetry(leaving, noon).refusal.empty());
  leaving.picture.unread = {"BareMetalHost"};
  CHECK(planRetry(leaving, noon).refusal.empty());
  CHECK(planRetry(machine("m").deleted(), noon).said == "tried anew");
}

TEST_CASE("a retry clears what blocks a host, and wakes the machine on it", "[cli][retry]") {
  using api::capm3::v1beta2::Metal3Machine;
  World w(World::Kinds::all);
  w.hosts({"n1"});
  const int applied = w.run({"apply", "-f", w.file("edge.yaml", edgeCluster)});
  INFO(w.terminal.errors);
  REQUIRE(applied == 0);
  w.hostStatus("n1", R"({"provisioningFailCount":5})");
  w.loop.run(w.client().patch<api::BareMetalHost>(
      {"metal3", "n1"},
      json::parse(R"({"metadata":{"annotations":{"capm3.metal3.io/unhealthy":"x"}},"spec":{"consumerRef":{
        "apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2","kind":"Metal3Machine","namespace":"metal3","name":"m1"}}})")));
  CHECK(w.run({"retry", "machine", "m1"}) == 0);
  CHECK(w.terminal.printed ==
        "host n1: tried anew, no longer marked unhealthy, 5 failed provisionings forgotten\nmachine m1: tried anew\n");
  CHECK(w.host("n1").status.provisioningFailCount == 0);
  CHECK(w.host("n1").metadata.annotation("capm3.metal3.io/unhealthy") == nullptr);
  CHECK(w.host("n1").metadata.annotation("ingot.dev/retry-requested") != nullptr);
  const auto m1 = *w.loop.run(w.client().get<Metal3Machine>({"metal3", "m1"}));
  CHECK(m1.metadata.annotation("ingot.dev/retry-requested") != nullptr);
  CHECK(w.run({"retry", "host", "n1", "n9"}) == 3);
  CHECK(w.terminal.printed == "host n1: tried anew\n");
  const std::string another =
      R"({"metadata":{"annotations":{"capm3.metal3.io/unhealthy":"x"}},"spec":{"consumerRef":{"name":"m2"}}})";
  w.loop.run(w.client().patch<api::BareMetalHost>({"metal3", "n1"}, json::parse(another)));
  CHECK(w.run({"retry", "machine", "m1"}) == 1);
  CHECK_THAT(w.terminal.errors, Contains("host n1 is used by Metal3Machine metal3/m2"));
  CHECK(w.host("n1").metadata.annotation("capm3.metal3.io/unhealthy") != nullptr);
}

TEST_CASE("a retry of a machine takes the refusals off the claims of its data", "[cli][retry]") {
  using namespace api::capm3::v1beta2;
  using api::ipam::IPClaim;
  World w(World::Kinds::all);
  const int applied = w.run({"apply", "-f", w.file("edge.yaml", edgeCluster)});
  INFO(w.terminal.errors);
  REQUIRE(applied == 0);
  w.loop.run(w.client().patchStatus<Metal3DataClaim>(
      {"metal3", "m1"}, json::Object{{"status", json::parse(R"({"renderedData":{"name":"t-0"}})")}}));
  const std::string uid = w.loop.run(w.client().get<Metal3Data>({"metal3", "t-0"}))->metadata.uid;
  for (const std::string name : {"t-0-p", "foreign"}) {
    IPClaim claim;
    claim.metadata = {.name = name, .namespace_ = "metal3"};
    if (name != "foreign")
      claim.metadata.ownerReferences = {
          {.apiVersion = Metal3Data::info.apiVersion(), .kind = "Metal3Data", .name = "t-0", .uid = uid}};
    claim.spec.pool.name = "p";
    w.loop.run(w.client().create(claim));
    w.loop.run(w.client().patchStatus<IPClaim>(
        {"metal3", name}, json::Object{{"status", json::parse(R"({"errorMessage":"Exhausted IP Pools"})")}}));
  }
  const auto refusalOf = [&w](const std::string& name) {
    return w.loop.run(w.client().get<IPClaim>({"metal3", name}))->status.errorMessage.value_or("");
  };
  w.door.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "GET" || request.path().find("/ipclaims/") == std::string::npos) return std::nullopt;
    return net::HttpResponse{.status = 403, .body = "{}"};
  };
  CHECK(w.run({"retry", "machine", "m1"}) == 0);
  CHECK_THAT(w.terminal.notes, Contains("IPClaim t-0-p: its refusal stays"));
  CHECK(refusalOf("t-0-p") == "Exhausted IP Pools");
  w.door.instead = nullptr;
  CHECK(w.run({"retry", "machine", "m1"}) == 0);
  CHECK(w.terminal.printed == "IPClaim t-0-p: its refusal is forgotten\nmachine m1: tried anew\n");
  CHECK(refusalOf("t-0-p").empty());
  CHECK(refusalOf("foreign") == "Exhausted IP Pools");
}

TEST_CASE("a retry of a machine takes the refusal off a claim of Cluster API, too", "[cli][retry]") {
  using namespace api::capm3::v1beta2;
  using api::capi_ipam::IPAddressClaim;
  World w(World::Kinds::all);
  const int applied = w.run({"apply", "-f", w.file("edge.yaml", edgeCluster)});
  INFO(w.terminal.errors);
  REQUIRE(applied == 0);
  w.loop.run(w.client().patchStatus<Metal3DataClaim>(
      {"metal3", "m1"}, json::Object{{"status", json::parse(R"({"renderedData":{"name":"t-0"}})")}}));
  const std::string uid = w.loop.run(w.client().get<Metal3Data>({"metal3", "t-0"}))->metadata.uid;
  IPAddressClaim claim;
  claim.metadata = {.name = "t-0-p", .namespace_ = "metal3"};
  claim.metadata.ownerReferences = {
      {.apiVersion = Metal3Data::info.apiVersion(), .kind = "Metal3Data", .name = "t-0", .uid = uid}};
  claim.spec.poolRef = {.name = "p", .kind = "IPPool", .apiGroup = "ipam.metal3.io"};
  w.loop.run(w.client().create(claim));
  w.loop.run(w.client().patchStatus<IPAddressClaim>(
      {"metal3", "t-0-p"}, json::Object{{"status", json::parse(R"({"conditions":[{"type":"Ready","status":"False",
        "reason":"PoolExhausted","message":"Exhausted IP Pools","lastTransitionTime":"2026-01-01T00:00:00Z"}]})")}}));
  CHECK(w.run({"retry", "machine", "m1"}) == 0);
  CHECK(w.terminal.printed == "IPAddressClaim t-0-p: its refusal is forgotten\nmachine m1: tried anew\n");
  CHECK(w.loop.run(w.client().get<IPAddressClaim>({"metal3", "t-0-p"}))->status.conditions.empty());
}

TEST_CASE("a retry of a machine removes its remediation that has failed, and no other", "[cli][retry]") {
  CHECK(planRetry(machine("m").remediated("Failed", 0), noon).remediation->name == "m");
  CHECK_FALSE(planRetry(machine("m").remediated("Running", 0), noon).remediation);
  const auto off = planRetry(machine("m").on(host("provisioned").online(false)).remediated("Failed", 0), noon);
  CHECK_FALSE(off.remediation);
  CHECK_THAT(off.notes.at(0), Contains("until spec.online of host node01 is true"));

  using api::capm3::v1beta2::Metal3Remediation;
  World w(World::Kinds::all);
  const int applied = w.run({"apply", "-f", w.file("edge.yaml", edgeCluster)});
  INFO(w.terminal.errors);
  REQUIRE(applied == 0);
  api::capi::Machine owner;
  owner.metadata = {.name = "m1", .namespace_ = "metal3"};
  owner.spec.clusterName = "edge";
  owner.spec.bootstrap.dataSecretName = "boot";
  owner.spec.infrastructureRef = {.apiGroup = "infrastructure.cluster.x-k8s.io", .kind = "Metal3Machine", .name = "m1"};
  const std::string uid = w.loop.run(w.client().create(owner)).metadata.uid;
  w.loop.run(w.client().patch<api::capm3::v1beta2::Metal3Machine>(
      {"metal3", "m1"}, json::parse(fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":
        "cluster.x-k8s.io/v1beta2","kind":"Machine","name":"m1","uid":"{}"}}]}}}})",
                                                uid))));
  Metal3Remediation failed;
  failed.metadata = {.name = "m1", .namespace_ = "metal3"};
  failed.spec.strategy = {.type = "Reboot"};
  w.loop.run(w.client().create(failed));
  w.loop.run(w.client().patchStatus<Metal3Remediation>({"metal3", "m1"},
                                                       json::Object{{"status", json::Object{{"phase", "Failed"}}}}));
  kube::Event said;
  said.metadata = {.name = "said", .namespace_ = "metal3"};
  said.involvedObject = kube::referenceTo(*w.loop.run(w.client().get<Metal3Remediation>({"metal3", "m1"})));
  said.reason = "PowerOffDisabled";
  said.message = "Host n1 may not be switched off";
  w.loop.run(w.client().create(said));
  CHECK(w.run({"describe", "machine", "m1"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("PowerOffDisabled") && Contains("Host n1 may not be switched off"));
  CHECK(w.run({"retry", "machine", "m1"}) == 0);
  CHECK(w.terminal.printed == "machine m1: tried anew, its failed remediation removed\n");
  CHECK_FALSE(w.loop.run(w.client().get<Metal3Remediation>({"metal3", "m1"})));
}
