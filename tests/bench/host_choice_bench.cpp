// A choice among 10,000 hosts (goal: 1 ms): all of them free, all but one not ready, all but one in use; the reasons
// why the others were not taken; and what a host with inventory takes in memory (goal: 8 KiB).
#include "coordinator/machine/candidates.hpp"
#include "kube/client/client.hpp"
#include "tests/bench/cpu_clock.hpp"

#include <malloc.h>

namespace {

using namespace ingot;
using namespace ingot::coordinator::machine;
using tests::CpuClock;

constexpr int kHosts = 10'000;

// The inventory of a server with two CPUs. Its eight DIMMs are not part of it, its four NICs and six disks are.
json::Value inventory() {
  json::Array nics, disks;
  for (int i = 0; i < 4; ++i)
    nics.push_back(json::Object{{"name", fmt::format("eno{}", i)},
                                {"mac", fmt::format("52:54:00:00:00:0{}", i)},
                                {"ip", fmt::format("10.0.0.{}", i)},
                                {"model", "0x8086 0x1572"},
                                {"speedGbps", 25}});
  for (int i = 0; i < 6; ++i)
    disks.push_back(json::Object{{"name", fmt::format("/dev/disk/by-path/pci-0000:00:17.0-ata-{}", i)},
                                 {"type", "SSD"},
                                 {"sizeBytes", 1'920'383'410'176},
                                 {"vendor", "ATA"},
                                 {"model", "SAMSUNG MZ7L31T9"},
                                 {"serialNumber", fmt::format("S6ESNE0T{:06}", i)},
                                 {"wwn", fmt::format("0x5002538f0000000{}", i)},
                                 {"hctl", "0:0:0:0"}});
  return json::Object{
      {"cpu",
       json::Object{
           {"arch", "x86_64"}, {"model", "Intel(R) Xeon(R) Gold 6338"}, {"count", 64}, {"clockMegahertz", 3200}}},
      {"firmware",
       json::Object{{"bios", json::Object{{"date", "2024-01-01"}, {"vendor", "Dell Inc."}, {"version", "2.1"}}}}},
      {"hostname", "host"},
      {"ramMebibytes", 524288},
      {"nics", nics},
      {"storage", disks},
      {"systemVendor",
       json::Object{{"manufacturer", "Dell Inc."}, {"productName", "R750"}, {"serialNumber", "ABC1234"}}}};
}

json::Value hostDocument(int i) {
  return json::Object{
      {"metadata", json::Object{{"name", fmt::format("host-{}", i)},
                                {"namespace", "metal"},
                                {"uid", fmt::format("0b5c7c5e-1d1f-4a57-9d3e-{:012}", i)},
                                {"resourceVersion", "12345"},
                                {"labels", json::Object{{"rack", fmt::format("r{}", i % 40)}, {"role", "worker"}}},
                                {"finalizers", json::Array{"baremetalhost.metal3.io"}}}},
      {"spec", json::Object{{"online", true},
                            {"bootMACAddress", "52:54:00:00:00:01"},
                            {"bmc", json::Object{{"address", "redfish://10.0.0.1/redfish/v1/Systems/1"},
                                                 {"credentialsName", fmt::format("host-{}-bmc", i)}}}}},
      {"status", json::Object{{"errorCount", 0},
                              {"errorMessage", ""},
                              {"operationalStatus", "OK"},
                              {"poweredOn", false},
                              {"provisioningFailCount", 0},
                              {"provisioning",
                               json::Object{{"state", "available"}, {"ID", "a"}, {"image", json::Object{{"url", ""}}}}},
                              {"hardware", inventory()}}}};
}

// What the host controller adds: the credentials that work, and conditions.
json::Value servedDocument(int i) {
  json::Value document = hostDocument(i);
  json::Object& status = document.at("status").as_object();
  for (const char* which : {"goodCredentials", "triedCredentials"})
    status[which] =
        json::Object{{"credentials", json::Object{{"name", fmt::format("host-{}-bmc", i)}, {"namespace", "metal"}}},
                     {"credentialsVersion", "12345"}};
  json::Array conditions;
  for (const char* type : {"Ready", "Available", "Provisioned", "PowerStateKnown"})
    conditions.push_back(json::Object{{"type", type},
                                      {"status", "True"},
                                      {"reason", "Available"},
                                      {"message", ""},
                                      {"lastTransitionTime", "2026-01-01T00:00:00Z"}});
  status["conditions"] = conditions;
  return document;
}

// And what a machine that took the host adds: an image, its consumer, user data.
json::Value provisionedDocument(int i) {
  json::Value document = servedDocument(i);
  const json::Object image{{"url", "http://images.example.com/ubuntu-24.04-server-cloudimg.raw"},
                           {"checksum", "http://images.example.com/SHA256SUMS"},
                           {"checksumType", "sha256"},
                           {"format", "raw"}};
  json::Object& spec = document.at("spec").as_object();
  spec["image"] = image;
  spec["userData"] = json::Object{{"name", fmt::format("worker-{}-user-data", i)}, {"namespace", "metal"}};
  spec["consumerRef"] = json::Object{{"apiVersion", "infrastructure.cluster.x-k8s.io/v1beta1"},
                                     {"kind", "Metal3Machine"},
                                     {"name", fmt::format("worker-{}", i)},
                                     {"namespace", "metal"}};
  json::Object& provisioning = json::makeObjectAt(document, {"status", "provisioning"});
  provisioning["state"] = "provisioned";
  provisioning["image"] = image;
  provisioning["bootMode"] = "UEFI";
  provisioning["rootDeviceHints"] = json::Object{{"deviceName", "/dev/sda"}};
  return document;
}

using Hosts = std::vector<std::shared_ptr<BareMetalHost>>;

// As kube::Cache makes and holds them: each document goes when its host is there.
Hosts decoded(const char* name, json::Value (&make)(int)) {
  Hosts hosts;
  hosts.reserve(kHosts);
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < kHosts; ++i)
    hosts.push_back(std::make_shared<BareMetalHost>(kube::decodeObject<BareMetalHost>(make(i))));
  fmt::print("{}: {} bytes\n", name, (mallinfo2().uordblks - before) / kHosts);
  return hosts;
}

void measure(const char* name, const Hosts& hosts) {
  std::vector<const BareMetalHost*> snapshot;
  snapshot.reserve(hosts.size());
  Candidates candidates;
  for (const auto& host : hosts) snapshot.push_back(&candidates.put(*host));
  api::capm3::v1beta2::HostSelector wanted;
  wanted.matchLabels["role"] = "worker";
  const HostSelector selector(wanted);
  Metal3Machine machine;
  machine.metadata = {.name = "m", .namespace_ = "metal"};
  constexpr int kRounds = 200;
  double choosing = 0, explaining = 0;
  std::size_t refused = 0;
  for (int i = 0; i < kRounds; ++i) {
    machine.metadata.uid = fmt::format("machine-{}", i);
    const HostWish wish{.machine = machine, .selector = selector, .nodeReuse = ""};
    const auto start = CpuClock::now();
    const HostChoice choice = candidates.choose(wish, [](const BareMetalHost&) { return true; });
    choosing += CpuClock::millisecondsSince(start);
    const auto chosen = CpuClock::now();
    refused = refusedHosts(snapshot, wish, choice).size();
    explaining += CpuClock::millisecondsSince(chosen);
  }
  fmt::print("{}: a choice among {} hosts {:.2f} ms; the reasons of the {} others {:.2f} ms\n", name, hosts.size(),
             choosing / kRounds, refused, explaining / kRounds);
}

}  // namespace

int main() {
  const Hosts hosts = decoded("a host with inventory", hostDocument);
  decoded("a host with inventory, credentials and conditions", servedDocument);
  decoded("the same, provisioned", provisionedDocument);
  measure("all free", hosts);
  for (std::size_t i = 1; i < hosts.size(); ++i) hosts[i]->status.provisioning.state = "inspecting";
  measure("one ready", hosts);
  for (std::size_t i = 1; i < hosts.size(); ++i)
    hosts[i]->spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine", .namespace_ = "metal", .name = "other"};
  measure("one free", hosts);
}
