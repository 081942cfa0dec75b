// What is done to a Node and what is kept of it (spec/capm3.md §18.2, §18.3, §18.5).
#include "coordinator/remediation/node_record.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator;
using namespace ingot::coordinator::remediation;

namespace {

kube::Node node(std::map<std::string, std::string> labels, std::map<std::string, std::string> annotations) {
  kube::Node out;
  out.metadata = {.name = "n1", .resourceVersion = "7"};
  out.metadata.labels = std::move(labels);
  out.metadata.annotations = std::move(annotations);
  out.spec.providerId = "metal3://a";
  return out;
}

std::string text(const std::optional<json::Value>& patch) { return patch ? json::serializeSorted(*patch) : "none"; }

}  // namespace

TEST_CASE("§18.5, §21 Q27 clusters know the taint since 1.28", "[remediation]") {
  CHECK(knowsOutOfService(workload::ServerVersion{1, 28}));
  CHECK(knowsOutOfService(workload::ServerVersion{2, 0}));
  CHECK_FALSE(knowsOutOfService(workload::ServerVersion{1, 27}));
  CHECK_FALSE(knowsOutOfService(std::nullopt));
}

TEST_CASE("a taint comes beside the others and goes alone", "[remediation]") {
  auto tainted = node({}, {});
  tainted.spec.taints = {{.key = "mine", .value = "x", .effect = "NoSchedule"}};
  const auto now = base::parseTime("2026-01-01T12:00:00Z").value();
  CHECK(text(outOfServicePatch(tainted, now)) ==
        R"({"metadata":{"resourceVersion":"7"},"spec":{"taints":[{"effect":"NoSchedule","key":"mine","value":"x"},)"
        R"({"effect":"NoExecute","key":"node.kubernetes.io/out-of-service","timeAdded":"2026-01-01T12:00:00Z",)"
        R"("value":"nodeshutdown"}]}})");
  CHECK_FALSE(isOutOfService(tainted));
  CHECK(text(restoringPatch(tainted, {}, "metal3://a")) == "none");
  tainted.spec.taints.push_back({.key = "node.kubernetes.io/out-of-service", .effect = "NoExecute"});
  CHECK(isOutOfService(tainted));
  CHECK(text(restoringPatch(tainted, {}, "metal3://a")) ==
        R"({"metadata":{"resourceVersion":"7"},"spec":{"taints":[{"effect":"NoSchedule","key":"mine","value":"x"}]}})");
}

TEST_CASE("§18.3 (3) a Node gets back what it has not", "[remediation]") {
  Metal3Remediation it;
  CHECK_FALSE(hasRecord(it));
  CHECK(keepRecord(it, node({{"a", "1"}, {"b", "2"}}, {})) == 0);
  CHECK(it.metadata.annotations.at("remediation.metal3.io/node-labels-backup") == R"({"a":"1","b":"2"})");
  CHECK(it.metadata.annotations.at("remediation.metal3.io/node-annotations-backup").empty());
  auto fresh = node({{"a", "other"}}, {{"n", "1"}});
  fresh.spec.providerId.clear();
  CHECK(text(restoringPatch(fresh, it, "metal3://a")) ==
        R"({"metadata":{"labels":{"b":"2"},"resourceVersion":"7"},"spec":{"providerID":"metal3://a"}})");
  CHECK(text(restoringPatch(node({{"a", ""}, {"b", ""}}, {}), it, "metal3://a")) ==
        R"({"metadata":{"resourceVersion":"7"}})");
  dropRecord(it);
  CHECK_FALSE(hasRecord(it));
  CHECK(it.metadata.annotations.empty());
}

TEST_CASE("what was kept of an earlier Node is kept on", "[remediation]") {
  Metal3Remediation it;
  CHECK(keepRecord(it, node({{"a", "1"}, {"b", "2"}}, {{"n", "1"}})) == 0);
  CHECK(keepRecord(it, node({{"a", "new"}}, {})) == 0);
  CHECK(it.metadata.annotations.at("remediation.metal3.io/node-labels-backup") == R"({"a":"new","b":"2"})");
  CHECK(it.metadata.annotations.at("remediation.metal3.io/node-annotations-backup") == R"({"n":"1"})");
}

TEST_CASE("of a Node that has more than an API stores the labels are kept, and the small annotations",
          "[remediation]") {
  const std::string quotes(50'000, '"');  // twice as much as JSON
  Metal3Remediation it;
  const auto large = node({{"a", "1"}}, {{"big", quotes}, {"bigger", quotes + "x"}, {"n", "1"}});
  CHECK(keepRecord(it, large) == 1);
  const auto kept = it.metadata.annotations;
  CHECK(kept.at("remediation.metal3.io/node-labels-backup") == R"({"a":"1"})");
  const auto& notes = kept.at("remediation.metal3.io/node-annotations-backup");
  CHECK(notes.size() < (128u << 10));
  CHECK(json::parse(notes).as_object().size() == 2);
  CHECK(json::textAt(json::parse(notes), {"n"}) == "1");
  CHECK(keepRecord(it, large) == 1);  // the next pass
  CHECK(it.metadata.annotations == kept);
}

TEST_CASE("a record that somebody has spoilt restores nothing", "[remediation]") {
  for (const char* spoilt : {"", "[]", "{", R"({"a":1})"}) {
    Metal3Remediation it;
    it.metadata.annotations["remediation.metal3.io/node-labels-backup"] = spoilt;
    CHECK(hasRecord(it));
    CHECK(text(restoringPatch(node({}, {}), it, "")) == R"({"metadata":{"resourceVersion":"7"}})");
  }
}
