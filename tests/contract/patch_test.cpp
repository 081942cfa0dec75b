#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {
const std::string kStrategic = "application/strategic-merge-patch+json";

std::string made(const std::string& space, const std::string& metadata = {}) {
  REQUIRE(peer().post(hosts(space), host("a", R"({"online":true,"description":"d"})", metadata)).status == 201);
  return hosts(space) + "/a";
}
}  // namespace

TEST_CASE("merge patches", "[T075][T076][T084]") {
  const std::string path = made(peer().space(), R"(,"finalizers":["a.b/c"])");
  const Reply removed = peer().patch(path, R"({"spec":{"description":null},"metadata":{"finalizers":["d.e/f"]}})");
  CHECK(removed.status == 200);
  CHECK(json::find(removed.json(), {"spec", "description"}) == nullptr);
  CHECK(json::serialize(*json::find(removed.json(), {"metadata", "finalizers"})) == R"(["d.e/f"])");
  CHECK(peer().patch(path, R"({"spec":{"online":true}})").version() == removed.version());
  CHECK(peer().patch(path + "?force=true", "{}").status == 422);
  CHECK(peer().patch(path, "[]").message() ==
        "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}");
  CHECK(peer().patch(path, R"({"metadata":{"finalizers":null}})").status == 200);
}

TEST_CASE("two merge patches at once both win", "[T077]") {
  const std::string path = made(peer().space());
  const auto patch = [&](const char* body) {
    return net::HttpRequest{
        .method = "PATCH", .target = path, .headers = {{"Content-Type", "application/merge-patch+json"}}, .body = body};
  };
  const auto [a, b] =
      peer().together(patch(R"({"metadata":{"labels":{"a":"1"}}})"), patch(R"({"metadata":{"labels":{"b":"2"}}})"));
  CHECK(a.status == 200);
  CHECK(b.status == 200);
  CHECK(json::objectAt(peer().get(path).json(), {"metadata", "labels"})->size() == 2);
}

TEST_CASE("JSON patches", "[T078][T079]") {
  const std::string path = made(peer().space());
  const Reply failed = peer().patch(path, R"([{"op":"test","path":"/spec/online","value":false}])", kJsonPatch);
  CHECK(failed.status == 422);
  CHECK(failed.message() == "the server rejected our request due to an error in our request");
  CHECK(peer().patch(path, R"([{"op":"remove","path":"/spec/nope"}])", kJsonPatch).status == 422);
  CHECK(peer().patch(path, "{}", kJsonPatch).status == 400);
  const Reply replaced =
      peer().patch(path, R"([{"op":"replace","path":"/spec/architecture","value":"x86_64"}])", kJsonPatch);
  CHECK(replaced.status == 200);
  CHECK(replaced.at({"spec", "architecture"}) == "x86_64");
}

TEST_CASE("strict patches name what is unknown", "[T047]") {
  const std::string path = made(peer().space());
  const Reply refused = peer().patch(path + "?fieldValidation=Strict", R"({"spec":{"foo":1}})");
  CHECK(refused.status == 422);
  CHECK(refused.message().starts_with(" \"\" is invalid: patch: Invalid value: \"{"));
  CHECK(refused.message().ends_with("\": strict decoding error: unknown field \"spec.foo\""));
  CHECK(peer().patch(path, R"({"spec":{"foo":1}})").headers.get("Warning") ==
        "299 - \"unknown field \\\"spec.foo\\\"\"");
}

TEST_CASE("strategic merge patches are for core kinds", "[T080][T081][T082]") {
  const std::string space = peer().space();
  const Reply refused = peer().patch(made(space), "{}", kStrategic);
  CHECK(refused.status == 415);
  CHECK(refused.message().find("application/json-patch+json, application/merge-patch+json") != std::string::npos);

  const auto owner = [](const std::string& uid) {
    return R"({"apiVersion":"x.io/v1","kind":"X","name":"n","uid":")" + uid + "\"}";
  };
  const std::string path = core(space, "configmaps") + "/c";
  REQUIRE(peer()
              .post(core(space, "configmaps"),
                    configMap("c", "", R"(,"finalizers":["a.b/c","d.e/f"],"ownerReferences":[)" + owner("u1") + "]"))
              .status == 201);
  const Reply added = peer().patch(path, R"({"metadata":{"ownerReferences":[)" + owner("u2") + "]}}", kStrategic);
  CHECK(json::arrayAt(added.json(), {"metadata", "ownerReferences"})->size() == 2);
  const Reply removed =
      peer().patch(path, R"({"metadata":{"ownerReferences":[{"$patch":"delete","uid":"u1"}]}})", kStrategic);
  CHECK(json::arrayAt(removed.json(), {"metadata", "ownerReferences"})->size() == 1);
  const Reply fewer =
      peer().patch(path, R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a.b/c"]}})", kStrategic);
  CHECK(json::serialize(*json::find(fewer.json(), {"metadata", "finalizers"})) == R"(["d.e/f"])");
  CHECK(peer().patch(path, R"({"metadata":{"finalizers":null}})").status == 200);
}

TEST_CASE("a repeated Event is counted by a strategic patch; one that is gone is not found", "[T083]") {
  const std::string space = peer().space(), path = core(space, "events");
  const std::string event = R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p","namespace":")" +
                            space + R"("},"reason":"Why","message":"text","type":"Normal","count":1})";
  REQUIRE(peer().post(path, event).status == 201);
  const std::string twice = R"({"count":2,"lastTimestamp":"2026-01-01T00:00:00Z","message":"more"})";
  const Reply counted = peer().patch(path + "/e", twice, kStrategic);
  CHECK(counted.status == 200);
  CHECK(json::intAt(counted.json(), {"count"}) == 2);
  CHECK(counted.at({"lastTimestamp"}) == "2026-01-01T00:00:00Z");
  CHECK(counted.at({"reason"}) == "Why");
  CHECK(peer().patch(path + "/gone", twice, kStrategic).status == 404);
}
