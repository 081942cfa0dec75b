#include "apiserver/patch/patch.hpp"
#include "apiserver/registry/status.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::apiserver;

namespace {

std::string patched(PatchType type, const std::string& object, const std::string& patch,
                    const std::string& kind = "ConfigMap") {
  json::Value value = json::parse(object);
  applyPatch(type, kind, json::parse(patch), value);
  return json::serializeSorted(value);
}

const std::string kOwners =
    R"({"metadata":{"ownerReferences":[{"uid":"1","name":"a"},{"uid":"2","name":"b"}],"finalizers":["x","y"]}})";

std::string strategic(const std::string& patch) { return patched(PatchType::strategic, kOwners, patch); }

}  // namespace

TEST_CASE("a JSON patch may replace what is not there, but remove nothing missing", "[patch]") {
  CHECK(patched(PatchType::json, R"({"a":{}})", R"([{"op":"replace","path":"/a/b","value":1}])") == R"({"a":{"b":1}})");
  CHECK_THROWS_AS(patched(PatchType::json, "{}", R"([{"op":"remove","path":"/a"}])"), ApiError);
  CHECK_THROWS_AS(patched(PatchType::json, R"({"a":[]})", R"([{"op":"replace","path":"/a/0","value":1}])"), ApiError);
}

TEST_CASE("a JSON patch applies whole or not at all", "[patch]") {
  json::Value object = json::parse(R"({"a":1})");
  const json::Value patch = json::parse(R"([{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":2}])");
  CHECK_THROWS_AS(applyPatch(PatchType::json, "X", patch, object), ApiError);
  CHECK(json::serialize(object) == R"({"a":1})");
}

TEST_CASE("a body that is no patch is refused", "[patch]") {
  CHECK_THROWS_AS(checkPatch(PatchType::json, json::Object()), ApiError);
  CHECK_THROWS_AS(checkPatch(PatchType::merge, json::Array()), ApiError);
  CHECK_THROWS_AS(checkPatch(PatchType::json, json::Array(10'001)), ApiError);
}

TEST_CASE("owner references merge by uid", "[patch]") {
  CHECK(
      strategic(R"({"metadata":{"ownerReferences":[{"uid":"2","name":"c"},{"uid":"3"}]}})") ==
      R"({"metadata":{"finalizers":["x","y"],"ownerReferences":[{"name":"a","uid":"1"},{"name":"c","uid":"2"},{"uid":"3"}]}})");
  CHECK(strategic(R"({"metadata":{"ownerReferences":[{"$patch":"delete","uid":"1"}]}})") ==
        R"({"metadata":{"finalizers":["x","y"],"ownerReferences":[{"name":"b","uid":"2"}]}})");
  CHECK(strategic(R"({"metadata":{"ownerReferences":[{"$patch":"replace"},{"uid":"9"}]}})") ==
        R"({"metadata":{"finalizers":["x","y"],"ownerReferences":[{"uid":"9"}]}})");
}

TEST_CASE("finalizers are a set with its own directive and order", "[patch]") {
  const auto finalizers = [](const std::string& patch) {
    return json::serialize(json::parse(strategic(patch)).at("metadata").at("finalizers"));
  };
  CHECK(finalizers(R"({"metadata":{"finalizers":["y","z"]}})") == R"(["x","y","z"])");
  CHECK(finalizers(R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["x"]}})") == R"(["y"])");
  CHECK(finalizers(R"({"metadata":{"finalizers":["z"],"$setElementOrder/finalizers":["z","y"]}})") ==
        R"(["x","z","y"])");
}

TEST_CASE("maps merge, null deletes, other lists are replaced", "[patch]") {
  CHECK(patched(PatchType::strategic, R"({"data":{"a":"1","b":"2"},"list":[1,2]})",
                R"({"data":{"a":null,"c":"3"},"list":[3]})") == R"({"data":{"b":"2","c":"3"},"list":[3]})");
  CHECK(patched(PatchType::strategic, R"({"data":{"a":"1"}})", R"({"data":{"$patch":"replace","z":"1"}})") ==
        R"({"data":{"z":"1"}})");
  CHECK(patched(PatchType::strategic, R"({"data":{"a":"1","b":"2"}})", R"({"data":{"$retainKeys":["b"],"b":"3"}})") ==
        R"({"data":{"b":"3"}})");
  CHECK_THROWS_AS(patched(PatchType::strategic, "{}", R"({"data":{"$patch":"explode"}})"), ApiError);
}
