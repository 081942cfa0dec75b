#include "coordinator/host/conditions.hpp"

#include "kube/runtime/conditions.hpp"
#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::conditions {
namespace {

using namespace coordinator::host;
using enum State;

const base::WallTime noon{std::chrono::hours(12)};

std::string word(const api::BareMetalHost& host, std::string_view type) {
  const auto* found = kube::findCondition(host.status.conditions, type);
  if (found == nullptr) return "absent";
  return found->status.substr(0, 1) + " " + found->reason;
}

struct Row {
  State state;
  std::string_view manageable, available, ready, progressing;
};

TEST_CASE("each state has its conditions", "[host][conditions]") {
  const Row rows[] = {
      {none, "F NotManaged", "F NotAvailable", "F NotProvisioned", "F NotProgressing"},
      {unmanaged, "F NotManaged", "F NotAvailable", "F NotProvisioned", "F NotProgressing"},
      {registering, "F Registering", "F NotAvailable", "F NotProvisioned", "T Registering"},
      {inspecting, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Inspecting"},
      {matchProfile, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Inspecting"},
      {preparing, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Preparing"},
      {available, "T Manageable", "T Available", "F NotProvisioned", "F NotProgressing"},
      {ready, "T Manageable", "T Available", "F NotProvisioned", "F NotProgressing"},
      {provisioning, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Provisioning"},
      {provisioned, "T Manageable", "F NotAvailable", "T Provisioned", "F NotProgressing"},
      {externallyProvisioned, "T Manageable", "F NotAvailable", "T Provisioned", "F NotProgressing"},
      {deprovisioning, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Deprovisioning"},
      {poweringOffBeforeDelete, "T Manageable", "F NotAvailable", "F NotProvisioned", "T PoweringOffBeforeDelete"},
      {deleting, "T Manageable", "F NotAvailable", "F NotProvisioned", "T Deleting"},
  };
  for (const Row& row : rows) {
    INFO(text(row.state));
    auto host = aHost(row.state).build();
    setConditions(host, {}, noon);
    CHECK(word(host, "Manageable") == row.manageable);
    CHECK(word(host, "AvailableForProvisioning") == row.available);
    CHECK(word(host, "Ready") == row.ready);
    CHECK(word(host, "Provisioned") == row.ready);
    CHECK(word(host, "Progressing") == row.progressing);
    CHECK(host.status.conditions.front().type == "Ready");
  }
}

TEST_CASE("a failed host is not ready, whatever it carries", "[host][conditions]") {
  auto host = aHost(provisioned).failed(ErrorType::powerManagement).build();
  setConditions(host, {}, noon);
  CHECK(word(host, "Ready") == "F Error");
  CHECK(word(host, "Provisioned") == "T Provisioned");
  auto registering = aHost(State::registering).failed(ErrorType::registration).build();
  setConditions(registering, {}, noon);
  CHECK(word(registering, "Manageable") == "F RegistrationFailed");
}

TEST_CASE("a power failure makes a host unmanageable, but not one that is going away", "[host][conditions]") {
  auto host = aHost(available).build();
  setConditions(host, {.powerFailure = true}, noon);
  CHECK(word(host, "Manageable") == "F PowerFailure");
  auto leaving = aHost(deleting).build();
  setConditions(leaving, {.powerFailure = true}, noon);
  CHECK(word(leaving, "Manageable") == "T Manageable");
}

TEST_CASE("a detached host is neither ready nor progressing, and nobody knows of a power failure",
          "[host][conditions]") {
  auto host = aHost(provisioned).with([](auto& h) { h.status.operationalStatus = "detached"; }).build();
  setConditions(host, {.powerFailure = true}, noon);
  CHECK(word(host, "Ready") == "F Detached");
  CHECK(word(host, "Progressing") == "F Detached");
  CHECK(word(host, "Provisioned") == "T Provisioned");
  CHECK(word(host, "Manageable") == "T Manageable");
  CHECK_FALSE(powerFailureMatters(host));
}

TEST_CASE("health that is not known leaves the last word standing", "[host][conditions]") {
  auto host = aHost(available).build();
  setConditions(host, {}, noon);
  CHECK(word(host, "Healthy") == "U Unknown");
  setConditions(host, {.health = "Critical"}, noon);
  CHECK(word(host, "Healthy") == "F CriticalError");
  setConditions(host, {}, noon);
  CHECK(word(host, "Healthy") == "F CriticalError");
  setConditions(host, {.health = "OK"}, noon);
  CHECK(word(host, "Healthy") == "T Healthy");
  setConditions(host, {.health = "Sideways"}, noon);
  CHECK(word(host, "Healthy") == "U Unknown");
}

TEST_CASE("computing the same conditions again changes nothing", "[host][conditions]") {
  auto host = aHost(available).build();
  setConditions(host, {.health = "OK"}, noon);
  const auto before = host.status.conditions;
  setConditions(host, {.health = "OK"}, noon + std::chrono::hours(1));
  CHECK(host.status.conditions == before);
}

TEST_CASE("power is called known only in states in which somebody reads it", "[host][conditions]") {
  for (const State state : {inspecting, preparing, provisioning, deprovisioning, poweringOffBeforeDelete, deleting}) {
    INFO(text(state));
    auto host = aHost(state).build();
    setConditions(host, {}, noon);
    CHECK(word(host, "PowerStateKnown") == "absent");
    notePowerKnown(host, true, "", noon);
    setConditions(host, {}, noon);
    CHECK(word(host, "PowerStateKnown") == "U NoFreshReading");
  }
  for (const State state : {available, ready, provisioned, externallyProvisioned}) {
    auto host = aHost(state).build();
    notePowerKnown(host, true, "", noon);
    setConditions(host, {}, noon);
    CHECK(word(host, "PowerStateKnown") == "T Read");
  }
}

TEST_CASE("texts of others are cut to what the API stores, between two characters", "[host][conditions]") {
  auto host = aHost(provisioned).build();
  std::string text = "x";
  while (text.size() < 40000) text += "ü";
  host.status.errorMessage = text;
  notePowerKnown(host, false, text, noon);
  boundTexts(host);
  const auto& message = kube::findCondition(host.status.conditions, "PowerStateKnown")->message;
  CHECK(message.size() == 32767);
  CHECK(text.starts_with(message));
  CHECK(host.status.errorMessage == message);
}

TEST_CASE("power that is not known says so and since when", "[host][conditions]") {
  auto host = aHost(provisioned).build();
  notePowerKnown(host, true, "", noon);
  notePowerKnown(host, false, "the BMC is silent", noon + std::chrono::minutes(5));
  notePowerKnown(host, false, "the BMC is silent", noon + std::chrono::minutes(9));
  CHECK(word(host, "PowerStateKnown") == "U NoFreshReading");
  CHECK(kube::findCondition(host.status.conditions, "PowerStateKnown")->message == "the BMC is silent");
  CHECK(kube::findCondition(host.status.conditions, "PowerStateKnown")->lastTransitionTime ==
        noon + std::chrono::minutes(5));
}

}  // namespace
}  // namespace ingot::tests::conditions
