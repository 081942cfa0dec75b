// What a Redfish reset may be and what a refusal means (spec/bmc.md §2.2, §6).
#include "bmc/redfish/reset.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc;
using redfish::ErrorBody;
using redfish::RefusalMeaning;
using Types = std::vector<std::string>;

TEST_CASE("the first reset type that the BMC allows is taken; the power button only where it means the right thing") {
  struct Row {
    PowerAction action;
    Power current;
    Types allowed, expected;
  };
  const auto row = GENERATE(values<Row>({
      {PowerAction::on, Power::off, {}, {"On", "ForceOn", "PushPowerButton"}},
      {PowerAction::on, Power::unknown, {}, {"On", "ForceOn"}},
      {PowerAction::on, Power::off, {"PushPowerButton"}, {"PushPowerButton"}},
      {PowerAction::on, Power::on, {"PushPowerButton"}, {}},
      {PowerAction::hardOff, Power::on, {"ForceOff", "PushPowerButton"}, {"ForceOff", "PushPowerButton"}},
      {PowerAction::hardOff, Power::off, {"PushPowerButton"}, {}},
      {PowerAction::softOff, Power::on, {"PushPowerButton", "ForceOff"}, {"PushPowerButton"}},
      {PowerAction::softOff, Power::on, {"GracefulShutdown"}, {"GracefulShutdown"}},
      {PowerAction::softOff, Power::on, {"ForceOff"}, {}},
      {PowerAction::softReboot, Power::on, {"GracefulRestart", "ForceRestart"}, {"GracefulRestart"}},
  }));
  CHECK(redfish::resetTypes(row.action, row.current, row.allowed) == row.expected);
}

TEST_CASE("after a server error only what may be done twice counts as not done") {
  CHECK_FALSE(redfish::mayHaveActed(500, "On"));
  CHECK_FALSE(redfish::mayHaveActed(500, "ForceOff"));
  CHECK(redfish::mayHaveActed(500, "GracefulShutdown"));
  CHECK(redfish::mayHaveActed(502, "ForceRestart"));
  CHECK(redfish::mayHaveActed(504, "PushPowerButton"));
  CHECK_FALSE(redfish::mayHaveActed(503, "GracefulShutdown"));
  CHECK_FALSE(redfish::mayHaveActed(409, "ForceRestart"));
}

TEST_CASE(
    "after a task that failed what does harm twice may have been done, unless the BMC says that it is too early") {
  for (const auto* type : {"ForceRestart", "GracefulRestart", "PowerCycle", "Nmi", "PushPowerButton"}) {
    CHECK(redfish::mayHaveActedInTask({"", {"Bad"}}, type));
    CHECK_FALSE(redfish::mayHaveActedInTask({"", {"SYS518"}}, type));
  }
  for (const auto* type : {"On", "ForceOn", "ForceOff"}) CHECK_FALSE(redfish::mayHaveActedInTask({"", {"Bad"}}, type));
}

TEST_CASE("a refusal means: there already, wait, try another type, or no") {
  struct Row {
    int status;
    ErrorBody body;
    Power wanted;
    RefusalMeaning meaning;
  };
  const auto row = GENERATE(values<Row>({
      {409, {"", {"ActionParameterValueConflict"}}, Power::on, RefusalMeaning::retryLater},
      {409, {"", {"ActionParameterValueConflict"}}, Power::off, RefusalMeaning::final},
      {400, {"", {"SYS518"}}, Power::off, RefusalMeaning::retryLater},
      {503, {"", {"InvalidOperationForSystemState"}}, Power::on, RefusalMeaning::retryLater},
      {400, {"The host is powered off.", {}}, Power::off, RefusalMeaning::alreadyThere},
      {409, {"Server is already powered ON.", {}}, Power::on, RefusalMeaning::alreadyThere},
      {409, {"Server is already powered ON.", {}}, Power::off, RefusalMeaning::final},
      {409, {"Server is already powered ON.", {}}, Power::unknown, RefusalMeaning::final},
      {501, {"", {}}, Power::on, RefusalMeaning::unsupported},
      {400, {"", {"ActionParameterNotSupported"}}, Power::on, RefusalMeaning::unsupported},
      {400, {"", {"PropertyValueNotInList"}}, Power::on, RefusalMeaning::unsupported},
      {400, {"", {"ActionNotSupported"}}, Power::on, RefusalMeaning::unsupported},
      {400, {"", {"ActionParameterMissing"}}, Power::on, RefusalMeaning::final},
      {500, {"host is powered on", {}}, Power::on, RefusalMeaning::final},
  }));
  INFO(row.status << " " << row.body.detail);
  CHECK(redfish::judge(row.status, row.body, row.wanted) == row.meaning);
}
