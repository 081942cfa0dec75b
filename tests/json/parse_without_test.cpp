#include "json/parse_without.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string left(std::string_view text, std::size_t depth = 2) {
  return json::serialize(json::parseWithout(text, {.parent = "metadata", .member = "managedFields", .depth = depth}));
}

}  // namespace

TEST_CASE("a member that nobody reads is left out of a document") {
  CHECK(left(R"({"metadata":{"name":"a","managedFields":[{"f":{"f:x":{}}},1],"uid":"u"},"spec":{"n":[1]}})") ==
        R"({"metadata":{"name":"a","uid":"u"},"spec":{"n":[1]}})");
  CHECK(left(R"({"metadata":{"managedFields":[]}})") == R"({"metadata":{}})");
  for (const char* value : {"null", "true", "7", "-7", "18446744073709551615", "1.5", R"("text")", R"("a\nb")", "{}",
                            R"({"metadata":{"managedFields":{"a":[{}]}}})"}) {
    const auto text = fmt::format(R"({{"metadata":{{"managedFields":{},"b":2}},"c":3}})", value);
    CHECK(left(text) == R"({"metadata":{"b":2},"c":3})");
  }
}

TEST_CASE("a member that is left out may stand there twice") {
  CHECK(left(R"({"metadata":{"managedFields":1,"a":1,"managedFields":[2]},"metadata":{"managedFields":3,"b":2}})") ==
        R"({"metadata":{"b":2}})");
}

TEST_CASE("a member of that name elsewhere stays") {
  for (const char* text :
       {R"({"managedFields":1})", R"({"spec":{"managedFields":1}})", R"({"spec":{"metadata":{"managedFields":1}}})",
        R"([{"managedFields":1}])", R"({"metadata":{"annotations":{"managedFields":"1"}}})",
        R"({"metadata":1,"spec":{"managedFields":1}})", R"({"metadata":[{"managedFields":1}]})",
        R"({"metadata":{"x":{"metadata":{"managedFields":1}}}})",
        R"({"metadata":"managedFields","managedFields":"metadata"})"})
    CHECK(left(text) == text);
}

TEST_CASE("what is left out stands as deep as was said") {
  CHECK(left(R"({"type":"ADDED","object":{"metadata":{"managedFields":[1],"name":"a"}}})", 3) ==
        R"({"type":"ADDED","object":{"metadata":{"name":"a"}}})");
  CHECK(left(R"({"items":[{"metadata":{"managedFields":[1]}},{"metadata":{"managedFields":[1],"a":1}}]})", 4) ==
        R"({"items":[{"metadata":{}},{"metadata":{"a":1}}]})");
  const auto whole = R"({"metadata":{"managedFields":[1]}})";
  CHECK(left(whole, 3) == whole);
  CHECK(left(whole, 0) == whole);
}

TEST_CASE("what is left out must be JSON all the same") {
  CHECK_THROWS_AS(left(R"({"metadata":{"managedFields":[1,]}})"), json::ParseError);
  CHECK_THROWS_AS(left(R"({"metadata":{"managedFields":1e999}})"), json::ParseError);
  CHECK_THROWS_AS(left(R"({"metadata":{"managedFields":[{}}})"), json::ParseError);
}

TEST_CASE("a document that is for reading lives in one block of its own", "[parse]") {
  const json::Value document = json::parseWithout(R"({"a":{"b":[1,"two"]}})", {});
  const auto isOwn = [](const boost::json::storage_ptr& storage) {
    return storage.get() != boost::json::storage_ptr().get();
  };
  CHECK(isOwn(document.storage()));
  CHECK(document.at("a").at("b").storage() == document.storage());
  const json::Value kept(document.at("a"), boost::json::storage_ptr());
  CHECK_FALSE(isOwn(kept.at("b").storage()));
}
