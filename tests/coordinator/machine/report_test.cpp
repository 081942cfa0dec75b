// spec/capm3.md §8.2, §8.5: what a Metal3Machine shows, step by step.
#include "coordinator/machine/report.hpp"

#include "kube/runtime/conditions.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace ingot;
using coordinator::machine::Metal3Machine;
using coordinator::machine::Missing;
using coordinator::machine::Report;
namespace step = coordinator::machine::step;

namespace {

const base::WallTime kReportTime{std::chrono::seconds(1'700'000'000)};

// "False/Reason"; "": there is no such condition.
std::string shownBy(const Metal3Machine& machine, const std::string& type) {
  const auto* condition = kube::findCondition(machine.status.conditions, type);
  return condition == nullptr ? "" : condition->status + "/" + condition->reason;
}

// "False/Reason (Severity)", "True".
std::string shownOfOld(const Metal3Machine& machine, const std::string& type) {
  if (!machine.status.deprecated || !machine.status.deprecated->v1beta1) return "";
  for (const auto& condition : machine.status.deprecated->v1beta1->conditions)
    if (condition.type == type)
      return condition.reason.empty()
                 ? condition.status
                 : fmt::format("{}/{} ({})", condition.status, condition.reason, condition.severity);
  return "";
}

std::string messageOf(const Metal3Machine& machine, const std::string& type) {
  return kube::findCondition(machine.status.conditions, type)->message;
}

void report(Metal3Machine& machine, const std::function<void(Report&)>& what) {
  const auto before = machine.status;
  Report told(machine, kReportTime);
  what(told);
  told.finish(before);
}

const std::string kHostCondition = "AssociateBareMetalHost", kMetaCondition = "AssociateMetal3MachineMetaData",
                  kDataCondition = "Metal3DataReady", kOldHost = "AssociateBMH", kOldNode = "KubernetesNodeReady";

}  // namespace

TEST_CASE("§8.2, §8.5 each step shows its reason in both dialects", "[machine][report]") {
  struct Row {
    std::function<void(Report&)> what;
    std::string type, shown, oldType, old;
  };
  const std::vector<Row> rows = {
      {[](Report& r) { r.missing(Missing::owner); }, kHostCondition, "False/WaitingForMetal3MachineOwnerRef", kOldHost,
       "False/WaitingForM3MachineOwnerRef (Info)"},
      {[](Report& r) { r.missingOwner("m1"); }, kHostCondition, "False/WaitingForMetal3MachineOwnerRef", kOldHost,
       "False/WaitingForM3MachineOwnerRef (Info)"},
      {[](Report& r) { r.missing(Missing::cluster); }, kHostCondition, "False/WaitingForClusterInfrastructureReady",
       kOldHost, ""},
      {[](Report& r) { r.missing(Missing::infrastructure); }, kHostCondition,
       "False/WaitingForClusterInfrastructureReady", kOldHost, "False/WaitingForClusterInfrastructure (Info)"},
      {[](Report& r) { r.missing(Missing::metalCluster); }, kHostCondition, "False/WaitingforMetal3Cluster", kOldHost,
       "False/WaitingforMetal3Cluster (Info)"},
      {[](Report& r) { r.failed(step::setPause, "e"); }, kHostCondition, "False/BareMetalHostPauseAnnotationSetFailed",
       kOldHost, "False/PauseAnnotationSetFailedReason (Info)"},
      {[](Report& r) { r.failed(step::removePause, "e"); }, kHostCondition,
       "False/BareMetalHostPauseAnnotationRemoveFailed", kOldHost, "False/PauseAnnotationRemoveFailed (Info)"},
      {[](Report& r) { r.failed(step::setPause, "e"); }, "Paused", "False/BareMetalHostPauseAnnotationSetFailed",
       kOldNode, ""},
      {[](Report& r) { r.failed(step::removePause, "e"); }, "Paused", "False/BareMetalHostPauseAnnotationRemoveFailed",
       kOldNode, ""},
      {[](Report& r) { r.notPaused(); }, "Paused", "False/NotPaused", kOldHost, ""},
      {[](Report& r) { r.paused("why"); }, "Paused", "True/Paused", kOldHost, "False/Metal3MachinePaused (Info)"},
      {[](Report& r) { r.paused("why"); }, kHostCondition, "False/Paused", kOldNode, ""},
      {[](Report& r) { r.waitsForBootstrap(); }, kHostCondition, "False/WaitingForBootstrapData", kOldHost,
       "False/WaitingForBootstrapReady (Info)"},
      {[](Report& r) { r.failed(step::associate, "e"); }, kHostCondition, "False/AssociateBareMetalHostFailed",
       kOldHost, "False/AssociateBMHFailed (Error)"},
      {[](Report& r) { r.associated(false, "why"); }, kHostCondition, "True/AssociateBareMetalHostSuccess", kOldHost,
       "True"},
      {[](Report& r) { r.associated(true, "why"); }, kHostCondition, "True/AssociateBareMetalHostViaNodeReuseSuccess",
       kOldHost, "True"},
      {[](Report& r) { r.hasMetaData(); }, kMetaCondition, "True/AssociateMetal3MachineMetaDataSuccess", kOldNode, ""},
      {[](Report& r) { r.failed(step::data, "e"); }, kMetaCondition, "False/AssociateMetal3MachineMetaDataFailed",
       kOldNode, "False/AssociateM3MetaDataFailed (Warning)"},
      {[](Report& r) { r.failed(step::writeHost, "e"); }, kMetaCondition, "False/CreateError", kOldNode, ""},
      {[](Report& r) { r.failed(step::nodeByLabel, "e"); }, kMetaCondition, "False/CreateError", kOldNode, ""},
      {[](Report& r) { r.failed(step::nodeByProviderId, "e"); }, kMetaCondition, "False/CreateError", kOldNode, ""},
      {[](Report& r) { r.failed(step::nodeByHostname, "e"); }, kMetaCondition, "False/UpdateError", kOldNode, ""},
      {[](Report& r) { r.failed(step::update, "e"); }, kMetaCondition, "False/UpdateError", kOldNode, ""},
      {[](Report& r) { r.failed(step::host, "e"); }, kMetaCondition, "False/BareMetalHostNotProvisioned", kOldNode, ""},
      {[](Report& r) { r.leaving("why"); }, kMetaCondition, "False/Deleting", kOldNode, "False/Deleting (Info)"},
      {[](Report& r) { r.failed(step::dissociate, "e"); }, kMetaCondition, "False/DisassociateM3MetaDataFailed",
       kOldNode, "False/DisassociateM3MetaDataFailed (Warning)"},
      {[](Report& r) { r.failed(step::remove, "e"); }, kMetaCondition, "False/DeletionFailed", kOldNode,
       "False/DeletionFailed (Warning)"},
      {[](Report& r) { r.waitsForData(); }, kDataCondition, "False/WaitingForMetal3Data", kDataCondition,
       "False/WaitingForMetal3Data (Info)"},
      {[](Report& r) { r.dataReady("Metal3DataSecretsReady"); }, kDataCondition, "True/Metal3DataSecretsReady",
       kDataCondition, "True"},
      {[](Report& r) { r.dataReady("SecretsSetExternally"); }, kDataCondition, "True/SecretsSetExternally",
       kDataCondition, "True"},
  };
  for (const auto& row : rows) {
    INFO(row.type << " " << row.shown);
    Metal3Machine machine;
    report(machine, row.what);
    CHECK(shownBy(machine, row.type) == row.shown);
    CHECK(shownOfOld(machine, row.oldType) == row.old);
    CHECK(machine.status.lastUpdated == kReportTime);
  }
}

TEST_CASE("§8.5 Ready sums up host, meta data and rendered data", "[machine][report]") {
  Metal3Machine machine;
  report(machine, [](Report& r) { r.associated(false, ""); });
  CHECK(shownBy(machine, "Ready") == "Unknown/ReadyUnknown");
  CHECK(messageOf(machine, "Ready") ==
        "* AssociateMetal3MachineMetaData: Condition not yet reported\n"
        "* Metal3DataReady: Condition not yet reported");
  report(machine, [](Report& r) { r.waitsForData(); });
  CHECK(shownBy(machine, "Ready") == "False/NotReady");
  report(machine, [](Report& r) { r.hasMetaData(), r.dataReady("Metal3DataSecretsReady"), r.notPaused(); });
  CHECK(shownBy(machine, "Ready") == "True/Ready");
  CHECK(shownOfOld(machine, "Ready") == "True");
}

TEST_CASE("§6.5 nothing is summed up in the old dialect once nothing is told in it", "[machine][report]") {
  Metal3Machine machine;
  machine.spec.providerID = "metal3://u";
  report(machine, [](Report& told) { told.failed(step::remove, "e"); });
  REQUIRE_THAT(shownOfOld(machine, "Ready"), Catch::StartsWith("False/"));
  report(machine, [](Report& told) { told.paused("its Cluster is paused"); });
  CHECK(shownOfOld(machine, "Ready").empty());
}

TEST_CASE("§8.5 what kept the data from being asked for is no longer told once they are", "[machine][report]") {
  Metal3Machine machine;
  report(machine, [](Report& r) { r.associated(false, ""), r.failed(step::data, "a claim of an earlier machine"); });
  REQUIRE(shownOfOld(machine, "Ready") == "False/AssociateM3MetaDataFailed (Warning)");
  report(machine, [](Report& r) { r.askedForData(), r.failed(step::writeHost, "e"); });
  CHECK(shownOfOld(machine, kOldNode).empty());
  CHECK(shownOfOld(machine, "Ready") == "True");
  CHECK(shownBy(machine, "Ready") == "False/NotReady");
}

TEST_CASE("§8.2 (4) a machine without a Cluster shows no failure of the time before", "[machine][report]") {
  Metal3Machine machine;
  report(machine, [](Report& r) { r.failed(step::associate, "e"); });
  machine.status.deprecated->v1beta1->failureReason = "CreateError";
  machine.status.deprecated->v1beta1->failureMessage = "of an earlier manager";
  report(machine, [](Report& r) { r.missing(Missing::cluster); });
  CHECK_FALSE(machine.status.deprecated->v1beta1->failureReason);
  CHECK_FALSE(machine.status.deprecated->v1beta1->failureMessage);
  CHECK(messageOf(machine, kHostCondition) == "Machine is missing cluster label or cluster does not exist");
}

TEST_CASE("what no host speaks for is told anew when there are hosts, or after minutes", "[machine][report]") {
  const auto told = [](const std::string& why) { return "no available host found (" + why + "); requeued"; };
  Metal3Machine machine;
  report(machine, [&](Report& it) {
    CHECK(it.tellsAnew(step::associate, told("")));
    it.stillFails(step::associate, told("3 hosts: 3 in use"));
  });
  const Report soon(machine, kReportTime + std::chrono::minutes(5) - std::chrono::seconds(1));
  CHECK_FALSE(soon.tellsAnew(step::associate, told("")));
  CHECK_FALSE(soon.tellsAnew(step::associate, told("4 hosts: 4 in use")));
  CHECK(soon.tellsAnew(step::associate, told("no host in namespace metal")));
  CHECK(soon.tellsAnew(step::data, told("")));
  CHECK(Report(machine, kReportTime + std::chrono::minutes(5)).tellsAnew(step::associate, told("")));
}

TEST_CASE("§8.5 of a text of any length each condition shows the beginning", "[machine][report]") {
  const std::string endless(40'000, 'x');
  const std::vector<std::function<void(Report&)>> rows = {
      [&](Report& r) { r.failed(step::associate, endless); },
      [&](Report& r) { r.stillFails(step::associate, endless); },
      [&](Report& r) { r.failed(step::remove, endless); },
      [&](Report& r) { r.failed(step::setPause, endless); },
      [&](Report& r) { r.associated(false, "host " + endless); },
      [&](Report& r) { r.leaving(endless); },
  };
  Metal3Machine machine;
  const auto isShort = [](const auto& condition) { return condition.message.size() < 10'000; };
  for (const auto& row : rows) {
    machine.status = {};
    report(machine, row);
    CHECK(std::ranges::all_of(machine.status.conditions, isShort));
    CHECK(std::ranges::any_of(machine.status.conditions, [](const auto& one) { return one.message.contains("xxx"); }));
    REQUIRE(machine.status.deprecated);
    CHECK(std::ranges::all_of(machine.status.deprecated->v1beta1->conditions, isShort));
  }
}
