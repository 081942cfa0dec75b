// What is told of unknown and repeated fields stays small, however many a body has.
#include "tests/contract/peer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

// u0 to u499, with or without a second one of each.
std::string members(bool twice) {
  std::string out;
  for (int i = 0; i < 500; ++i)
    out += fmt::format(R"({0}"u{1}":""{2})", i == 0 ? "" : ",", i, twice ? fmt::format(R"(,"u{}":"")", i) : "");
  return out;
}

std::size_t told(const Reply& strict) {
  const std::string message = strict.message();
  std::size_t out = 0;
  for (auto at = message.find(" field \""); at != std::string::npos; at = message.find(" field \"", at + 1)) ++out;
  return out;
}

std::vector<std::string> warnings(const Reply& reply) {
  std::vector<std::string> out;
  for (const auto& [name, value] : reply.headers.all())
    if (net::sameHeaderName(name, "Warning")) out.push_back(value);
  return out;
}

std::size_t bytes(const std::vector<std::string>& texts) {
  std::size_t out = 0;
  for (const auto& text : texts) out += text.size();
  return out;
}

}  // namespace

TEST_CASE("of many unknown fields of a built-in kind the first hundred are told", "[T046][T047]") {
  const std::string path = core(peer().space(), "configmaps");
  const std::string body = configMap("a", "," + members(false));
  const Reply strict = peer().post(path + "?fieldValidation=Strict", body);
  CHECK(strict.status == 400);
  CHECK(told(strict) == 100);
  CHECK(strict.message().ends_with("unknown field \"u99\""));
  const Reply warned = peer().post(path, body);
  CHECK(warned.status == 201);
  CHECK(warnings(warned).size() == 100);
  CHECK(warnings(warned).front() == "299 - \"unknown field \\\"u0\\\"\"");
}

TEST_CASE("of many repeated fields the first hundred are told, of built-in and custom kinds", "[T048][T049]") {
  const std::string space = peer().space();
  const std::string ours = core(space, "configmaps"), map = configMap("a", R"(,"data":{)" + members(true) + "}");
  const Reply strict = peer().post(ours + "?fieldValidation=Strict", map);
  CHECK(strict.status == 400);
  CHECK(told(strict) == 100);
  CHECK(strict.message().ends_with("duplicate field \"data.u99\""));
  CHECK(warnings(peer().post(ours, map)).size() == 100);
  const std::string annotated = host("a", R"({"online":true})", R"(,"annotations":{)" + members(true) + "}");
  const Reply custom = peer().post(hosts(space) + "?fieldValidation=Strict", annotated);
  CHECK(custom.status == 400);
  CHECK(told(custom) == 100);
  CHECK(custom.message().ends_with("duplicate field \"metadata.annotations.u99\""));
}

TEST_CASE("warnings take no more than four thousand characters and one of 256", "[T046]") {
  const std::string space = peer().space();
  std::string spec = R"("online":true)";
  for (int i = 0; i < 200; ++i) spec += fmt::format(R"(,"{}{:03}":1)", std::string(600, 'x'), i);
  const Reply warned = peer().post(hosts(space), host("a", "{" + spec + "}"));
  REQUIRE(warned.status == 201);
  CHECK(warnings(warned).size() == 16);
  CHECK(bytes(warnings(warned)) < 5000);
  for (const auto& each : warnings(warned)) CHECK(each.size() < 300);
  CHECK_FALSE(warned.json().at("spec").get_object().contains(std::string(600, 'x') + "000"));
}

TEST_CASE("the same warning is given once", "[T046]") {
  const Reply made =
      peer().post(core(peer().space(), "configmaps"), configMap("a", R"(,"data":{"k":"1","k":"2","k":"3"})"));
  REQUIRE(made.status == 201);
  CHECK(warnings(made) == std::vector<std::string>{"299 - \"duplicate field \\\"data.k\\\"\""});
  CHECK(made.at({"data", "k"}) == "3");
}
