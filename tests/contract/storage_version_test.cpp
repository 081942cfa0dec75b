// The version in which objects of a CRD are stored may move; what was stored before stays readable.
#include "tests/contract/definitions.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

std::string crdOfTwo(const std::string& plural, const std::string& kind) {
  const std::string schema =
      R"("schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})";
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{0}.test.io"}},
"spec":{{"group":"test.io","scope":"Namespaced","names":{{"plural":"{0}","kind":"{1}"}},"versions":[
{{"name":"v1","served":true,"storage":true,{2}}},{{"name":"v2","served":true,"storage":false,{2}}}]}}}})",
      plural, kind, schema);
}

std::string storing(const std::string& version) {
  return fmt::format(R"([{{"op":"replace","path":"/spec/versions/0/storage","value":{}}},
                         {{"op":"replace","path":"/spec/versions/1/storage","value":{}}}])",
                     version == "v1", version == "v2");
}

std::string storedVersions(const Reply& crd) { return json::serialize(crd.json().at("status").at("storedVersions")); }

Reply installTwo(const std::string& space, const std::string& plural, const std::string& kind) {
  REQUIRE(peer().post(kCrdPath, crdOfTwo(plural, kind)).status == 201);
  peer().eventually([&] { return peer().get(objects(space, plural, "v2")).status == 200; });
  return peer().get(crdPath(plural));
}

Reply dropFirstVersion(const std::string& plural) {
  return peer().patch(crdPath(plural), R"([{"op":"remove","path":"/spec/versions/0"}])", kJsonPatch);
}

}  // namespace

TEST_CASE("a storage version counts as stored with the write that makes it one", "[T012]") {
  const std::string space = peer().space();
  CHECK(storedVersions(installTwo(space, "movers", "Mover")) == R"(["v1"])");
  const Reply moved = peer().patch(crdPath("movers"), storing("v2"), kJsonPatch);
  REQUIRE(moved.status == 200);
  CHECK(storedVersions(moved) == R"(["v1","v2"])");
  uninstall("movers");
}

TEST_CASE("what is written while the storage version moves is read in both versions", "[T012]") {
  const std::string space = peer().space();
  installTwo(space, "shifters", "Shifter");
  const std::string path = objects(space, "shifters");
  for (int i = 0; i < 8; ++i) {
    const std::string name = fmt::format("s{}", i), version = i % 2 ? "v1" : "v2";
    const std::string one = object("Shifter", name, R"(,"spec":{"n":1})");
    net::HttpRequest move{.method = "PATCH", .target = crdPath("shifters"), .headers = {{"Content-Type", kJsonPatch}}};
    move.body = storing(version);
    net::HttpRequest write{
        .method = "POST", .target = objects(space, "shifters"), .headers = {{"Content-Type", "application/json"}}};
    write.body = one;
    const auto [moved, made] = peer().together(std::move(move), std::move(write));
    REQUIRE(moved.status == 200);
    if (made.status != 201) {  // a real server answers 503 or 429 while it changes its storage
      CHECK((made.status == 503 || made.status == 429));
      peer().eventually([&] {
        const int status = peer().post(path, one).status;
        return status == 201 || status == 409;  // 409: it was stored before
      });
    }
  }
  for (const std::string version : {"v1", "v2"}) {
    Reply list;
    peer().eventually([&] { return (list = peer().get(objects(space, "shifters", version))).status == 200; });
    REQUIRE(json::arrayAt(list.json(), {"items"})->size() == 8);
    for (const auto& item : list.json().at("items").get_array()) {
      CHECK(json::textAt(item, {"apiVersion"}) == "test.io/" + version);
      CHECK(json::intAt(item, {"spec", "n"}) == 1);
    }
  }
  const Reply changed = peer().patch(objects(space, "shifters", "v2") + "/s0", R"({"spec":{"m":2}})");
  CHECK(changed.status == 200);
  CHECK(json::intAt(peer().get(objects(space, "shifters") + "/s0").json(), {"spec", "m"}) == 2);
  uninstall("shifters");
}

TEST_CASE("a version in which objects may be stored cannot be dropped", "[T012]") {
  const std::string space = peer().space();
  installTwo(space, "keepers", "Keeper");
  REQUIRE(peer().patch(crdPath("keepers"), storing("v2"), kJsonPatch).status == 200);
  const Reply refused = dropFirstVersion("keepers");
  CHECK(refused.status == 422);
  CHECK(refused.message() ==
        "CustomResourceDefinition.apiextensions.k8s.io \"keepers.test.io\" is invalid: status.storedVersions[0]: "
        "Invalid value: \"v1\": missing from spec.versions; v1 was previously a storage version, and must remain in "
        "spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from "
        "status.storedVersions");
  REQUIRE(peer().patch(crdPath("keepers") + "/status", R"({"status":{"storedVersions":["v2"]}})").status == 200);
  CHECK(dropFirstVersion("keepers").status == 200);
  peer().eventually([&] { return peer().get(objects(space, "keepers")).status == 404; });
  peer().eventually([&] { return peer().get(objects(space, "keepers", "v2")).status == 200; });  // 429 for a moment
  uninstall("keepers");
}
