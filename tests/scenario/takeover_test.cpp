// A cluster that Metal3's managers have made is taken over: six machines on their hosts, one of them paused, one
// detached, one held off; hosts that are free, switched off, provisioned by somebody else, without their Secret,
// unmanaged; a remediation that runs. Nothing of it is made anew, moved or switched.
#include "api/capi/cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/kinds/kinds.hpp"
#include "base/file.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <sstream>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using api::capi::Cluster;
using api::capm3::v1beta2::Metal3Data;
using api::capm3::v1beta2::Metal3Machine;
using Objects = std::map<std::string, json::Value>;  // by "Kind/name"

const std::string kNothing = "metal3labelsync";  // has nothing to do here
// What nobody here works on, or what the double of Ironic knows nothing of.
const std::set<std::string> notHere{"MachineDeployment", "MachineSet", "HostFirmwareSettings", "FirmwareSchema"};

// In this namespace instead of the recorded one.
std::string here(std::string text) {
  static const std::string there = "stack1795321381";
  for (auto at = text.find(there); at != std::string::npos; at = text.find(there, at))
    text.replace(at, there.size(), "default");
  return text;
}

kube::Resource resourceOf(const json::Value& object) {
  const auto* row = api::rowOf(object);
  return kube::Resource::of(row != nullptr ? *row->stored : kube::Secret::info);
}

std::string titleOf(const json::Value& object) {
  return json::textAt(object, {"kind"}) + "/" + json::textAt(object, {"metadata", "name"});
}

bool isOfClusterApi(const json::Value& object) {
  return json::textAt(object, {"apiVersion"}).starts_with("cluster.x-k8s.io/");
}

std::string bootMac(const json::Value& host) { return json::textAt(host, {"spec", "bootMACAddress"}); }

bool isHost(const json::Value& object) { return json::textAt(object, {"kind"}) == "BareMetalHost"; }

class Takeover {
 public:
  // With the status that Metal3's managers left in place, or as `clusterctl move` brings the objects: it keeps no
  // status but what Cluster API finds out anew, the Cluster is paused, and a host of a machine carries its own in an
  // annotation.
  enum class From { place, move };

  explicit Takeover(From from = From::place) : site({"--controllers", kNothing}), from_(from) {
    std::istringstream lines(base::readFile(INGOT_SOURCE_DIR "/tests/data/takeover/2-other-states.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      json::Value object = json::parse(here(std::move(line)));
      if (!notHere.contains(json::textAt(object, {"kind"}))) arrive(std::move(object));
    }
    site.ironic.clearJournal();
  }

  // Everything works from now on, and for so long.
  void takeOver(base::Duration time) {
    site.restart({});
    site.loop.clock.advance(time);
  }

  json::Value now(const json::Value& object) {
    return site.run(site.client().api().get(resourceOf(object), keyOf(object))).value_or(nullptr);
  }

  std::set<std::string> names(const kube::Resource& resource) {
    std::set<std::string> found;
    for (const auto& item : site.run(site.client().api().list(resource)).items)
      found.insert(json::textAt(item, {"metadata", "name"}));
    return found;
  }

  Site site;
  Objects objects;  // as they were there, with the uids of here

 private:
  static kube::ObjectKey keyOf(const json::Value& object) {
    return {"default", json::textAt(object, {"metadata", "name"})};
  }

  void arrive(json::Value object) {
    auto& metadata = object.at("metadata").as_object();
    const std::string uid = json::textAt(object, {"metadata", "uid"});
    for (const char* servers : {"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"})
      metadata.erase(servers);
    if (auto* owners = metadata.if_contains("ownerReferences"); owners && !followOwners(owners->as_array()))
      metadata.erase("ownerReferences");
    if (isHost(object)) {
      giveCards(object.at("status"), bootMac(object));
      giveNode(object);
    } else if (const auto host = objects.find("BareMetalHost/" + json::textAt(object, {"metadata", "name"}));
               host != objects.end() && json::textAt(object, {"kind"}) == "HardwareData") {
      giveCards(object.at("spec"), bootMac(host->second));
    }
    json::Value there = from_ == From::move ? moved(object) : object;
    const kube::Resource resource = resourceOf(object);
    const auto created = site.run(site.client().api().create(resource, "default", there));
    const std::string given = json::textAt(created, {"metadata", "uid"});
    here_[uid] = given;
    if (const auto* status = there.as_object().if_contains("status"))
      site.run(site.client().api().patch(resource, keyOf(object), kube::PatchType::merge,
                                         json::Object{{"status", *status}}, "status"));
    metadata["uid"] = given;
    if (isOfClusterApi(object)) object.as_object()["spec"] = created.at("spec");  // with what its defaults add
    objects.emplace(titleOf(object), std::move(object));
  }

  // Whether one of them is here.
  bool followOwners(json::Array& owners) {
    json::Array known;
    for (auto& owner : owners)
      if (const auto found = here_.find(json::textAt(owner, {"uid"})); found != here_.end()) {
        owner.as_object()["uid"] = found->second;
        known.push_back(owner);
      }
    owners = std::move(known);
    return !owners.empty();
  }

  // The recorded hosts share the network cards of one. `holder`: status of a host, or spec of its HardwareData.
  static void giveCards(json::Value& holder, std::string mac) {
    if (json::find(holder, {"hardware", "nics"}) == nullptr) return;
    for (json::Value& card : holder.at("hardware").at("nics").as_array()) {
      card.as_object()["mac"] = mac;
      mac.front() = '1';
    }
  }

  // The host's node as Ironic has it, with the power that the status tells.
  void giveNode(json::Value& host) {
    auto& provisioning = host.at("status").at("provisioning").as_object();
    const bool isDetached = json::textAt(host, {"status", "operationalStatus"}) == "detached";
    if (provisioning.at("ID").as_string().empty() || isDetached) return;
    const bool isAvailable = provisioning.at("state").as_string() == "available";
    const std::string node =
        site.ironic.add({{"name", "default~" + json::textAt(host, {"metadata", "name"})}, {"driver", "redfish"}});
    site.ironic.put(node, isAvailable ? ironic::State::available : ironic::State::active);
    const bool on = json::boolAt(host, {"status", "poweredOn"}).value_or(false);
    site.ironic.setMachine(node, on);
    site.ironic.record(node)["power_state"] = on ? "power on" : "power off";
    provisioning["ID"] = node;
    site.ironic.addPort(node, bootMac(host));
    if (const json::Value* cards = json::find(host, {"status", "hardware", "nics"}))
      site.ironic.addPort(node, json::textAt(cards->as_array().back(), {"mac"}));
  }

  static json::Value moved(json::Value object) {
    const json::Value status = json::find(object, {"status"}) ? object.at("status") : json::Value();
    if (!isOfClusterApi(object)) object.as_object().erase("status");
    if (json::textAt(object, {"kind"}) == "Cluster") object.at("spec").as_object()["paused"] = true;
    if (!isHost(object)) return object;
    auto& annotations = json::makeObjectAt(object, {"metadata", "annotations"});
    annotations.erase("clusterctl.cluster.x-k8s.io/block-move");
    annotations["baremetalhost.metal3.io/status"] = json::serialize(status);
    if (json::find(object, {"spec", "consumerRef"}) && !annotations.contains("baremetalhost.metal3.io/paused"))
      annotations["baremetalhost.metal3.io/paused"] = "metal3.io/capm3";
    return object;
  }

  From from_;
  std::map<std::string, std::string> here_;  // uid there → uid here
};

// An empty object says as much as none.
json::Value withoutEmpty(const json::Value& value) {
  if (!value.is_object()) return value;
  json::Object out;
  for (const auto& [name, member] : value.get_object()) {
    json::Value kept = withoutEmpty(member);
    if (!kept.is_object() || !kept.get_object().empty()) out[name] = std::move(kept);
  }
  return out;
}

void sameAt(const json::Value& before, const json::Value& after, std::initializer_list<std::string_view> path) {
  const json::Value* was = json::find(before, path);
  const json::Value* is = json::find(after, path);
  INFO(titleOf(before) << " was " << (was ? json::serialize(*was) : "absent") << " and is "
                       << (is ? json::serialize(*is) : "absent"));
  CHECK((was == nullptr ? is == nullptr : is != nullptr && json::equal(withoutEmpty(*was), withoutEmpty(*is))));
}

void checkHost(const json::Value& before, const json::Value& after) {
  for (const char* field : {"poweredOn", "hardware", "operationalStatus", "errorType"})
    sameAt(before, after, {"status", field});
  for (const char* field : {"state", "ID", "image"}) sameAt(before, after, {"status", "provisioning", field});
}

void checkSame(Takeover& over, const json::Value& before) {
  const json::Value after = over.now(before);
  INFO(titleOf(before));
  REQUIRE(after.is_object());
  const std::string kind = json::textAt(before, {"kind"});
  sameAt(before, after, {"metadata", "uid"});
  sameAt(before, after, {"metadata", "ownerReferences"});
  sameAt(before, after, {"data"});
  if (kind != "Cluster") sameAt(before, after, {"spec"});  // its pause comes and goes
  if (kind == "BareMetalHost") checkHost(before, after);
  if (kind == "Metal3Machine")
    for (const char* field : {"initialization", "addresses", "metaData", "networkData", "renderedData", "userData"})
      sameAt(before, after, {"status", field});
  if (kind == "Metal3Data") sameAt(before, after, {"status", "ready"});
  if (kind == "Metal3DataClaim") sameAt(before, after, {"status", "renderedData"});
  if (kind == "IPClaim") sameAt(before, after, {"status", "address"});
}

// Of its nodes, of which the double knows the names and the states only, Ironic was told where their BMCs are and what
// it boots and cleans them with, and nothing else. Of nodes as Metal3's managers leave them it is told nothing:
// tests/integration/provisioning/changeover_test.py.
void checkToldAnew(Takeover& over) {
  static const std::set<std::string> may{
      "/driver_info",     "/driver_info/deploy_kernel", "/driver_info/deploy_ramdisk",
      "/automated_clean", "/properties/cpu_arch",       "/properties/capabilities"};
  for (const auto& request : over.site.ironic.journal()) {
    INFO(request.method << " " << request.path << " " << json::serialize(request.body));
    REQUIRE(request.method == "PATCH");
    CHECK(request.path.starts_with("/v1/nodes/"));
    for (const json::Value& each : request.body.as_array()) CHECK(may.contains(json::textAt(each, {"path"})));
  }
}

// No object was made anew, changed or added; but for those that rest.
void checkUntouched(Takeover& over, const std::set<std::string>& resting = {}) {
  for (const auto& [title, before] : over.objects)
    if (!resting.contains(title)) checkSame(over, before);
  for (const auto& [title, before] : over.objects)
    for (const auto& name : over.names(resourceOf(before)))
      CHECK(over.objects.contains(json::textAt(before, {"kind"}) + "/" + name));
}

TEST_CASE("what Metal3's managers have made stays as it is", "[scenario][takeover]") {
  Takeover over;
  over.takeOver(30min);
  checkToldAnew(over);
  checkUntouched(over);
}

// For who wants to go back: Metal3's managers find what they know.
TEST_CASE(
    "what Ingot leaves on Metal3's objects is Metal3's own, but for the block of a move and who told a host what to "
    "run",
    "[scenario][takeover]") {
  Takeover over;
  over.takeOver(30min);
  for (const auto& [title, before] : over.objects) {
    json::Value after = over.now(before);
    if (isHost(before)) {
      auto& annotations = json::makeObjectAt(after, {"metadata", "annotations"});
      const bool isFree = json::find(before, {"spec", "consumerRef"}) == nullptr;
      CHECK((!isFree || annotations.erase("clusterctl.cluster.x-k8s.io/block-move") == 1));
      CHECK((isFree || annotations.erase("ingot.dev/told-by") == 1));  // docs/decisions/0050
      annotations.erase("capm3.metal3.io/unhealthy");                  // as Metal3's remediation ends, too
      if (annotations.empty()) after.at("metadata").as_object().erase("annotations");
    }
    for (const char* field : {"finalizers", "labels", "annotations"}) sameAt(before, after, {"metadata", field});
  }
}

TEST_CASE("what Metal3's managers have made and somebody has moved here is known again", "[scenario][takeover]") {
  Takeover over(Takeover::From::move);
  over.takeOver(10min);
  CHECK(over.site.host("host-3").value().status.provisioning.state.empty());  // its Cluster is paused
  CHECK(over.site.ironic.verbs().empty());
  static_cast<void>(over.site.run(
      over.site.client().patch<Cluster>({"default", "c1"}, json::Object{{"spec", json::Object{{"paused", nullptr}}}})));
  over.site.loop.clock.advance(30min);
  for (auto& [title, object] : over.objects)
    if (title.starts_with("Metal3Machine/")) object.at("status").as_object().erase("initialization");  // needs its Node
  checkToldAnew(over);
  // A user's pause stays, and keeps the host's status in the annotation; the machine is that host's.
  checkUntouched(over, {"BareMetalHost/host-0", "Metal3Machine/md-z7vfk-njpk8"});
}

TEST_CASE("what comes after the takeover gets what is free", "[scenario][takeover]") {
  Takeover over;
  over.takeOver(1min);
  auto claim = claimOf("next");
  claim.spec.pool.name = "prov";
  claim.metadata.namespace_ = "default";
  claim.metadata.uid.clear();
  over.site.run(over.site.client().create(claim));
  over.site.loop.clock.advance(5s);
  const auto address = over.site.run(over.site.client().get<IPClaim>({"default", "next"})).value().status.address;
  REQUIRE(address);
  CHECK(over.site.run(over.site.client().get<OwnAddress>({"default", address->name})).value().spec.address ==
        "10.0.0.16");
}

TEST_CASE("a machine of Metal3's managers goes as one of ours does", "[scenario][takeover]") {
  Takeover over;
  over.takeOver(1min);
  const std::string name = "md-z7vfk-hpcvh";
  over.site.run(over.site.client().remove<Metal3Machine>({"default", name}));
  CHECK(over.site.reaches("host-5", "available"));
  over.site.loop.clock.advance(1min);
  CHECK_FALSE(over.site.host("host-5").value().spec.consumerRef);
  CHECK_FALSE(over.site.run(over.site.client().get<Metal3Machine>({"default", name})));
  CHECK_FALSE(over.site.run(over.site.client().get<Metal3Data>({"default", "dt-4"})));
  CHECK_FALSE(over.site.run(over.site.client().get<OwnAddress>({"default", "prov-10-0-0-14"})));
  CHECK_FALSE(over.site.run(over.site.client().get<kube::Secret>({"default", name + "-metadata"})));
  CHECK(over.site.host("host-4").value().spec.consumerRef);
}

}  // namespace
}  // namespace ingot::tests
