// What others have written into objects moves no cursor, hides nothing and forges no line.
#include "cli/outcome.hpp"
#include "cli/show/description.hpp"
#include "cli/show/documents.hpp"
#include "cli/show/machine_description.hpp"
#include "cli/show/machine_rows.hpp"
#include "cli/show/rows.hpp"
#include "cli/show/tree.hpp"
#include "cli/show/why_text.hpp"
#include "kube/core/error.hpp"
#include "tests/cli/machines.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;
using cli::tests::host;
using cli::tests::machine;
using cli::tests::noon;

namespace {

// The same texts with a harmless word, and with all that a terminal may fall for.
constexpr const char* kTame = "word";
constexpr const char* kHostile = "a\x1b[2J\rb\n  next: run this\u009b8m\u202ec";

HostPicture hostWith(const std::string& text) {
  HostPicture picture{.host = host("available").failed(text, text)};
  auto& h = picture.host;
  h.metadata.name = h.spec.description = h.spec.bmc.credentialsName = h.spec.bootMACAddress = text;
  h.spec.bmc.address = "redfish://" + text;  // a word alone is an address of IPMI, of which one line more is told
  h.spec.image = api::Image{.url = text, .checksum = text};
  h.spec.consumerRef = api::ObjectReference{.kind = text, .namespace_ = text, .name = text};
  h.metadata.annotations["reboot.metal3.io/" + text] = "";
  h.status.provisioning.ID = h.status.provisioning.image.url = text;
  h.status.conditions.push_back({.type = text, .status = text, .reason = text, .message = text});
  picture.hardware.emplace();
  picture.hardware->systemVendor = {text, text, text};
  picture.hardware->firmware.bios = {.date = text, .vendor = text, .version = text};
  picture.hardware->storage.push_back({.name = text, .serialNumber = text});
  picture.hardware->nics.push_back({.name = text, .mac = text, .ip = text});
  kube::Event event;
  event.type = event.reason = event.message = text;
  picture.events = {event};
  return picture;
}

MachinePicture machineWith(const std::string& text) {
  auto m = machine(text).condition("AssociateBareMetalHost", "False", text, text);
  auto& picture = m.picture;
  picture.machine.spec.providerID = picture.machine.spec.image.url = picture.owner->status.phase = text;
  picture.machine.status.addresses = {{.type = text, .address = text}};
  picture.machine.metadata.labels["cluster.x-k8s.io/cluster-name"] = text;
  picture.machine.metadata.labels["cluster.x-k8s.io/deployment-name"] = text;
  picture.machine.metadata.annotations["metal3.io/BareMetalHost"] = "metal3/" + text;
  picture.host = hostWith(text).host;
  return picture;
}

ClusterPicture clusterWith(const std::string& text) {
  ClusterPicture picture;
  picture.cluster.metadata.name = picture.cluster.status.phase = text;
  picture.infrastructure.emplace().metadata.name = text;
  picture.infrastructure->status.conditions = {{.type = "Ready", .status = "False", .reason = text, .message = text}};
  picture.owners = {{text, text, text}};
  picture.machines = {machineWith(text)};
  return picture;
}

api::ProvisioningAgent agentWith(const std::string& text) {
  api::ProvisioningAgent agent;
  agent.metadata.name = agent.status.version = agent.status.fingerprint = text;
  agent.spec.networks = {text};
  return agent;
}

std::string tableOf(const Row& row) {
  GrowingTable growing(row, false);
  TextTable table(row);
  table.add(row);
  return table.text(0, false) + growing.line(row);
}

std::vector<std::string> everything(const std::string& text) {
  const RowStyle wide{.wide = true, .withNamespace = true};
  const auto m = machineWith(text);
  auto broken = m;
  broken.machine.status.conditions = {{.type = "AssociateBareMetalHost", .status = "True"}};
  return {describeHost(hostWith(text), noon),
          describeMachine(m, hostWith(text).events, noon),
          whyHost(hostWith(text).host, noon),
          whyMachine(m, noon),
          whyMachine(broken, noon),
          clusterTree(clusterWith(text), noon),
          tableOf(hostRow(hostWith(text).host, wide, noon)),
          tableOf(machineRow(m.machine, wide, noon)),
          tableOf(agentRow(agentWith(text), wide, noon)),
          tableOf(powerRow(hostWith(text).host, noon)),
          nameLine(json::Object{{"kind", text}, {"metadata", json::Object{{"name", text}}}}) + "\n"};
}

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

bool isPlain(const std::string& text) {
  return std::ranges::none_of(text, [](char c) { return c != '\n' && static_cast<unsigned char>(c) < ' '; }) &&
         text.find("\u009b") == std::string::npos && text.find("\u202e") == std::string::npos;
}

}  // namespace

TEST_CASE("whatever an object holds, people read the same lines, and nothing but characters", "[cli][show]") {
  const auto tame = everything(kTame), hostile = everything(kHostile);
  for (std::size_t i = 0; i < tame.size(); ++i) {
    INFO(hostile[i]);
    CHECK(lines(hostile[i]) == lines(tame[i]));
    CHECK(isPlain(hostile[i]));
    CHECK(hostile[i].find("run this") != std::string::npos);
  }
}

TEST_CASE("an error is one line, whatever the server says", "[cli][errors]") {
  const std::string said = explain(base::Error(kHostile), "https://api.example").what();
  CHECK(isPlain(said));
  CHECK(lines(said) == 0);
}

TEST_CASE("a cell cannot pass for the one beside it", "[cli][show]") {
  TextTable table({"VERSION", "FINGERPRINT"});
  table.add({"0.1   SHA256:forged", "SHA256:true"});
  CHECK(table.text() == "VERSION             FINGERPRINT\n0.1 SHA256:forged   SHA256:true\n");
}
