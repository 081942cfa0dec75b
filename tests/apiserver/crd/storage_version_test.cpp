// The version in which objects are stored may change while they are written, watched and collected.
#include "tests/apiserver/crd/boxes.hpp"
#include "tests/apiserver/crd/foos.hpp"

namespace ingot::apiserver::tests {

namespace {

const std::string kBoxPath = kCrdPath + "/boxes.test.io";

struct BusyBoxes : Busy {
  BusyBoxes()
      : Busy(EmbeddedOptions{.crds = {std::string(kBoxCrd)},
                             .converters = {{kBoxes, std::make_shared<BoxConverter>()}}}) {}

  static std::string storing(const std::string& version) {
    return fmt::format(R"([{{"op":"replace","path":"/spec/versions/0/storage","value":{}}},
                           {{"op":"replace","path":"/spec/versions/1/storage","value":{}}}])",
                       version == "v1", version == "v2");
  }
  void store(const std::string& version) {
    REQUIRE(patch(kBoxPath, storing(version), kJsonPatch).status == 200);
    settle();
  }
};

// Of a box, as it lies in the store.
std::string storedVersion(const Busy& api, const std::string& name) {
  const auto object = api.api->registry().store().find("boxes.test.io", {"default", name});
  return object ? json::textAt(documentOf(*object), {"apiVersion"}) : "";
}

std::string red(const std::string& name) { return box("v1", name, R"({"colour":"red"})"); }

}  // namespace

TEST_CASE("a write that was decided before the storage version moved is read as what it is", "[conversion]") {
  BusyBoxes api;
  int underOld = 0;
  for (int turns = 0; turns < 60; ++turns) {
    const std::string name = fmt::format("b{}", turns), before = turns % 2 ? "v1" : "v2", now = turns % 2 ? "v2" : "v1";
    api.begin("PATCH", kBoxPath, BusyBoxes::storing(now), kJsonPatch);
    api.step(turns);
    api.begin("POST", kOld, red(name));
    api.settle();
    INFO(turns);
    if (storedVersion(api, name) == "test.io/" + before) ++underOld;
    const std::string asOld = fmt::format("{}/{}", kOld, name), asNew = fmt::format("{}/{}", kNew, name);
    CHECK(api.get(asOld).at({"spec", "colour"}) == "red");
    CHECK(api.get(asNew).at({"spec", "paint", "colour"}) == "red");
    CHECK(api.patch(asNew, R"({"spec":{"size":7}})").at({"spec", "paint", "colour"}) == "red");
  }
  CHECK(api.count(201) == 60);
  CHECK(underOld > 0);
  CHECK(underOld < 60);
}

TEST_CASE("a watch from before the storage version moved shows what happened in its own version", "[conversion]") {
  BusyBoxes api;
  const std::string before = api.get(kOld).at({"metadata", "resourceVersion"});
  REQUIRE(api.send("POST", kOld, red("a")).status == 201);
  api.store("v1");
  REQUIRE(api.send("POST", kOld, red("b")).status == 201);
  for (const auto& [path, colour] :
       {std::pair{kOld, R"("spec":{"colour":"red")"}, {kNew, R"("spec":{"paint":{"colour":"red")"}}) {
    const std::string watch = fmt::format("{}?watch=true&timeoutSeconds=1&resourceVersion={}", path, before);
    const std::string lines = api.get(watch).text;
    const auto first = lines.find(colour);
    REQUIRE(first != std::string::npos);
    CHECK(lines.find(colour, first + 1) != std::string::npos);
  }
}

TEST_CASE("a write that changes nothing brings an object into the storage version of now, once", "[conversion]") {
  BusyBoxes api;
  REQUIRE(api.send("POST", kOld, red("a")).status == 201);
  const auto versionOf = [&] { return api.get(kOld + "/a").at({"metadata", "resourceVersion"}); };
  const auto writeBack = [&] { REQUIRE(api.send("PUT", kOld + "/a", api.get(kOld + "/a").text).status == 200); };
  const std::string first = versionOf();
  writeBack();
  CHECK(versionOf() == first);
  api.store("v1");
  CHECK(versionOf() == first);  // read in the new version, still stored in the old one
  writeBack();
  const std::string migrated = versionOf();
  CHECK(migrated != first);
  CHECK(api.get(kOld + "/a").at({"spec", "colour"}) == "red");
  writeBack();
  CHECK(api.patch(kNew + "/a", "{}").status == 200);
  CHECK(versionOf() == migrated);
}

TEST_CASE("a version in which objects may be stored cannot be dropped", "[apiserver][crd]") {
  BusyBoxes api;
  api.store("v1");
  const Answered refused = api.patch(kBoxPath, R"([{"op":"remove","path":"/spec/versions/1"}])", kJsonPatch);
  CHECK(refused.status == 422);
  CHECK(
      refused.text.find(
          R"(status.storedVersions[0]: Invalid value: \"v2\": missing from spec.versions; v2 was previously a storage version)") !=
      std::string::npos);
  REQUIRE(api.patch(kBoxPath + "/status", R"({"status":{"storedVersions":["v1"]}})").status == 200);
  CHECK(api.patch(kBoxPath, R"([{"op":"remove","path":"/spec/versions/1"}])", kJsonPatch).status == 200);
}

TEST_CASE("a storage version counts as stored with the write that makes it one", "[apiserver][crd]") {
  BusyBoxes api;
  const Answered moved = api.patch(kBoxPath, BusyBoxes::storing("v1"), kJsonPatch);
  CHECK(json::serialize(moved.json().at("status").at("storedVersions")) == R"(["v2","v1"])");
}

TEST_CASE("objects are collected also where their storage version is not served", "[apiserver][crd]") {
  BusyBoxes api;
  REQUIRE(
      api.patch(kBoxPath, R"([{"op":"replace","path":"/spec/versions/1/served","value":false}])", kJsonPatch).status ==
      200);
  api.settle();
  const auto uidOf = [&](const std::string& name) {
    return api
        .send("POST", "/api/v1/namespaces/default/configmaps",
              R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"}}")
        .at({"metadata", "uid"});
  };
  const auto owner = [](const std::string& name, const std::string& uid) {
    return fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","name":"{}","uid":"{}"}})", name, uid);
  };
  const std::string owners =
      fmt::format(R"(,"ownerReferences":[{},{}])", owner("one", uidOf("one")), owner("two", uidOf("two")));
  REQUIRE(api.send("POST", kOld, box("v1", "a", "{}", owners)).status == 201);
  REQUIRE(api.send("DELETE", "/api/v1/namespaces/default/configmaps/one").status == 200);
  api.settle();
  CHECK(json::arrayAt(api.get(kOld + "/a").json(), {"metadata", "ownerReferences"})->size() == 1);
  REQUIRE(api.send("DELETE", kOld + "/a", R"({"propagationPolicy":"Foreground"})").status == 200);
  api.settle();
  CHECK(api.get(kOld + "/a").status == 404);
}

}  // namespace ingot::apiserver::tests
