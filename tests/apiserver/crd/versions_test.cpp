#include "tests/apiserver/crd/boxes.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;

namespace {

std::string spec(const Answered& answer) { return json::serialize(answer.json().at("spec")); }
std::string version(const Answered& answer) { return answer.at({"metadata", "resourceVersion"}); }
std::int64_t generation(const Answered& answer) {
  return json::intAt(answer.json(), {"metadata", "generation"}).value_or(0);
}
const std::string kRed = box("v1", "a", R"({"colour":"red"})");
const std::string kTable = "application/json;as=Table;g=meta.k8s.io;v=v1";

}  // namespace

TEST_CASE("an object written in one version is served in both, each with its own defaults", "[conversion]") {
  Boxes api;
  const Answered made = api.send("POST", kOld, kRed);
  REQUIRE(made.status == 201);
  CHECK(made.at({"apiVersion"}) == "test.io/v1");
  CHECK(spec(made) == R"({"colour":"red","size":1})");  // of v1 when written …
  const Answered read = api.get(kNew + "/a");
  CHECK(read.at({"apiVersion"}) == "test.io/v2");
  CHECK(spec(read) == R"({"paint":{"colour":"red","shine":"matt"},"size":1})");  // … of v2 as it is stored
  CHECK(read.at({"metadata", "uid"}) == made.at({"metadata", "uid"}));

  REQUIRE(api.send("POST", kNew, box("v2", "b", R"({"paint":{"colour":"blue","shine":"gloss"}})")).status == 201);
  CHECK(spec(api.get(kOld + "/b")) == R"({"colour":"blue"})");
  const Answered list = api.get(kOld);
  CHECK(list.at({"apiVersion"}) == "test.io/v1");
  CHECK(list.text.find("paint") == std::string::npos);
  CHECK(json::arrayAt(list.json(), {"items"})->size() == 2);
}

TEST_CASE("updates and patches work in the version of their client", "[conversion]") {
  Boxes api;
  (void)api.send("POST", kOld, kRed);
  const Answered patched = api.patch(kOld + "/a", R"({"spec":{"colour":"green"}})");
  CHECK(patched.status == 200);
  CHECK(generation(patched) == 2);
  CHECK(json::textAt(api.get(kNew + "/a").json(), {"spec", "paint", "colour"}) == "green");

  json::Value body = api.get(kOld + "/a").json();
  json::makeObjectAt(body, {"spec"})["size"] = 7;
  CHECK(api.send("PUT", kOld + "/a", json::serialize(body)).status == 200);
  CHECK(api.send("PUT", kOld + "/a", json::serialize(body)).status == 409);
  CHECK(spec(api.get(kNew + "/a")) == R"({"paint":{"colour":"green","shine":"matt"},"size":7})");

  const Answered deleted = api.send("DELETE", kOld + "/a");
  CHECK(deleted.status == 200);
  CHECK(api.get(kNew + "/a").status == 404);
}

TEST_CASE("a patch that changes nothing in its version writes nothing", "[conversion]") {
  Boxes api;
  const Answered made =
      api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"red","shine":"gloss"},"size":1})"));
  CHECK(version(api.patch(kOld + "/a", R"({"spec":{"colour":"red"}})")) == version(made));
}

TEST_CASE("labels set through a version leave alone what that version cannot say", "[conversion]") {
  Boxes api;
  (void)api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"red","shine":"gloss"}})"));
  const Answered labelled = api.patch(kOld + "/a", R"({"metadata":{"labels":{"x":"y"}}})");
  CHECK(generation(labelled) == 1);
  CHECK(api.get(kNew + "/a").at({"spec", "paint", "shine"}) == "gloss");
  CHECK(api.get(kNew + "?labelSelector=x=y").text.find("gloss") != std::string::npos);

  (void)api.patch(kOld + "/a", R"({"spec":{"size":2}})");  // a change of the spec goes through the converter
  CHECK(api.get(kNew + "/a").at({"spec", "paint", "shine"}) == "matt");
}

TEST_CASE("a status written in one version is read in the other, and moves nothing else", "[conversion]") {
  Boxes api;
  (void)api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"red","shine":"gloss"}})"));
  const Answered written = api.patch(kOld + "/a/status", R"({"status":{"full":true},"spec":{"colour":"green"}})");
  CHECK(written.status == 200);
  CHECK(generation(written) == 1);
  const Answered read = api.get(kNew + "/a");
  CHECK(json::boolAt(read.json(), {"status", "full"}) == true);
  CHECK(read.at({"spec", "paint", "colour"}) == "red");
  CHECK(read.at({"spec", "paint", "shine"}) == "gloss");
  CHECK(api.patch(kOld + "/a/status", R"({"status":{"full":"yes"}})").status == 422);
}

TEST_CASE("what a client wrote is judged by the schema of its version", "[conversion]") {
  Boxes api;
  const Answered longName = api.send("POST", kOld, box("v1", "a", R"({"colour":"ultramarine"})"));
  CHECK(longName.status == 422);
  CHECK(longName.text.find(R"("field":"spec.colour")") != std::string::npos);
  CHECK(api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"ultramarine"}})")).status == 201);

  const Answered unknown = api.send("POST", kOld, box("v1", "b", R"({"paint":{}})"));
  const auto& headers = unknown.headers.all();
  const std::pair<std::string, std::string> warning{"Warning", R"(299 - "unknown field \"spec.paint\"")"};
  CHECK(std::ranges::find(headers, warning) != headers.end());
  const Answered strict = api.send("POST", kOld + "?fieldValidation=Strict", box("v1", "c", R"({"paint":{}})"));
  CHECK(strict.at({"message"}) ==
        "Box in version \"v1\" cannot be handled as a Box: strict decoding error: unknown field \"spec.paint\"");

  // An old value that v1 would not take does not stand in the way of another change.
  CHECK(api.patch(kOld + "/a", R"({"spec":{"size":3}})").status == 200);
  CHECK(api.patch(kOld + "/a", R"({"spec":{"colour":"ultraviolet"}})").status == 422);
}

TEST_CASE("tables have the columns of the version that is asked", "[conversion]") {
  Boxes api;
  (void)api.send("POST", kOld, kRed);
  const auto second = [&](const std::string& path) {
    const json::Value table = api.get(path, kTable).json();
    return json::textAt(table.at("columnDefinitions").at(1), {"name"}) + "=" +
           std::string(table.at("rows").at(0).at("cells").at(1).as_string());
  };
  CHECK(second(kOld) == "Colour=red");
  CHECK(second(kNew + "/a") == "Paint=red");
}

TEST_CASE("a watch in the version that is not stored shows every change in it", "[conversion]") {
  Boxes api;
  (void)api.send("POST", kNew, box("v2", "a", R"({"paint":{"colour":"red"}})"));
  const std::string from = version(api.get(kNew + "/a"));
  (void)api.patch(kNew + "/a", R"({"spec":{"paint":{"colour":"blue"}}})");
  (void)api.send("DELETE", kNew + "/a");
  const std::string text = api.get(kOld + "?watch=true&timeoutSeconds=1&resourceVersion=" + from).text;
  CHECK(text.find("paint") == std::string::npos);
  CHECK(text.find(R"({"type":"MODIFIED","object":{"apiVersion":"test.io/v1","kind":"Box")") == 0);
  CHECK(text.find(R"({"type":"DELETED","object":{"apiVersion":"test.io/v1","kind":"Box")") != std::string::npos);
}

TEST_CASE("discovery and OpenAPI list both versions, the better one first", "[conversion]") {
  Boxes api;
  const Answered group = api.get("/apis/test.io");
  CHECK(group.at({"preferredVersion", "version"}) == "v2");
  CHECK(json::arrayAt(group.json(), {"versions"})->size() == 2);
  CHECK(api.get("/apis/test.io/v1").text.find("boxes/status") != std::string::npos);
  CHECK(api.get(kOld).headers.get("Warning") == "299 - \"test.io/v1 Box is deprecated; use test.io/v2 Box\"");
  const json::Value paths = api.get("/openapi/v3").json().at("paths");
  for (const auto* path : {"apis/test.io/v1", "apis/test.io/v2"}) {
    const std::string url = json::textAt(paths, {path, "serverRelativeURL"});
    const json::Value document = api.get(url).json();
    const std::string wanted = path == std::string_view("apis/test.io/v1") ? "colour" : "paint";
    const std::string name = "io.test." + std::string(path).substr(13) + ".Box";
    CHECK(json::find(document, {"components", "schemas", name, "properties", "spec", "properties", wanted}));
  }
}
