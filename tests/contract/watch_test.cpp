#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

using Lines = std::vector<json::Value>;
auto atLeast(std::size_t count) {
  return [count](const Lines& lines) { return lines.size() >= count; };
}
bool never(const Lines&) { return false; }

// "ADDED a, DELETED a"
std::string told(const Lines& lines) {
  std::string out;
  for (const auto& line : lines)
    out += (out.empty() ? "" : ", ") + json::textAt(line, {"type"}) + " " +
           json::textAt(line, {"object", "metadata", "name"});
  return out;
}

}  // namespace

TEST_CASE("a watch tells what is there, or what comes after a version", "[T124][T129]") {
  const std::string path = hosts(peer().space());
  REQUIRE(peer().post(path, host("a")).status == 201);
  const Reply b = peer().post(path, host("b"));
  CHECK(told(peer().watch(path + "?watch=true", atLeast(2))) == "ADDED a, ADDED b");
  const std::string inItsTime = told(peer().watch(path + "?watch=true&timeoutSeconds=1", never));  // and ends
  CHECK(std::string("ADDED a, ADDED b").starts_with(inItsTime));
  const auto later = peer().watch(path + "?watch=true&resourceVersion=" + b.version(), atLeast(2), [&] {
    peer().patch(path + "/a", R"({"spec":{"online":false}})");
    peer().remove(path + "/b");
  });
  CHECK(told(later) == "MODIFIED a, DELETED b");
  CHECK(json::textAt(later[1], {"object", "metadata", "resourceVersion"}) != b.version());
}

TEST_CASE("objects enter and leave a selector", "[T126]") {
  const std::string path = hosts(peer().space());
  const Reply a = peer().post(path, host("a"));
  const auto lines =
      peer().watch(path + "?watch=true&labelSelector=k%3D1&resourceVersion=" + a.version(), atLeast(3), [&] {
        peer().patch(path + "/a", R"({"metadata":{"labels":{"k":"1"}}})");
        peer().patch(path + "/a", R"({"spec":{"online":false}})");
        peer().patch(path + "/a", R"({"metadata":{"labels":{"k":"2"}}})");
      });
  CHECK(told(lines) == "ADDED a, MODIFIED a, DELETED a");
  CHECK(json::textAt(lines[2], {"object", "metadata", "labels", "k"}) == "1");
}

TEST_CASE("a WatchList gives everything, says so, and goes on", "[T127][T128]") {
  const std::string path = hosts(peer().space());
  REQUIRE(peer().post(path, host("a")).status == 201);
  const std::string query =
      "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const auto lines = peer().watch(path + query, [&](const Lines& all) {
    if (all.size() == 2) peer().post(path, host("b"));
    return all.size() >= 3;
  });
  REQUIRE(lines.size() >= 3);
  CHECK(told({lines[0], lines[2]}) == "ADDED a, ADDED b");
  CHECK(json::textAt(lines[1], {"type"}) == "BOOKMARK");
  CHECK(json::textAt(lines[1], {"object", "kind"}) == "BareMetalHost");
  CHECK(lines[1].at("object").at("metadata").at("annotations").at("k8s.io/initial-events-end") == json::Value("true"));
  const Reply refused = peer().get(path + "?watch=true&sendInitialEvents=true");
  CHECK(refused.status == 422);
  CHECK(refused.message().find("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan") !=
        std::string::npos);
  CHECK(peer().get(path + "?sendInitialEvents=true").status == 422);
}

TEST_CASE("a watch as tables has its columns in the first one", "[T130]") {
  const std::string path = hosts(peer().space());
  REQUIRE(peer().post(path, host("a")).status == 201);
  REQUIRE(peer().post(path, host("b")).status == 201);
  const auto lines = peer().watch(path + "?watch=true", atLeast(2), {}, "application/json;as=Table;v=v1;g=meta.k8s.io");
  CHECK(lines[0].at("object").at("columnDefinitions").as_array().size() == 8);
  const json::Value& second = lines[1].at("object").at("columnDefinitions");
  CHECK((second.is_null() || second.as_array().empty()));
}
