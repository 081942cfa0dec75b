#include "tests/apiserver/crd/boxes.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

namespace {

const std::string kBoom = "conversion webhook for test.io/v2, Kind=Box failed: boom";

// A box that was fine when it was stored, and converts no more.
void store(Boxes& api, const std::string& name) {
  REQUIRE(api.send("POST", kNew, box("v2", name, R"({"paint":{"colour":"red"}})")).status == 201);
}

std::shared_ptr<BoxConverter> spoiling(std::function<void(json::Value&)> spoil) {
  auto converter = std::make_shared<BoxConverter>();
  converter->spoil = std::move(spoil);
  return converter;
}

}  // namespace

TEST_CASE("an object that cannot be converted is a 500 with the converter's words, in its other version it is fine",
          "[conversion]") {
  Boxes api;
  store(api, "broken");
  store(api, "whole");
  const Answered refused = api.get(kOld + "/broken");
  CHECK(refused.status == 500);
  CHECK(refused.at({"message"}) == kBoom);
  CHECK(refused.at({"kind"}) == "Status");
  CHECK_FALSE(json::find(refused.json(), {"reason"}));
  CHECK(api.get(kOld).status == 500);
  CHECK(api.get(kNew).status == 200);
  CHECK(api.get(kOld + "/whole").status == 200);
  CHECK(api.patch(kOld + "/broken", R"({"spec":{"size":2}})").status == 500);
  CHECK(api.send("DELETE", kNew + "/broken").status == 200);
  CHECK(api.get(kOld).status == 200);
}

TEST_CASE("a write that cannot be converted stores nothing; what its schema has to say comes first", "[conversion]") {
  Boxes api;
  const Answered refused = api.send("POST", kOld, box("v1", "broken", R"({"colour":"red"})"));
  CHECK(refused.status == 500);
  CHECK(refused.at({"message"}) == "conversion webhook for test.io/v1, Kind=Box failed: boom");
  const Answered wrong = api.send("POST", kOld, box("v1", "broken", R"({"colour":7})"));
  CHECK(wrong.status == 422);
  CHECK(wrong.text.find("spec.colour") != std::string::npos);
  CHECK(api.get(kNew + "/broken").status == 404);
}

TEST_CASE("a long list that fails at its end is refused whole", "[conversion]") {
  Boxes api;
  for (int i = 0; i < 120; ++i) store(api, fmt::format("a{:03}", i));
  CHECK(json::arrayAt(api.get(kOld).json(), {"items"})->size() == 120);
  store(api, "broken");
  CHECK(api.get(kOld).at({"message"}) == kBoom);
}

TEST_CASE("a watch tells of an object that it cannot convert", "[conversion]") {
  Boxes api;
  store(api, "a");
  store(api, "broken");
  const std::string text = api.get(kOld + "?watch=true&timeoutSeconds=1").text;
  CHECK(text.find(R"({"type":"ADDED","object":{"apiVersion":"test.io/v1")") == 0);
  CHECK(text.find(R"({"type":"ERROR","object":{"kind":"Status")") != std::string::npos);
  CHECK(text.find(kBoom) != std::string::npos);
}

TEST_CASE("of metadata a converter may change labels and annotations", "[conversion]") {
  Boxes api(spoiling([](json::Value& object) {
    auto& metadata = json::makeObjectAt(object, {"metadata"});
    metadata["uid"] = "mine";
    metadata["finalizers"] = json::Array{"mine.io/x"};
    metadata["labels"] = json::Object{{"seen", "yes"}};
    metadata.erase("annotations");
  }));
  const Answered made =
      api.send("POST", kOld, box("v1", "a", R"({"colour":"red"})", R"(,"annotations":{"a":"b"},"labels":{"c":"d"})"));
  REQUIRE(made.status == 201);
  const json::Value metadata = api.get(kNew + "/a").json().at("metadata");
  CHECK(json::textAt(metadata, {"uid"}).size() == 36);
  CHECK_FALSE(json::find(metadata, {"finalizers"}));
  CHECK_FALSE(json::find(metadata, {"annotations"}));
  CHECK(json::serialize(metadata.at("labels")) == R"({"seen":"yes"})");
}

TEST_CASE("members that the other version does not know are pruned from a conversion's result", "[conversion]") {
  Boxes api(spoiling([](json::Value& object) { json::makeObjectAt(object, {"spec"})["surprise"] = 1; }));
  REQUIRE(api.send("POST", kOld, box("v1", "a", R"({"colour":"red"})")).status == 201);
  CHECK(api.get(kOld + "/a").text.find("surprise") == std::string::npos);
  CHECK(api.get(kNew + "/a").text.find("surprise") == std::string::npos);
}

TEST_CASE("a result of another kind is a failed conversion", "[conversion]") {
  Boxes api(spoiling([](json::Value& object) { object.get_object()["kind"] = "Bag"; }));
  store(api, "a");
  CHECK(api.get(kOld + "/a").at({"message"}) ==
        "conversion webhook for test.io/v2, Kind=Box failed: the result is no Box");
}

TEST_CASE("a CRD with a conversion webhook, where nobody converts its group, or a scale subresource is refused",
          "[conversion]") {
  EmbeddedFixture api(std::vector<std::string>{});
  std::string crd(kBoxCrd);
  const std::string status = "subresources: {status: {}}";
  crd.replace(crd.rfind(status), status.size(), "subresources: {status: {}, scale: {}}");
  const Answered refused = api.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd,
                                    {{"Content-Type", "application/yaml"}});
  CHECK(refused.status == 422);
  CHECK(refused.text.find(R"("field":"spec.conversion.strategy")") != std::string::npos);
  CHECK_THAT(refused.at({"message"}),
             Catch::Contains(R"(spec.conversion.strategy: Unsupported value: "Webhook": supported values: "None")") &&
                 Catch::Contains("spec.versions[1].subresources.scale: Forbidden: not supported by this server"));
}

TEST_CASE("objects stored before the storage version moved are read in the new one", "[conversion]") {
  Boxes api;
  store(api, "a");
  const std::string move = R"([{"op":"replace","path":"/spec/versions/0/storage","value":true},
                               {"op":"replace","path":"/spec/versions/1/storage","value":false}])";
  const std::string path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.test.io";
  REQUIRE(api.patch(path, move, "application/json-patch+json").status == 200);
  api.loop.clock.advance(std::chrono::seconds(1));
  CHECK(json::serialize(api.get(path).json().at("status").at("storedVersions")) == R"(["v2","v1"])");
  CHECK(json::textAt(api.get(kOld + "/a").json(), {"spec", "colour"}) == "red");
  CHECK(json::textAt(api.get(kNew + "/a").json(), {"spec", "paint", "colour"}) == "red");
}
