#include "tests/coordinator/admission/served.hpp"

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string kAttachments = Served::collection("metal3.io/v1alpha1", "hostnetworkattachments");

void attachHost(Served& api, const std::string& name, const std::string& interface) {
  REQUIRE(api.create("{apiVersion: metal3.io/v1alpha1, kind: BareMetalHost, metadata: {name: " + name +
                     "}, spec: {online: false, networkInterfaces: [" + interface + "]}}")
              .status == 201);
}

void makeAttachment(Served& api) {
  REQUIRE(api.create("{apiVersion: metal3.io/v1alpha1, kind: HostNetworkAttachment, metadata: {name: net}, "
                     "spec: {mode: access, nativeVLAN: 5}}")
              .status == 201);
}

}  // namespace

TEST_CASE("a network that hosts are attached to is neither changed nor deleted", "[admission]") {
  Served api;
  makeAttachment(api);
  attachHost(api, "h1", "{name: eth0, hostNetworkAttachment: {name: net}}");
  attachHost(api, "h2", "{macAddress: '52:54:00:00:00:01', hostNetworkAttachment: {name: net, namespace: default}}");
  attachHost(api, "h3", "{name: eth0, hostNetworkAttachment: {name: net, namespace: elsewhere}}");
  const std::string users = "default/h1[eth0], default/h2[52:54:00:00:00:01]";

  const auto changed = api.patch(kAttachments + "/net", R"({"spec":{"nativeVLAN":6}})");
  CHECK(changed.status == 403);
  CHECK(changed.at({"message"}) ==
        "admission webhook \"hostnetworkattachment.metal3.io\" denied the request: HostNetworkAttachment spec is "
        "immutable while referenced by BMH interfaces: " +
            users);
  CHECK(api.patch(kAttachments + "/net", R"({"metadata":{"labels":{"a":"b"}}})").status == 200);

  const auto removed = api.send("DELETE", kAttachments + "/net");
  CHECK(removed.status == 403);
  CHECK(removed.at({"message"}) ==
        "admission webhook \"hostnetworkattachment.metal3.io\" denied the request: hostnetworkattachments.metal3.io "
        "\"net\" is forbidden: cannot delete attachment while referenced by BMH interfaces: " +
            users);
  CHECK(removed.headers.get("Warning") == "299 - \"This attachment is referenced by: " + users + "\"");
}

TEST_CASE("a network that clusterctl moves goes before its hosts", "[admission]") {
  Served api;
  makeAttachment(api);
  attachHost(api, "h1", "{name: eth0, hostNetworkAttachment: {name: net}}");
  REQUIRE(api.patch(kAttachments + "/net",
                    R"({"metadata":{"annotations":{"clusterctl.cluster.x-k8s.io/delete-for-move":""}}})")
              .status == 200);
  CHECK(api.send("DELETE", kAttachments + "/net").status == 200);
}

TEST_CASE("a network is free again when its last host has let go", "[admission]") {
  Served api;
  makeAttachment(api);
  attachHost(api, "h1", "{name: eth0, hostNetworkAttachment: {name: net}}");
  const std::string host = Served::collection("metal3.io/v1alpha1", "baremetalhosts") + "/h1";
  REQUIRE(api.patch(host, R"({"spec":{"networkInterfaces":[]}})").status == 200);
  CHECK(api.patch(kAttachments + "/net", R"({"spec":{"nativeVLAN":6}})").status == 200);
  CHECK(api.send("DELETE", kAttachments + "/net").status == 200);
}

TEST_CASE("the kinds around a host are refused as their webhooks refuse them", "[admission]") {
  struct Row {
    std::string kind, webhook, spec, says;
  };
  const Row rows[] = {
      {"DataImage", "dataimage", "{url: 'file:///x'}", "URL \"file:///x\" is invalid"},
      {"HostFirmwareComponents", "hostfirmwarecomponents", "{updates: [{component: bios, url: 'ssh://x/y'}]}",
       "invalid URL \"ssh://x/y\" in FirmwareUpdate in component \"bios\""},
      {"BMCEventSubscription", "bmceventsubscription", "{hostName: h, destination: 'http://d'}",
       "hostname-only destination must have a trailing slash"},
      {"HostNetworkAttachment", "hostnetworkattachment", "{mode: access, nativeVLAN: 5, allowedVLANs: ['7']}",
       "allowedVLANs cannot be specified for access mode"},
      {"HostClaim", "hostclaim",
       "{poweredOn: false, hostSelector: {matchExpressions: [{key: a, operator: near, values: [b]}]}}",
       "invalid operation"},
      {"BareMetalHost", "baremetalhost", "{online: false, disablePowerOff: true}", "have power off disabled"},
  };
  Served api;
  for (const auto& row : rows) {
    const auto refused = api.create(fmt::format(
        "{{apiVersion: metal3.io/v1alpha1, kind: {}, metadata: {{name: x}}, spec: {}}}", row.kind, row.spec));
    INFO(row.kind << ": " << refused.text);
    CHECK(refused.status == 403);
    CHECK(refused.at({"message"})
              .starts_with("admission webhook \"" + row.webhook + ".metal3.io\" denied the request: "));
    CHECK(refused.at({"message"}).find(row.says) != std::string::npos);
  }
}

TEST_CASE("what the schema has to say comes before admission", "[admission]") {
  Served api;
  const auto refused = api.create(
      "{apiVersion: metal3.io/v1alpha1, kind: BareMetalHost, metadata: {name: x}, spec: {online: false, "
      "disablePowerOff: true, bootMode: BIOS}}");
  CHECK(refused.status == 422);
  CHECK(refused.text.find("spec.bootMode") != std::string::npos);
  CHECK(refused.text.find("admission webhook") == std::string::npos);
}
