// What the vectors do not show; they hold the single rules (tests/vectors/bmh_validation.cpp).
#include "api/bmh/admission.hpp"
#include "api/bmh/names.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

api::BareMetalHost host() {
  api::BareMetalHost out;
  out.metadata.name = "node-0";
  out.metadata.namespace_ = "metal3";
  out.spec.online = true;
  out.spec.bmc = {.address = "redfish://10.0.0.1/redfish/v1/Systems/1", .credentialsName = "node-0-bmc"};
  out.spec.bootMACAddress = "00:11:22:33:44:55";
  return out;
}

}  // namespace

TEST_CASE("an ordinary host is admitted", "[admission]") {
  CHECK(admitCreate(host()).allowed());
  CHECK(admitUpdate(host(), host()).allowed());
  CHECK(admitCreate(host()).message().empty());
}

TEST_CASE("all violations are reported at once", "[admission]") {
  auto bad = host();
  bad.spec.bmc.address = "ilo4://10.0.0.1";
  bad.spec.image = api::Image{.url = "http://images/a.raw"};
  bad.spec.online = false;
  bad.spec.disablePowerOff = true;
  const auto verdict = admitCreate(bad);
  CHECK(verdict.errors.size() == 3);
  CHECK(verdict.message() ==
        "[Unknown BMC type 'ilo4' for address ilo4://10.0.0.1, checksum is required for normal images, "
        "node can't simultaneously have online set to false and have power off disabled]");
}

TEST_CASE("the same text is shown once", "[admission]") {
  auto bad = host();
  bad.spec.bmc.address = "redfish://bad_host/x";
  CHECK(admitCreate(bad).errors.size() == 2);
  CHECK(admitCreate(bad).message() ==
        "failed to parse BMC address information: BMC address hostname/IP : [bad_host] is invalid");
}

TEST_CASE("the BMC address may change while the host registers or is detached", "[admission]") {
  for (const auto& [state, operational, allowed] :
       {std::tuple{"registering", "OK", true}, {"available", "detached", true}, {"available", "OK", false}}) {
    auto before = host();
    before.status.provisioning.state = state;
    before.status.operationalStatus = operational;
    auto after = before;
    after.spec.bmc.address = "redfish://10.0.0.2/redfish/v1/Systems/1";
    INFO(state << " " << operational);
    CHECK(admitUpdate(before, after).allowed() == allowed);
  }
}

TEST_CASE("broken JSON in an annotation is said with its place", "[admission]") {
  auto bad = host();
  bad.metadata.annotations["reboot.metal3.io"] = "{\"mode\": hard}";
  CHECK(admitCreate(bad).message().starts_with("failed to unmarshal the data from the reboot.metal3.io annotation: "));
  CHECK(admitCreate(bad).message().ends_with("at line 1, column 10"));
}

TEST_CASE("annotations are read as Go reads them: names but for their case, unknown ones refused", "[admission]") {
  const auto verdictOn = [](std::string_view name, std::string text) {
    auto annotated = host();
    annotated.metadata.annotations[std::string(name)] = std::move(text);
    annotated.metadata.annotations["inspect.metal3.io"] = "disabled";
    return admitCreate(annotated);
  };
  using namespace api::annotation;
  CHECK(verdictOn(hardwareDetails, R"({"HostName":"a","CPU":{"Arch":"x86_64"}})").allowed());
  CHECK_FALSE(verdictOn(hardwareDetails, R"({"host_name":"a"})").allowed());
  CHECK(verdictOn(status, R"({"OperationalStatus":"OK"})").allowed());
  CHECK_FALSE(verdictOn(status, R"({"OperationalStatus":"nonsense"})").allowed());
  CHECK_FALSE(verdictOn(reboot, R"({"Mode":"gently"})").allowed());
}
