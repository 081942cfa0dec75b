#include "json/value.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

std::string parseFailure(std::string_view text, json::ParseLimits limits = {}) {
  try {
    (void)json::parse(text, limits);
  } catch (const json::ParseError& e) {
    return e.what();
  }
  return "";
}

std::string roundTrip(std::string_view text) { return json::serialize(json::parse(text)); }

}  // namespace

TEST_CASE("parse errors name line and column", "[parse]") {
  CHECK(parseFailure("{\n  \"a\": x}").ends_with("at line 2, column 8"));
  CHECK(parseFailure("{} {}") == "extra data after the document at line 1, column 4");
  CHECK(parseFailure("{\"a\":") == "unexpected end of the document at line 1, column 6");
  CHECK_FALSE(parseFailure("").empty());
}

TEST_CASE("documents over a limit are refused", "[parse]") {
  CHECK(parseFailure("[1,2,3]", {.bytes = 4}) == "document of 7 bytes is over the limit of 4");
  CHECK_FALSE(parseFailure(std::string(200, '[') + std::string(200, ']')).empty());
  CHECK(parseFailure(std::string(100, '[') + std::string(100, ']')).empty());
}

TEST_CASE("of repeated members the last one wins", "[parse]") {
  CHECK(roundTrip(R"({"a":1,"b":2,"a":3})") == R"({"a":3,"b":2})");
}

TEST_CASE("numbers are written as Go writes them", "[serialize]") {
  CHECK(roundTrip("[3400.0, 0.5, 1e21, 1e-7, 123456789.25, -0.0]") == "[3400,0.5,1e+21,1e-7,123456789.25,-0]");
  CHECK(roundTrip("[18446744073709551615, -9223372036854775808]") == "[18446744073709551615,-9223372036854775808]");
}

TEST_CASE("sorted text is the same for equal documents", "[serialize]") {
  const char* const wanted = R"({"a":{"c":[1,{"y":1,"z":2}],"d":null},"b":"\n\"\u0001"})";
  CHECK(json::serializeSorted(json::parse(R"({"b":"\n\"\u0001","a":{"d":null,"c":[1,{"z":2,"y":1}]}})")) == wanted);
  CHECK(json::serializePretty(json::parse(R"({"b":[1],"a":{}})")) == "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}");
}

TEST_CASE("equality ignores order of members and the spelling of numbers", "[value]") {
  CHECK(json::equal(json::parse(R"({"a":1,"b":[2]})"), json::parse(R"({"b":[2.0],"a":1})")));
  CHECK_FALSE(json::equal(json::parse("[1,2]"), json::parse("[2,1]")));
  CHECK_FALSE(json::equal(json::parse("null"), json::parse("false")));
}

TEST_CASE("values are found by path and type", "[value]") {
  const auto v = json::parse(R"({"metadata":{"annotations":{"a.b/c":"x"}},"nics":[{"mac":"m"}],"n":3,"yes":true})");
  CHECK(json::textAt(v, {"metadata", "annotations", "a.b/c"}) == "x");
  CHECK(json::textAt(v, {"metadata", "labels", "x"}).empty());
  CHECK(json::intAt(v, {"n"}) == 3);
  CHECK(json::boolAt(v, {"yes"}) == true);
  CHECK_FALSE(json::boolAt(v, {"n"}).has_value());
  CHECK(json::findPath(v, "nics[0].mac")->get_string() == "m");
  CHECK(json::findPath(v, "nics[1].mac") == nullptr);
  CHECK(json::findPath(v, "nics[x]") == nullptr);
}

TEST_CASE("objects are made along a path", "[value]") {
  json::Value v;
  json::makeObjectAt(v, {"a", "b"})["c"] = 1;
  CHECK(json::serialize(v) == R"({"a":{"b":{"c":1}}})");
  CHECK_THROWS_WITH(json::makeObjectAt(v, {"a", "b", "c"}), "a.b.c: expected object, got number");
}
