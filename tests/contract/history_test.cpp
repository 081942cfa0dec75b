// What a server no longer remembers, and what it must never forget.
#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

std::string kindOf(const std::vector<json::Value>& lines) {
  return lines.empty() ? "" : json::textAt(lines.front(), {"type"});
}
auto any() {
  return [](const std::vector<json::Value>& lines) { return !lines.empty(); };
}

}  // namespace

TEST_CASE("an expired page, version or watch is told as such, and a page's token goes on", "[T117][T125]") {
  const std::string path = hosts(peer().space());
  for (const auto* name : {"a", "b", "c"}) REQUIRE(peer().post(path, host(name)).status == 201);
  const Reply page = peer().get(path + "?limit=1");
  REQUIRE(peer().patch(path + "/a", R"({"metadata":{"labels":{"a":"b"}}})").status == 200);
  peer().forgetHistory(path + "/a");

  const Reply exact = peer().get(path + "?resourceVersionMatch=Exact&resourceVersion=" + page.version());
  CHECK(exact.status == 410);
  CHECK(exact.message() == "The resourceVersion for the provided list is too old.");

  const Reply expired = peer().get(path + "?limit=1&continue=" + page.at({"metadata", "continue"}));
  CHECK(expired.status == 410);
  CHECK(expired.at({"reason"}) == "Expired");
  CHECK(
      expired.message().starts_with("The provided continue parameter is too old to display a consistent list result."));
  const Reply rest = peer().get(path + "?limit=9&continue=" + expired.at({"metadata", "continue"}));
  CHECK(rest.status == 200);
  CHECK(json::arrayAt(rest.json(), {"items"})->size() == 2);

  const auto lines =
      peer().watch(path + "?watch=true&resourceVersion=" + page.version(), [](const auto&) { return false; });
  REQUIRE(lines.size() == 1);  // and the stream has ended
  CHECK(kindOf(lines) == "ERROR");
  CHECK(json::intAt(lines[0], {"object", "code"}) == 410);
  CHECK(json::textAt(lines[0], {"object", "reason"}) == "Expired");
  CHECK(
      json::textAt(lines[0], {"object", "message"}).starts_with("too old resource version: " + page.version() + " ("));
}

TEST_CASE("after a restart versions go on, and an old watch resumes or is told to start over", "[T131]") {
  const std::string space = peer().space();
  const Reply a = peer().post(core(space, "configmaps"), configMap("a"));
  REQUIRE(a.status == 201);
  peer().restart();
  peer().eventually([&] { return peer().get(core(space, "configmaps") + "/a").status == 200; });
  const std::string path = core(space, "configmaps");
  CHECK(peer().get(path + "/a").text == a.text);
  const Reply b = peer().post(path, configMap("b"));
  REQUIRE(b.status == 201);
  CHECK(std::stoll(b.version()) > std::stoll(a.version()));
  const auto lines = peer().watch(path + "?watch=true&resourceVersion=" + a.version(), any());
  REQUIRE_FALSE(lines.empty());
  if (kindOf(lines) == "ERROR") {
    CHECK(json::intAt(lines[0], {"object", "code"}) == 410);
  } else {
    CHECK(kindOf(lines) == "ADDED");
    CHECK(json::textAt(lines[0], {"object", "metadata", "name"}) == "b");
  }
}
