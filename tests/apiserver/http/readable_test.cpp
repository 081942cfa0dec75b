// What has been stored can be read: by whoever lists it, and by the next start.
#include "tests/apiserver/http/fixture.hpp"
#include "tests/apiserver/store/fixture.hpp"

namespace ingot::apiserver::tests {

namespace {

std::string configMap(const std::string& name, const std::string& value, const std::string& metadata = {}) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"" + metadata +
         R"(},"data":{"k":")" + value + R"("}})";
}

// As kubectl sends `create configmap NAME --from-literal=k=VALUE`.
std::string protobufConfigMap(const std::string& name, const std::string& value) {
  const auto field = [](int number, const std::string& bytes) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
  };
  const std::string object = field(1, field(1, name)) + field(2, field(1, "k") + field(2, value));
  return std::string("k8s\0", 4) + field(1, field(1, "v1") + field(2, "ConfigMap")) + field(2, object);
}

std::string manyLevels(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

const std::string kAnySpecCrd = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"anyspecs.test.io"},"spec":{"group":"test.io","scope":"Namespaced",
"names":{"plural":"anyspecs","kind":"AnySpec"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}})";
const std::string kAnySpecs = "/apis/test.io/v1/namespaces/default/anyspecs";
std::string anySpec(const std::string& spec) {
  return R"({"apiVersion":"test.io/v1","kind":"AnySpec","metadata":{"name":"a"},"spec":)" + spec + "}";
}

}  // namespace

TEST_CASE("a protobuf text that is no UTF-8 is stored as Go's JSON says it, listed, deleted, and there after a restart",
          "[apiserver][http]") {
  TemporaryFolder folder;
  {
    EmbeddedFixture api(EmbeddedOptions{.dataDir = folder.path()});
    const net::Headers protobuf{{"Content-Type", "application/vnd.kubernetes.protobuf"}};
    const Answered created = api.send("POST", kConfigMaps, protobufConfigMap("a", "\xff"), protobuf);
    REQUIRE(created.status == 201);
    CHECK(created.at({"data", "k"}) == "\xef\xbf\xbd");
    REQUIRE(api.send("POST", kConfigMaps, protobufConfigMap("b", "x\xc3"), protobuf).status == 201);
    CHECK(json::arrayAt(api.get(kConfigMaps).json(), {"items"})->size() == 2);
    CHECK(api.send("DELETE", kConfigMaps + "/b").status == 200);
  }
  EmbeddedFixture api(EmbeddedOptions{.dataDir = folder.path()});
  CHECK(api.get(kConfigMaps + "/a").at({"data", "k"}) == "\xef\xbf\xbd");
}

TEST_CASE("a JSON text that is no UTF-8 is read as Go reads it", "[apiserver][http]") {
  EmbeddedFixture api({});
  const Answered created = api.send("POST", kConfigMaps, configMap("a", "x\xff\xfey"));
  REQUIRE(created.status == 201);
  CHECK(created.at({"data", "k"}) == "x\xef\xbf\xbd\xef\xbf\xbdy");
  CHECK(api.patch(kConfigMaps + "/a", "{\"data\":{\"k\":\"\xc0\"}}").at({"data", "k"}) == "\xef\xbf\xbd");
}

TEST_CASE("a path that is no UTF-8 is refused in JSON that can be read, for people too", "[apiserver][http]") {
  EmbeddedFixture api({});
  for (const std::string agent : {"kubectl", "curl/8"}) {
    const Answered refused = api.send("GET", kConfigMaps + "/%ff", {}, {{"User-Agent", agent}});
    CHECK(refused.status == 404);
    CHECK(refused.at({"message"}) == R"(configmaps "\xff" not found)");
  }
}

TEST_CASE("patches cannot make an object larger than a request may be", "[apiserver][http]") {
  EmbeddedFixture api({kAnySpecCrd});
  REQUIRE(api.send("POST", kAnySpecs, anySpec(R"({"a":")" + std::string(2u << 20, 'x') + R"("})")).status == 201);
  const Answered refused = api.patch(kAnySpecs + "/a", R"({"spec":{"b":")" + std::string(1u << 20, 'x') + R"("}})");
  CHECK(refused.status == 413);
  CHECK(refused.at({"message"}) == "Request entity too large: limit is 3145728");
  CHECK(json::find(api.get(kAnySpecs + "/a").json(), {"spec", "b"}) == nullptr);
}

TEST_CASE("an object that is nested too deeply to be listed is refused", "[apiserver][http]") {
  EmbeddedFixture api({kAnySpecCrd});
  const Answered refused = api.send("POST", kAnySpecs, anySpec(R"({"a":)" + manyLevels(100) + "}"));
  CHECK(refused.status == 400);
  CHECK(refused.at({"message"}) == "the object is nested more than 100 levels deep");
  REQUIRE(api.send("POST", kAnySpecs, anySpec(R"({"a":)" + manyLevels(98) + "}")).status == 201);
  std::string path = "/spec/a";
  for (int i = 0; i < 97; ++i) path += "/0";
  const auto add = [&](std::size_t levels) {
    return api.patch(kAnySpecs + "/a",
                     R"([{"op":"add","path":")" + path + R"(/-","value":)" + manyLevels(levels) + "}]", kJsonPatch);
  };
  CHECK(add(2).at({"message"}) == "the object is nested more than 100 levels deep");
  CHECK(add(40).status == 422);
  CHECK(api.get(kAnySpecs).status == 200);
}

TEST_CASE("an object that is being deleted cannot grow past the limit either", "[apiserver][http]") {
  EmbeddedFixture api({kAnySpecCrd});
  const std::string metadata =
      R"({"apiVersion":"test.io/v1","kind":"AnySpec","metadata":{"name":"a","finalizers":["x.y/z"]})";
  REQUIRE(api.send("POST", kAnySpecs, metadata + R"(,"spec":{"a":")" + std::string(2u << 20, 'x') + R"("}})").status ==
          201);
  REQUIRE(api.send("DELETE", kAnySpecs + "/a").status == 200);
  CHECK(api.patch(kAnySpecs + "/a", R"({"spec":{"b":")" + std::string(2u << 20, 'x') + R"("}})").status == 413);
  CHECK(api.patch(kAnySpecs + "/a", R"({"spec":{"b":"small"}})").status == 200);
}

TEST_CASE("an object at the limit of its size can be deleted, and let go by who holds it", "[apiserver][http]") {
  EmbeddedFixture api({kAnySpecCrd});
  const std::string metadata =
      R"({"apiVersion":"test.io/v1","kind":"AnySpec","metadata":{"name":"a","finalizers":["x.y/z"]})";
  const std::string empty = metadata + R"(,"spec":{"a":""}})";
  const std::size_t own =
      api.send("POST", kAnySpecs + "?dryRun=All", empty).text.size() + 40;  // and its resourceVersion
  const std::string most(kObjectBytes - own, 'x');
  REQUIRE(api.send("POST", kAnySpecs, metadata + R"(,"spec":{"a":")" + most + R"("}})").status == 201);
  CHECK(api.send("DELETE", kAnySpecs + "/a?dryRun=All").status == 200);
  CHECK(api.send("DELETE", kAnySpecs + "/a").status == 200);
  CHECK(api.patch(kAnySpecs + "/a", R"({"metadata":{"finalizers":null}})").status == 200);
  CHECK(api.get(kAnySpecs + "/a").status == 404);
}

}  // namespace ingot::apiserver::tests
