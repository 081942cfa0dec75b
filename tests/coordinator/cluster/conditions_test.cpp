// spec/capm3.md §6.5
#include "coordinator/cluster/conditions.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::cluster;
using api::capi::LegacyCondition;
using kube::Condition;

namespace {

constexpr std::array<std::string_view, 2> kTypes{"A", "B"};

Condition condition(std::string type, std::string status, std::string reason = "R", std::string message = "") {
  return {
      .type = std::move(type), .status = std::move(status), .reason = std::move(reason), .message = std::move(message)};
}

std::string summary(std::vector<Condition> all) {
  const Condition ready = summaryOf(all, kTypes);
  CHECK(ready.type == "Ready");
  return ready.status + " " + ready.reason + " " + ready.message;
}

LegacyCondition legacy(std::string type, std::string status, std::string severity = "", std::string reason = "") {
  return {.type = std::move(type),
          .status = std::move(status),
          .severity = std::move(severity),
          .reason = std::move(reason)};
}

const base::WallTime kThen = base::WallTime(std::chrono::seconds(1'000'000));

}  // namespace

TEST_CASE("§6.5 Ready sums up the others", "[cluster]") {
  CHECK(summary({condition("A", "True"), condition("B", "True"), condition("C", "False")}) == "True Ready ");
  CHECK(summary({condition("A", "False", "R", "why"), condition("B", "Unknown", "U")}) ==
        "False NotReady * A: why\n* B: U");
  CHECK(summary({condition("A", "True"), condition("B", "Unknown", "U")}) == "Unknown ReadyUnknown * B: U");
  CHECK(summary({condition("A", "True")}) == "Unknown ReadyUnknown * B: Condition not yet reported");
  CHECK(summary({condition("B", "False", "R")}) == "False NotReady * A: Condition not yet reported\n* B: R");
}

TEST_CASE("§6.5 Ready of v1beta1 is the first of the worst severity", "[cluster]") {
  CHECK_FALSE(legacySummaryOf({legacy("C", "False", "Error")}, kTypes));
  CHECK(legacySummaryOf({legacy("B", "True")}, kTypes) == legacy("Ready", "True"));
  CHECK(legacySummaryOf({legacy("A", "True"), legacy("B", "Unknown", "", "u")}, kTypes) == legacy("Ready", "True"));
  CHECK(legacySummaryOf({legacy("A", "False"), legacy("B", "Unknown", "", "u")}, kTypes) ==
        legacy("Ready", "Unknown", "", "u"));
  const auto worse = GENERATE(values<std::pair<std::string, std::string>>({{"Error", "Warning"}, {"Warning", "Info"}}));
  const std::vector all{legacy("A", "False", worse.second, "a"), legacy("B", "False", worse.first, "b")};
  CHECK(legacySummaryOf(all, kTypes) == legacy("Ready", "False", worse.first, "b"));
  CHECK(legacySummaryOf({legacy("B", "False", "Info", "b"), legacy("A", "False", "Info", "a")}, kTypes) ==
        legacy("Ready", "False", "Info", "a"));
}

TEST_CASE("a condition of v1beta1 keeps its time while nothing else changes", "[cluster]") {
  std::vector<LegacyCondition> all{legacy("A", "True")};
  all.front().lastTransitionTime = kThen;
  setLegacyCondition(all, legacy("A", "True"), kThen + std::chrono::hours(1));
  CHECK(all.front().lastTransitionTime == kThen);
  setLegacyCondition(all, legacy("A", "False", "Info", "r"),
                     kThen + std::chrono::hours(2) + std::chrono::milliseconds(7));
  CHECK(all.front().lastTransitionTime == kThen + std::chrono::hours(2));
  CHECK(all.front().reason == "r");
  setLegacyCondition(all, legacy("B", "True"), kThen);
  setLegacyCondition(all, legacy("Ready", "True"), kThen);
  REQUIRE(all.size() == 3);
  CHECK(all.front().type == "Ready");
  CHECK(all.back().type == "B");
}
