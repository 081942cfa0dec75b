#include "json/stubs.hpp"

#include "json/value.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string objectOf(std::size_t depth) {
  return R"({"metadata":{"name":"deep","labels":{"a":"b"}},"spec":)" + nested(depth - 1) + "}";
}

const std::string kStub = R"([{"metadata":{"name":"deep","labels":null},"spec":[null]}])";

}  // namespace

TEST_CASE("an object that is nested too deep is a stub, and the rest stays as it is", "[parse]") {
  const std::string flat = R"({"metadata":{"name":"flat"},"spec":{"a":[1,"]"]}})";
  const auto list = [&](const std::string& object) {
    return R"({"kind":"List","items":[)" + flat + "," + object + "," + flat + R"(],"metadata":{}})";
  };
  CHECK(json::withStubs(list(objectOf(10'000)), 3, 128) == list(kStub));
  CHECK(json::withStubs(list(objectOf(129)), 3, 128) == list(kStub));
  CHECK_FALSE(json::withStubs(list(objectOf(128)), 3, 128));
  CHECK_FALSE(json::withStubs(list(flat), 3, 128));
  const auto event = [](const std::string& object) { return R"({"type":"ADDED","object":)" + object + "}"; };
  CHECK(json::withStubs(event(objectOf(129)), 2, 128) == event(kStub));
}

TEST_CASE("what is too deep is as deep as a parser says", "[parse]") {
  for (const std::size_t depth : {127u, 128u, 129u}) {
    INFO(depth);
    const std::string text = "[" + nested(depth) + "]";
    const auto parses = [](const std::string& t) {
      try {
        static_cast<void>(json::parse(t, {.depth = 129}));
      } catch (const json::ParseError&) {
        return false;
      }
      return true;
    };
    CHECK(parses(text) != json::withStubs(text, 2, 128).has_value());
  }
}

TEST_CASE("brackets in strings are none", "[parse]") {
  const std::string text = R"([{"a":"[[[[","b\"[":"\\","c":[[]]}])";
  CHECK(json::withStubs(text, 2, 2) == R"([[{"a":"[[[[","b\"[":"\\","c":[null]}]])");
  CHECK_FALSE(json::withStubs(text, 2, 3));
}

TEST_CASE("a text whose brackets do not match has no stubs", "[parse]") {
  for (const std::string& text : {"[[[[]]]", "[[[[]]]]]", "[[[[}]]]", "[[[{]]]]", "]", "[[[[]]]\"]"}) {
    INFO(text);
    CHECK_FALSE(json::withStubs(text, 1, 2));
  }
}

TEST_CASE("what no API server can have stored is not gone through", "[parse]") {
  CHECK(json::withStubs("[" + nested(10'000) + "]", 1, 128));
  CHECK_FALSE(json::withStubs(nested(1'000'000), 1, 128));
  CHECK_FALSE(json::withStubs(std::string(1'000'000, '['), 1, 128));
}
