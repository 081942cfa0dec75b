// Golden texts: what people and their scripts see.
#include "cli/show/description.hpp"
#include "cli/show/documents.hpp"
#include "cli/show/machine_rows.hpp"
#include "cli/show/rows.hpp"
#include "tests/cli/hosts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using namespace std::chrono_literals;
using cli::tests::host;
using cli::tests::noon;

namespace {

api::BareMetalHost aged(api::BareMetalHost h) {
  h.metadata.creationTimestamp = noon - 137s;
  return h;
}

}  // namespace

TEST_CASE("a table of hosts", "[cli][show]") {
  TextTable table(hostHeads({}));
  auto first = aged(host("provisioned"));
  first.status.operationalStatus = "OK";
  first.spec.consumerRef = api::ObjectReference{.name = "machine-1"};
  table.add(hostRow(first, {}, noon));
  table.add(hostRow(aged(host("provisioned").online(false)), {}, noon));
  table.add(hostRow(aged(host("registering").failed("registration error", "no")), {}, noon));
  table.add(hostRow(aged(host("available").condition("PowerStateKnown", "Unknown", noon - 90s)), {}, noon));
  table.add(hostRow(aged(host("available").annotation("capi.metal3.io/unhealthy")), {}, noon));
  CHECK(table.text() ==
        "NAME     STATE         STATUS   POWER          CONSUMER    ERROR                AGE\n"
        "node01   provisioned   OK       on             machine-1   -                    2m17s\n"
        "node01   provisioned   -        on->off        -           -                    2m17s\n"
        "node01   registering   error    -              -           registration error   2m17s\n"
        "node01   available     -        unknown(90s)   -           -                    2m17s\n"
        "node01   available     -        on             -           marked unhealthy     2m17s\n");
}

TEST_CASE("a table of agents", "[cli][show]") {
  api::ProvisioningAgent agent;
  agent.metadata.name = "rack7";
  agent.metadata.creationTimestamp = noon - 33s;
  agent.spec = {.networks = {"10.0.0.0/8"}, .hostLabels = {{"rack", "7"}}, .allHosts = true};
  agent.status = {.fingerprint = "ab:cd", .connected = true, .version = "0.1.0", .hosts = 4};
  TextTable table(agentHeads({.wide = true}));
  table.add(agentRow(agent, {.wide = true}, noon));
  CHECK(
      table.text() ==
      "NAME    APPROVED   CONNECTED   HOSTS   VERSION   FINGERPRINT   AGE   SERVES                        DRAIN   LAG\n"
      "rack7   false      true        4       0.1.0     ab:cd         33s   10.0.0.0/8,rack=7,all hosts   false   "
      "0ms\n");
}

TEST_CASE("a table of machines says what each waits for", "[cli][show]") {
  using api::capm3::v1beta2::Metal3Machine;
  Metal3Machine ready;
  ready.metadata = {.name = "m1", .namespace_ = "metal3"};
  ready.metadata.creationTimestamp = noon - 33s;
  ready.metadata.labels["cluster.x-k8s.io/cluster-name"] = "c1";
  ready.metadata.annotations["metal3.io/BareMetalHost"] = "metal3/node01";
  ready.spec.providerID = "metal3://metal3/node01/m1";
  ready.status.addresses = {{"Hostname", "m1"}, {"InternalIP", "10.0.0.7"}};
  ready.status.initialization.provisioned = true;
  ready.status.conditions = {{.type = "AssociateBareMetalHost", .status = "True"},
                             {.type = "Paused", .status = "False"}};
  Metal3Machine waiting;
  waiting.metadata = {.name = "m2", .namespace_ = "metal3"};
  waiting.metadata.creationTimestamp = noon - 33s;
  waiting.status.conditions = {
      {.type = "Metal3DataReady", .status = "False", .reason = "Later"},
      {.type = "AssociateBareMetalHost", .status = "False", .reason = "NoHost", .message = "no available host found"}};
  Metal3Machine paused = waiting;
  paused.metadata.name = "m3";
  paused.status.conditions.push_back({.type = "Paused", .status = "True", .reason = "Paused", .message = "by hand"});
  const RowStyle style{.wide = true, .withNamespace = true};
  TextTable table(machineHeads(style));
  for (const auto& machine : {ready, waiting, paused}) table.add(machineRow(machine, style, noon));
  CHECK(
      table.text() ==
      "NAMESPACE   NAME   CLUSTER   HOST     ADDRESS    READY   WAITS FOR   AGE   PROVIDERID                  MESSAGE\n"
      "metal3      m1     c1        node01   10.0.0.7   true    -           33s   metal3://metal3/node01/m1   -\n"
      "metal3      m2     -         -        -          false   NoHost      33s   -                           no "
      "available host found\n"
      "metal3      m3     -         -        -          false   Paused      33s   -                           by "
      "hand\n");
}

TEST_CASE("tables of clusters and of addresses", "[cli][show]") {
  api::capm3::v1beta2::Metal3Cluster cluster;
  cluster.metadata.name = "c1";
  cluster.metadata.creationTimestamp = noon - 33s;
  cluster.spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  cluster.status.conditions = {{.type = "Ready", .status = "False", .reason = "NotReady", .message = "no owner"}};
  TextTable clusters(clusterHeads({.wide = true}));
  clusters.add(clusterRow(cluster, {.wide = true}, noon));
  CHECK(clusters.text() ==
        "NAME   CLUSTER   ENDPOINT          READY   WAITS FOR   AGE   MESSAGE\n"
        "c1     -         192.0.2.10:6443   false   NotReady    33s   no owner\n");
  api::ipam::IPAddress address;
  address.metadata.name = "prov-10-0-0-7";
  address.metadata.creationTimestamp = noon - 33s;
  address.spec.address = "10.0.0.7";
  address.spec.prefix = 24;
  address.spec.pool.name = "prov";
  address.spec.claim.name = "m1-prov";
  TextTable addresses(addressHeads({.wide = true}));
  addresses.add(addressRow(address, {.wide = true}, noon));
  CHECK(addresses.text() ==
        "NAME            ADDRESS    POOL   CLAIM     AGE   PREFIX   GATEWAY\n"
        "prov-10-0-0-7   10.0.0.7   prov   m1-prov   33s   24       -\n");
}

TEST_CASE("a table that grows keeps its columns", "[cli][show]") {
  GrowingTable table({"NAME", "STATE"});
  CHECK(table.line({"a", "x"}) == "NAME   STATE\na      x\n");
  CHECK(table.line({"a-long-name", "x"}) == "a-long-name   x\n");
  CHECK(table.line({"b", ""}) == "b             -\n");
}

TEST_CASE("documents leave out managedFields; several become a List", "[cli][show]") {
  const auto object = json::parse(
      R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":"a","managedFields":[{}]}})");
  CHECK(json::textAt(asDocument({object}, true), {"kind"}) == "BareMetalHost");
  CHECK(json::serialize(asDocument({object}, true)).find("managedFields") == std::string::npos);
  CHECK(json::textAt(asDocument({object, object}, false), {"kind"}) == "List");
  CHECK(json::textAt(asDocument({}, false), {"kind"}) == "List");
  CHECK(nameLine(object) == "baremetalhost.metal3.io/a");
  CHECK(nameLine(json::parse(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}})")) == "secret/s");
}

TEST_CASE("power for scripts", "[cli][show]") {
  CHECK(json::serializeSorted(powerDocument(host("provisioned").online(false))) ==
        R"({"name":"node01","power":"on","wanted":"off"})");
  CHECK(json::serializeSorted(powerDocument(host("provisioned").condition("PowerStateKnown", "Unknown", noon))) ==
        R"({"name":"node01","power":"unknown","unknownSince":"2026-01-01T12:00:00Z","wanted":"on"})");
  CHECK(json::serializeSorted(powerDocument(host("registering"))) == R"({"name":"node01","power":null,"wanted":"on"})");
}

TEST_CASE("what the BMC of a host cannot do by its protocol is described, where there is any", "[cli][show]") {
  auto h = aged(host("available"));
  h.spec.bmc.address = GENERATE("ipmi://192.0.2.1", "192.0.2.1");
  CHECK_THAT(describeHost({.host = h}, noon),
             Catch::Contains("\nBMC has no: ") &&
                 Catch::Contains(" virtual media, pushed events, erasure of drives, cleaning steps\n"));
  h.spec.bmc.address = GENERATE("redfish://192.0.2.1", "nonsense://192.0.2.1", "");
  CHECK_THAT(describeHost({.host = h}, noon), !Catch::Contains("BMC has no"));
}

TEST_CASE("a host described in full", "[cli][show]") {
  auto h = aged(host("provisioning")
                    .image()
                    .failed("provisioning error", "checksum mismatch")
                    .condition("Ready", "False", noon - 60s));
  h.spec.bootMACAddress = "52:54:00:00:00:01";
  h.status.operationHistory.provision.start = noon - 60s;
  HostPicture picture{.host = h};
  picture.hardware = api::HardwareDetails{
      .systemVendor = {"ACME", "Box", "S1"}, .ramMebibytes = 1024, .cpu = {.arch = "x86_64", .count = 4}};
  picture.hardware->storage.push_back({.name = "/dev/sda", .type = "SSD", .sizeBytes = 20'000'000'000});
  kube::Event event;
  event.type = "Warning";
  event.reason = "ProvisioningError";
  event.message = "checksum mismatch";
  event.lastTimestamp = noon - 30s;
  event.count = 2;
  picture.events = {event};
  CHECK(describeHost(picture, noon) == R"(Name:          node01
Namespace:     metal3
Age:           2m17s
State:         provisioning (error)
Error:         provisioning error: checksum mismatch
Power:         on, as it should be on
BMC:           redfish://192.0.2.1 (Secret bmc, certificate verified)
Boot:          UEFI, MAC 52:54:00:00:00:01
Wanted image:  http://images.example/a

Waiting for:
  provisioning error: checksum mismatch
  the image is being deployed, for 60s

Hardware:
  System   ACME Box, serial S1
  BIOS
  CPU      4 x x86_64
  Memory   1024 MiB
  Disk     /dev/sda 20 GB SSD

Conditions:
  TYPE    STATUS   REASON    SINCE   MESSAGE
  Ready   False    Because   60s     -

Events:
  AGE   TYPE      REASON              COUNT   MESSAGE
  30s   Warning   ProvisioningError   2       checksum mismatch
)");
}
