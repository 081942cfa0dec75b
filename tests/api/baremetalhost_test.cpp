#include "api/bmh/baremetalhost.hpp"

#include "api/bmh/hardware_profile.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

api::BareMetalHost online() {
  api::BareMetalHost host;
  host.spec.online = true;
  return host;
}

api::BareMetalHost withImage(std::string wanted, std::string deployed) {
  auto host = online();
  if (!wanted.empty()) host.spec.image = api::Image{.url = std::move(wanted)};
  host.status.provisioning.image.url = std::move(deployed);
  return host;
}

}  // namespace

TEST_CASE("a host has BMC details when it has an address or credentials", "[bmh]") {
  api::BareMetalHost host;
  CHECK_FALSE(host.hasBmcDetails());
  host.spec.bmc.credentialsName = "s";
  CHECK(host.hasBmcDetails());
}

TEST_CASE("inspection is disabled by the field or by the annotation", "[bmh]") {
  api::BareMetalHost host;
  CHECK_FALSE(host.inspectionDisabled());
  host.metadata.annotations["inspect.metal3.io"] = "";
  CHECK_FALSE(host.inspectionDisabled());
  host.metadata.annotations["inspect.metal3.io"] = "disabled";
  CHECK(host.inspectionDisabled());
  host.metadata.annotations.clear();
  host.spec.inspectionMode = "disabled";
  CHECK(host.inspectionDisabled());
}

TEST_CASE("a host needs provisioning when a new image or custom deploy is wanted and it is to be on", "[bmh]") {
  CHECK(withImage("http://a", "").needsProvisioning());
  CHECK_FALSE(withImage("http://a", "http://b").needsProvisioning());  // deprovisioned first
  CHECK_FALSE(withImage("", "").needsProvisioning());

  auto off = withImage("http://a", "");
  off.spec.online = false;
  CHECK_FALSE(off.needsProvisioning());

  auto custom = online();
  custom.spec.customDeploy = api::CustomDeploy{"flash"};
  CHECK(custom.needsProvisioning());
  custom.status.provisioning.customDeploy = api::CustomDeploy{"flash"};
  CHECK_FALSE(custom.needsProvisioning());
}

TEST_CASE("a host was provisioned when something is deployed and it is ours", "[bmh]") {
  CHECK(withImage("", "http://b").wasProvisioned());
  CHECK_FALSE(online().wasProvisioned());
  auto external = withImage("", "http://b");
  external.spec.externallyProvisioned = true;
  CHECK_FALSE(external.wasProvisioned());
}

TEST_CASE("hardware is inspected once, unless something runs on the host or it is disabled", "[bmh]") {
  CHECK(online().needsHardwareInspection());
  CHECK_FALSE(withImage("", "http://b").needsHardwareInspection());
  auto known = online();
  known.status.hardware.emplace();
  CHECK_FALSE(known.needsHardwareInspection());
}

TEST_CASE("credentials match a Secret only in name, namespace and version", "[bmh]") {
  const api::CredentialsStatus good{.credentials = api::SecretReference{"s", "ns"}, .credentialsVersion = "7"};
  CHECK(good.matches("ns", "s", "7"));
  CHECK_FALSE(good.matches("ns", "s", "8"));
  CHECK_FALSE(good.matches("other", "s", "7"));
  CHECK_FALSE(api::CredentialsStatus{}.matches("", "", ""));
}

TEST_CASE("hardware profiles give default hints, and stick", "[bmh]") {
  api::BareMetalHost host;
  CHECK(api::hardwareProfileOf(host) == "unknown");
  host.spec.bmc.address = "libvirt://h:6230/";
  CHECK(api::hardwareProfileOf(host) == "libvirt");
  host.spec.hardwareProfile = "dell";
  CHECK(api::hardwareProfileOf(host) == "dell");
  host.status.hardwareProfile = "empty";
  CHECK(api::hardwareProfileOf(host) == "empty");
  CHECK(api::profileHints("unknown").deviceName == "/dev/sda");
  CHECK(api::profileHints("dell-raid").hctl == "0:2:0:0");
  CHECK(api::profileHints("empty") == api::RootDeviceHints{});
  CHECK_THROWS_WITH(api::profileHints("x"), "hardwareProfile: no hardware profile named \"x\"");
}

TEST_CASE("RAID lists tell null, empty and content apart", "[bmh]") {
  const auto echoed = [](const char* text) {
    return json::serializeSorted(json::encode(json::decode<api::RaidConfig>(json::parse(text))));
  };
  CHECK(echoed("{}") == R"({"hardwareRAIDVolumes":null,"softwareRAIDVolumes":null})");
  CHECK(echoed(R"({"hardwareRAIDVolumes":[]})") == R"({"hardwareRAIDVolumes":[],"softwareRAIDVolumes":null})");
  CHECK(echoed(R"({"softwareRAIDVolumes":[{"level":"1"}]})") ==
        R"({"hardwareRAIDVolumes":null,"softwareRAIDVolumes":[{"level":"1"}]})");
}

TEST_CASE("the first status patch of a host holds everything the schema requires", "[bmh]") {
  const auto raw = json::parse(R"({"metadata":{"name":"h"},"spec":{"online":true}})");
  const auto before = json::decode<api::BareMetalHost>(raw);
  auto after = before;
  after.status.provisioning.state = "registering";
  CHECK(
      json::serializeSorted(json::diffMergePatch(before, after, raw)) ==
      R"({"status":{"errorCount":0,"errorMessage":"","operationalStatus":"","poweredOn":false,"provisioning":{"ID":"","image":{"url":""},"state":"registering"},"provisioningFailCount":0}})");
}

TEST_CASE("fields of a newer API survive our changes to a host", "[bmh]") {
  const auto raw = json::parse(
      R"({"metadata":{"name":"h"},"spec":{"online":true,"later":1,"networkInterfaces":[{"name":"a","mtu":9000}]},
    "status":{"errorCount":0,"errorMessage":"","operationalStatus":"OK","poweredOn":true,"provisioningFailCount":0,"novel":{"x":1},
    "provisioning":{"ID":"i","state":"ready","image":{"url":""}},
    "conditions":[{"type":"Ready","status":"True","reason":"R","message":"","lastTransitionTime":"2026-01-31T10:00:00Z","novel":1}]}})");
  const auto before = json::decode<api::BareMetalHost>(raw);
  auto after = before;
  after.status.provisioning.state = "available";
  after.status.conditions[0].status = "False";
  after.status.conditions.insert(after.status.conditions.begin(),
                                 {.type = "Healthy", .status = "True", .reason = "Healthy"});
  auto result = raw;
  json::applyMergePatch(result, json::diffMergePatch(before, after, raw));
  CHECK(json::findPath(result, "spec.later")->get_int64() == 1);
  CHECK(json::findPath(result, "spec.networkInterfaces[0].mtu")->get_int64() == 9000);
  CHECK(json::findPath(result, "status.novel.x")->get_int64() == 1);
  CHECK(json::findPath(result, "status.conditions[1].novel")->get_int64() == 1);
  CHECK(json::findPath(result, "status.conditions[1].status")->get_string() == "False");
}

TEST_CASE("a manifest with a wrong type says where", "[bmh]") {
  CHECK_THROWS_WITH(json::decode<api::BareMetalHost>(json::parse(R"({"spec":{"bmc":{"address":5}}})")),
                    "spec.bmc.address: expected string, got number");
}
