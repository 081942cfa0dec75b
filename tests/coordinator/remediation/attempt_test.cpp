// How long attempts take and how many there are; how a machine is handed over (spec/capm3.md §18.3).
#include "coordinator/remediation/attempt.hpp"
#include "coordinator/remediation/hand_over.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::remediation;
using namespace std::chrono_literals;

namespace {

const base::WallTime kNoon = base::parseTime("2026-01-01T12:00:00Z").value();

Metal3Remediation begun(int retryLimit, int timeoutSeconds, int retryCount) {
  Metal3Remediation out;
  out.spec.strategy = {.type = "Reboot", .retryLimit = retryLimit, .timeoutSeconds = timeoutSeconds};
  begin(out, kNoon);
  out.status.retryCount = retryCount;
  return out;
}

Machine checked(const std::string& status) {
  Machine machine;
  if (!status.empty()) machine.status.conditions = {{.type = "HealthCheckSucceeded", .status = status}};
  return machine;
}

}  // namespace

TEST_CASE("§18.3 (4), (5), §21 Q24 attempts have their time, and there are retryLimit + 1 of them", "[remediation]") {
  struct Row {
    int limit, timeout, count;
    base::Duration after;
    std::string healthy;
    Verdict verdict;
  };
  const std::vector<Row> rows{
      {1, 100, 0, 99s, "False", Verdict::goOn},      {1, 100, 0, 100s, "False", Verdict::tryAgain},
      {1, 100, 1, 100s, "False", Verdict::giveUp},   {3, 100, 2, 100s, "", Verdict::tryAgain},
      {3, 100, 3, 100s, "", Verdict::giveUp},        {1, 0, 0, 599s, "False", Verdict::goOn},
      {1, 0, 0, 600s, "False", Verdict::tryAgain},   {0, 0, 0, 600s, "False", Verdict::giveUp},
      {1, 100, 1, 1h, "True", Verdict::goOn},        {1, 100, 0, 1h, "True", Verdict::goOn},
      {1, 100, 5, 100s, "Unknown", Verdict::giveUp},
  };
  for (const auto& row : rows) {
    INFO(row.limit << " " << row.timeout << " " << row.count << " " << row.healthy);
    CHECK(judge(begun(row.limit, row.timeout, row.count), checked(row.healthy), row.after) == row.verdict);
  }
}

TEST_CASE("health is read in either dialect", "[remediation]") {
  CHECK(isHealthy(checked("True")));
  CHECK_FALSE(isHealthy(checked("")));
  Machine machine = checked("");
  machine.status.deprecated.v1beta1.conditions = {{.type = "HealthCheckSucceeded", .status = "True"}};
  CHECK(isHealthy(machine));
  machine.status.conditions = {{.type = "HealthCheckSucceeded", .status = "False"}};
  CHECK_FALSE(isHealthy(machine));
}

TEST_CASE("an attempt that begins again counts and has all its time", "[remediation]") {
  auto it = begun(2, 100, 0);
  it.status.phase = "Waiting";
  beginAgain(it, kNoon + 100s);
  CHECK(it.status.phase == "Running");
  CHECK(it.status.retryCount == 1);
  CHECK(it.status.lastRemediated == kNoon + 100s);
  CHECK(timeLeft(it, 1s) == 99s);
}

TEST_CASE("§18.3 (6), §21 Q25 a machine is handed over in both dialects, and the owner's answer stays",
          "[remediation]") {
  Machine machine = checked("False");
  askForReplacement(machine, kNoon);
  REQUIRE(machine.status.conditions.size() == 2);
  CHECK(machine.status.conditions[1].type == "OwnerRemediated");
  CHECK(machine.status.conditions[1].status == "False");
  CHECK(machine.status.conditions[1].reason == "WaitingForRemediation");
  CHECK(machine.status.conditions[1].message == "Waiting for remediation");
  const auto& legacy = machine.status.deprecated.v1beta1.conditions;
  REQUIRE(legacy.size() == 1);
  CHECK(legacy[0].severity == "Warning");
  CHECK(legacy[0].reason == "WaitingForRemediation");
  machine.status.conditions[1].reason = "MachineDeleting";
  const Machine answered = machine;
  askForReplacement(machine, kNoon + 1h);
  CHECK(machine == answered);
  machine.status.conditions[1].status = "True";
  askForReplacement(machine, kNoon + 1h);
  CHECK(machine.status.conditions[1].status == "False");
}
