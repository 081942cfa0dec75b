#include "coordinator/webhooks/json_patch.hpp"

#include "json/patch.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using coordinator::webhooks::patchBetween;

TEST_CASE("a JSON patch turns one document into the other", "[webhooks]") {
  const std::pair<const char*, const char*> rows[] = {
      {R"({})", R"({})"},
      {R"({"a":1})", R"({"a":1.0})"},
      {R"({})", R"({"a":{"b":[1]}})"},
      {R"({"a":1,"b":2})", R"({"b":3})"},
      {R"({"a":{"b":1,"c":{"d":2}}})", R"({"a":{"c":{"d":3,"e":null}}})"},
      {R"({"a":[1,2,3]})", R"({"a":[1,3]})"},
      {R"({"a":{"b":1}})", R"({"a":[1]})"},
      {R"({"metadata":{"annotations":{"a/b":"1","c~d":"2","~1":"3"}}})",
       R"({"metadata":{"annotations":{"a/b":"x","~1":"3"}}})"},
      {R"([1])", R"({"a":1})"},
  };
  for (const auto& [from, to] : rows) {
    INFO(from << " to " << to);
    json::Value document = json::parse(from);
    const json::Array patch = patchBetween(document, json::parse(to));
    json::applyJsonPatch(document, patch);
    CHECK(json::equal(document, json::parse(to)));
    CHECK(patch.empty() == json::equal(json::parse(from), json::parse(to)));
  }
}

TEST_CASE("a JSON patch names only what differs", "[webhooks]") {
  const auto patch = patchBetween(json::parse(R"({"spec":{"a":1,"b":{"c":2}},"status":{"x":1}})"),
                                  json::parse(R"({"spec":{"a":1,"b":{"c":2,"d/e":3}},"status":{"x":1}})"));
  CHECK(json::serialize(patch) == R"([{"op":"add","path":"/spec/b/d~1e","value":3}])");
}
