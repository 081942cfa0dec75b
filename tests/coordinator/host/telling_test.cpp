// What people and dashboards are told of a host: Events (spec/baremetalhost.md §12) and metrics (§13).
#include "tests/coordinator/host/bench.hpp"
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::Refused;
using host::State;
using host::Working;

// The metrics page after the last pass of this bench.
std::string told(const Bench& b) {
  base::Metrics page;
  host::Metrics metrics(page);
  b.journal.tell(metrics);
  return page.expose();
}

bool says(const std::string& page, const std::string& line) { return page.find(line + "\n") != std::string::npos; }

TEST_CASE("each kind of failure has its error type, its Event and its counter", "[host][events][metrics]") {
  struct Row {
    api::BareMetalHost host;
    std::string call, errorType, reason;
  };
  const Row rows[] = {
      {aHost(State::registering), "register", "registration error", "RegistrationError"},
      {aHost(State::inspecting), "inspect", "inspection error", "InspectionError"},
      {aHost(State::preparing), "prepare", "preparation error", "PreparationError"},
      {aHost(State::provisioning).online().image("u"), "provision", "provisioning error", "ProvisioningError"},
      {aHost(State::provisioned).online().image("u").deployed("u"), "powerOn", "power management error",
       "PowerManagementError"},
      {aHost(State::provisioned).image("u").deployed("u"), "adopt", "provisioned registration error",
       "ProvisionedRegistrationError"},
      {aHost(State::deprovisioning).deployed("u"), "deprovision", "provisioning error", "ProvisioningError"},
  };
  for (const Row& row : rows) {
    INFO(row.call);
    Bench b(row.host);
    b.script.answer(row.call, Refused{"it broke"});
    b.pass();
    CHECK(b.it.status.operationalStatus == "error");
    CHECK(b.it.status.errorType == row.errorType);
    CHECK(b.it.status.errorMessage == "it broke");
    CHECK(b.it.status.errorCount == 1);
    CHECK(b.told(row.reason));
    CHECK(says(told(b), fmt::format("metal3_host_error_total{{error_type=\"{}\"}} 1", row.reason)));
  }
}

TEST_CASE("a profile and a refused pull secret have their Events", "[host][events]") {
  Bench profile(aHost(State::registering).with([](auto& h) { h.status.hardwareProfile.clear(); }));
  profile.pass();
  CHECK(profile.told("ProfileSet"));

  Bench pull(aHost(State::provisioning).online().image("oci://r/i").with([](auto& h) {
    h.spec.image->ociAuthSecretName = "pull";
  }));
  pull.cluster.add("pull", {{".dockerconfigjson", "nonsense"}});
  pull.pass();
  CHECK(pull.told("ImageAuthFormatUnsupported"));  // Opaque
  pull.it.status.errorType.clear();
  pull.cluster.secrets["pull"].type = "kubernetes.io/dockerconfigjson";
  pull.pass();
  CHECK(pull.told("ImageAuthParseError"));
}

TEST_CASE("credentials are counted as missing, invalid, updated, or of no use", "[host][metrics]") {
  World w;
  w.create(aHost(State::none).with([](auto& h) { h.spec.bmc.credentialsName = "later"; }));
  w.settle(5s);
  CHECK(says(w.life->page.expose(), "metal3_credentials_missing_total 1"));
  const auto reasons = w.eventReasons();
  CHECK(std::ranges::count(reasons, "BMCCredentialError") == 1);
  w.createSecret("later", {{"username", "admin"}});
  w.settle(15s);
  CHECK(says(w.life->page.expose(), "metal3_credentials_invalid_total 1"));
  w.script.throws["register"] = "down";
  w.editSecret("later", "password", "secret");
  w.settle(1s);
  CHECK_FALSE(says(w.life->page.expose(), "metal3_credentials_no_management_access_total 0"));
  w.script.throws.clear();
  REQUIRE(w.reaches("available"));
  CHECK(says(w.life->page.expose(), "metal3_credentials_updated_total 1"));
}

TEST_CASE("a Secret that the API will not show is counted as unhandled and asked for again", "[host][metrics]") {
  World w;
  w.failNext["/secrets/bmc"] = 1;
  w.create(aHost(State::none));
  REQUIRE(w.reaches("available"));
  CHECK(says(w.life->page.expose(), "metal3_credentials_unhandled_error_total 1"));
}

TEST_CASE("a life is counted: reconciles, states, durations, power; a deleted host's series go", "[host][metrics]") {
  World w;
  w.create(aHost(State::none).online().image("http://i/a"));
  REQUIRE(w.reaches("provisioned"));
  w.patch(R"({"spec":{"online":false}})");
  w.settle(10s);
  const std::string page = w.life->page.expose();
  for (const auto* operation : {"register", "inspect", "provision"}) {
    INFO(operation);
    CHECK(page.find(fmt::format("metal3_operation_{}_duration_seconds_count{{", operation)) != std::string::npos);
  }
  CHECK(page.find("metal3_reconcile_total{") != std::string::npos);
  CHECK(says(page, "metal3_reconcile_error_total 0"));
  CHECK(says(page, R"(metal3_provisioning_state_change_total{prev_state="available",new_state="provisioning"} 1)"));
  w.patch(R"({"spec":{"image":null}})");
  REQUIRE(w.reaches("available"));
  CHECK(w.life->page.expose().find("metal3_operation_deprovision_duration_seconds_count") != std::string::npos);
  w.remove();
  REQUIRE(w.vanishes());
  w.settle(1min);
  CHECK(w.life->page.expose().find("metal3_reconcile_total{") == std::string::npos);
}

// Of a counter that begins at 1 Prometheus shows no growth.
TEST_CASE("counters with labels that are known begin at 0", "[host][metrics]") {
  World w;
  w.create(aHost(State::none).online(false));
  REQUIRE(w.reaches("available"));
  const std::string page = w.life->page.expose();
  CHECK(says(page, R"(metal3_provisioning_state_change_total{prev_state="provisioned",new_state="deprovisioning"} 0)"));
  for (const auto* power : {"on", "off"})
    CHECK(page.find(fmt::format(R"(,on_off="{}"}} 0)", power)) != std::string::npos);
}

TEST_CASE("waiting, giving up and backends that are not ready are counted", "[host][metrics]") {
  Bench crowded(aHost(State::registering));
  crowded.script.capacity = false;
  crowded.pass();
  CHECK(told(crowded).find("metal3_delayed__provisioning_total{") != std::string::npos);

  Bench leaving(aHost(State::provisioned).deployed("u"));
  leaving.script.capacity = false;
  leaving.pass();
  CHECK(told(leaving).find("metal3_delayed__deprovisioning_total{") != std::string::npos);

  Bench dirty(aHost(State::deprovisioning).deployed("u").failed(host::ErrorType::provisioning, 3).beingDeleted());
  dirty.script.answer("deprovision", Refused{"stuck"});
  dirty.pass();
  CHECK(says(told(dirty), "metal3_delete_without_deprovisioning_total 1"));

  Bench on(aHost(State::poweringOffBeforeDelete).failed(host::ErrorType::powerManagement, 3).beingDeleted());
  on.script.answer("powerOff", Refused{"stuck"});
  on.pass();
  CHECK(says(told(on), "metal3_delete_without_powering_off_total 1"));

  Bench held(
      aHost(State::provisioned).annotated(api::annotation::detached, R"({"deleteAction":"delay"})").beingDeleted());
  held.pass();
  CHECK(says(told(held), "metal3_delete_delayed_for_detached_total 1"));

  Bench busy(aHost(State::registering));
  busy.script.answer("register", Working{3s});
  busy.pass();
  CHECK(says(told(busy), "metal3_host_registration_required_total 1"));

  Bench bare(aHost(State::none).with([](auto& h) { h.spec.bmc = {}; }));
  bare.pass();
  CHECK(says(told(bare), "metal3_host_unmanaged_total 1"));

  Bench switching(aHost(State::provisioned).online().image("u").deployed("u"));
  switching.script.answer("powerOn", Working{3s});
  switching.pass();
  CHECK(told(switching).find(R"(,on_off="on"} 1)") != std::string::npos);

  Bench keyless(aHost(State::provisioning).online().image("u").with([](auto& h) {
    h.spec.userData = api::SecretReference{.name = "user"};
  }));
  keyless.cluster.add("user", {{"something", "else"}});
  keyless.pass();
  CHECK(says(told(keyless), "metal3_host_config_data_error_total{host_data_type=\"userData\"} 1"));

  World w;
  w.backends.ready = false;
  w.create(aHost(State::none));
  w.settle(5s);
  CHECK(says(w.life->page.expose(), "metal3_provisioner_not_ready_total 1"));
}

TEST_CASE("what stands in the way of work that is no failure is shown", "[host]") {
  const host::Working locked{.after = 3s, .obstacle = "the node is locked"};
  Bench preparing(aHost(State::preparing));
  preparing.script.answer("prepare", locked);
  preparing.pass();
  CHECK(preparing.it.status.errorMessage == "the node is locked");

  Bench detaching(aHost(State::available).annotated(api::annotation::detached, ""));
  detaching.script.answer("remove", locked);
  detaching.pass();
  CHECK(detaching.it.status.errorMessage == "the node is locked");

  Bench adopting(aHost(State::provisioned).online().poweredOn().image("u").deployed("u"));
  adopting.script.on = true;
  adopting.script.answer("adopt", locked);
  adopting.pass();
  CHECK(adopting.it.status.errorMessage == "the node is locked");
}

}  // namespace
}  // namespace ingot::tests
