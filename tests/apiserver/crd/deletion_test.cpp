// A CRD that is deleted takes its objects along, all of them.
#include "tests/apiserver/crd/boxes.hpp"
#include "tests/apiserver/crd/foos.hpp"
#include "tests/apiserver/store/fixture.hpp"

namespace ingot::apiserver::tests {

TEST_CASE("nothing is created any more while a CRD is deleted, everything else goes on", "[apiserver][crd]") {
  Busy api(std::vector{kFooCrd});
  REQUIRE(api.send("POST", kFoos, foo("held", R"(,"finalizers":["x.y/z"])")).status == 201);
  REQUIRE(api.send("DELETE", kFooPath).status == 200);
  api.settle();
  const Answered refused = api.send("POST", kFoos, foo("late"));
  CHECK(refused.status == 403);
  CHECK(refused.at({"message"}) ==
        "foos.test.io \"late\" is forbidden: create not allowed while custom resource definition is terminating");
  CHECK(conditionOf(api.get(kFooPath), "Terminating") ==
        "True InstanceDeletionInProgress: CustomResource deletion is in progress");
  REQUIRE(
      api.patch(kFooPath, R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
    {"type":"object","description":"changed"}}}]}})")
          .status == 200);
  api.settle();
  CHECK(api.send("POST", kFoos, foo("late")).status == 403);  // under the new definition too
  CHECK(api.patch(kFoos + "/held", R"({"metadata":{"finalizers":null}})").status == 200);
  api.settle();
  CHECK(api.get(kFooPath).status == 404);
}

TEST_CASE("an object that is created while its CRD is deleted does not reappear with the next one",
          "[apiserver][crd]") {
  Busy api;
  for (int turns = 0; turns < 60; ++turns) {
    REQUIRE(api.send("POST", kCrdPath, kFooCrd).status == 201);
    api.settle();
    REQUIRE(json::arrayAt(api.get(kFoos).json(), {"items"})->empty());
    api.begin("DELETE", kFooPath, "");
    api.step(turns);
    for (const std::string name : {"a", "b"}) api.begin("POST", kFoos, foo(name));
    api.settle();
    REQUIRE(api.get(kFooPath).status == 404);
  }
  CHECK(api.count(201) > 0);  // some were created before the deletion, some came too late
  CHECK(api.count(403) + api.count(404) > 0);
}

TEST_CASE("a CRD that this server cannot use is deleted with its objects", "[apiserver][crd]") {
  TemporaryFolder folder;
  const auto options = [&](KindConverters converters, std::vector<std::string> crds) {
    return EmbeddedOptions{.dataDir = folder.path(), .crds = std::move(crds), .converters = std::move(converters)};
  };
  {
    EmbeddedFixture api(options({{kBoxes, std::make_shared<BoxConverter>()}}, {std::string(kBoxCrd)}));
    REQUIRE(api.send("POST", kNew, box("v2", "a", R"({"size":1})")).status == 201);
  }
  {
    EmbeddedFixture api(options({}, {}));  // nobody converts its kind any more
    CHECK(api.get(kNew).status == 404);
    CHECK(api.api->registry().store().objects("boxes.test.io").size() == 1);
    CHECK(api.send("DELETE", kCrdPath + "/boxes.test.io").status == 200);
    api.loop.clock.advance(std::chrono::seconds(2));
    CHECK(api.get(kCrdPath + "/boxes.test.io").status == 404);
    CHECK(api.api->registry().store().objects("boxes.test.io").empty());
  }
}

}  // namespace ingot::apiserver::tests
