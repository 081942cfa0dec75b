// What Metal3 and others did from one recording to the next, with real managed fields, as lists and watches of all
// kinds tell it through the fence. Nothing was decided here, so that all of Metal3's work is unforeseen, and only that.
// The programs are called as in the images of Metal3 and Cluster API: the recording renamed them.
#include "base/file.hpp"
#include "tests/coordinator/shadow/fenced_api.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;

// Of one file, by "Kind/name".
using Recording = std::map<std::string, json::Value>;

void rename(json::Value& object) {
  static const std::map<std::string, std::string> names{
      {"capi-core", "manager"}, {"bmo", "baremetal-operator"}, {"ipam", "ip-address-manager"}};
  if (json::arrayAt(object, {"metadata", "managedFields"}) == nullptr) return;
  for (json::Value& entry : object.at("metadata").at("managedFields").as_array())
    if (const auto found = names.find(json::textAt(entry, {"manager"})); found != names.end())
      entry.as_object()["manager"] = found->second;
}

Recording recordingOf(const std::string& file) {
  Recording all;
  std::istringstream lines(base::readFile(INGOT_SOURCE_DIR "/tests/data/takeover/" + file));
  for (std::string line; std::getline(lines, line);) {
    json::Value object = json::parse(line);
    rename(object);
    all.emplace(json::textAt(object, {"kind"}) + "/" + json::textAt(object, {"metadata", "name"}), std::move(object));
  }
  return all;
}

// "/apis/metal3.io/v1alpha1/baremetalhosts"
std::string pathOf(const json::Value& object) {
  std::string plural = json::textAt(object, {"kind"});
  std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!plural.ends_with("data") || plural == "metal3data") plural += plural.ends_with("s") ? "es" : "s";
  const std::string version = json::textAt(object, {"apiVersion"});
  return (version == "v1" ? "/api/" : "/apis/") + version + "/" + plural;
}

// The object as it was when it was made: later writes are others'.
json::Value madeOf(json::Value object) {
  const std::string madeAt = json::textAt(object, {"metadata", "creationTimestamp"});
  if (json::arrayAt(object, {"metadata", "managedFields"}) == nullptr) return object;
  json::Array kept;
  for (const json::Value& entry : object.at("metadata").at("managedFields").as_array())
    if (json::textAt(entry, {"time"}) <= madeAt) kept.push_back(entry);
  object.at("metadata").as_object()["managedFields"] = std::move(kept);
  return object;
}

struct Pair : shadowed::FencedApi {
  Pair(const std::string& before, const std::string& after) : Pair(recordingOf(before)) {
    for (const auto& [title, object] : recordingOf(after)) {
      const auto was = known.find(title);
      if (was == known.end()) watched("ADDED", madeOf(object));
      if (was != known.end() && was->second != object) watched("MODIFIED", object);
    }
  }
  explicit Pair(Recording recording) : known(std::move(recording)) {
    std::map<std::string, json::Array> lists;
    for (const auto& [title, object] : known) lists[pathOf(object)].push_back(object);
    for (auto& [path, items] : lists)
      list(path, json::serialize(json::Object{{"metadata", json::Object{{"resourceVersion", "900000"}}},
                                              {"items", std::move(items)}}));
    clock.advance(10s);
  }

  void watched(const std::string& type, const json::Value& object) {
    watch(pathOf(object) + "?watch=true", type, object);
    clock.advance(10s);
  }
  std::set<std::string> told() const {
    std::set<std::string> all;
    for (const auto& difference : book.differences())
      for (const auto& field : difference.fields)
        all.insert(fmt::format("{} {} {} {} by {}", nameOf(difference.outcome), difference.kind,
                               difference.object.key.name, field.path, difference.manager));
    return all;
  }

  Recording known;
};

// Users annotated and switched hosts, and made five of them with three Secrets.
TEST_CASE("of one recording to the next the operator's work is unforeseen, and nobody else's", "[shadow]") {
  const Pair site("1-provisioned.jsonl", "2-other-states.jsonl");
  CHECK(site.told() ==
        std::set<std::string>{
            "not_foreseen BareMetalHost host-1 status.conditions[Progressing].reason by baremetal-operator",
            "not_foreseen BareMetalHost host-1 status.conditions[Ready].reason by baremetal-operator",
            "not_foreseen BareMetalHost host-1 status.conditions[Ready].status by baremetal-operator",
            "not_foreseen BareMetalHost host-1 status.operationalStatus by baremetal-operator",
            "not_foreseen BareMetalHost host-2 status.poweredOn by baremetal-operator",
            "not_foreseen HardwareData spare  by baremetal-operator"});
  CHECK(site.book.others().contains("kubectl-annotate"));
  CHECK(site.book.others().contains("kubectl-client-side-apply"));
}

TEST_CASE("what Cluster API writes in recorded objects is nobody's here, whatever its program is called", "[shadow]") {
  Pair site(recordingOf("1-provisioned.jsonl"));
  int version = 1000;
  for (auto [title, object] : site.known) {
    const std::string kind = json::textAt(object, {"kind"});
    auto& metadata = object.at("metadata").as_object();
    if (kind == "Machine") object.at("status").as_object()["phase"] = "Failed";
    if (kind == "Metal3MachineTemplate" || kind == "Metal3Cluster")
      for (json::Value& owner : metadata["ownerReferences"].as_array()) owner.as_object()["name"] = "renamed";
    if (kind != "Machine" && kind != "Metal3MachineTemplate" && kind != "Metal3Cluster") continue;
    metadata["resourceVersion"] = std::to_string(++version);
    site.watched("MODIFIED", object);
  }
  CHECK(version > 1000 + 7);
  CHECK(site.told().empty());
  CHECK(site.book.others().contains("manager"));
}

}  // namespace
}  // namespace ingot::tests
