#include "json/value.hpp"

#include "base/random.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>

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

TEST_CASE("a number is the double that is nearest to its text", "[parse]") {
  // Of 17 digits, and with exponents: each is wrong in the last digit when mantissa and power of ten are multiplied.
  const std::vector<std::string> texts = {"0.30000000000000004",
                                          "7.2057594037927933e+16",
                                          "1.7976931348623157e+308",
                                          "2.2250738585072014e-308",
                                          "5e-324",
                                          "9007199254740993.0",
                                          "123456789012345678901234567890",
                                          "3.1415926535897931",
                                          "8.41e+21"};
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(json::parse(text).as_double() == std::strtod(text.c_str(), nullptr));
    CHECK(json::parse("[-" + text + ",1]").at(0).as_double() == -std::strtod(text.c_str(), nullptr));
  }
  const auto random = base::seededRandom(7);
  for (int i = 0; i < 10'000; ++i) {
    const double wanted = std::bit_cast<double>(random->next());
    if (!std::isfinite(wanted)) continue;
    const std::string text = fmt::format("{:.17g}", wanted);
    if (text.find_first_of(".e") == std::string::npos) continue;
    INFO(text);
    REQUIRE(json::parse(text).as_double() == wanted);
  }
}

TEST_CASE("a number that no double holds is refused by name, one too small is nought", "[parse]") {
  CHECK(parseFailure("{\"a\":\n 1e400}") == "number 1e400 is out of range at line 2, column 2");
  CHECK(parseFailure("[1, -1.5e999]") == "number -1.5e999 is out of range at line 1, column 5");
  CHECK(parseFailure("1" + std::string(400, '0')).starts_with("number 1000"));
  CHECK(json::parse("1e-400").as_double() == 0);
}

TEST_CASE("a document that stops in the middle is told from a wrong one", "[parse]") {
  for (const std::string& text : {"", " ", "{", "{\"a\"", "[1,", "tru", "-", "1.", "1e", "\"a", "\"\\u00"}) {
    INFO(text);
    try {
      (void)json::parse(text);
      FAIL("it was taken");
    } catch (const json::ParseError& e) {
      CHECK(e.endedEarly());
    }
  }
  try {
    (void)json::parse("[1,}");
    FAIL("it was taken");
  } catch (const json::ParseError& e) {
    CHECK_FALSE(e.endedEarly());
  }
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

TEST_CASE("a document of countless values is refused") {
  const auto ofItems = [](std::size_t count) {
    std::string text = "[0";
    for (std::size_t i = 1; i < count; ++i) text += ",0";
    return text + "]";
  };
  CHECK(json::parse(ofItems(1'000'000)).as_array().size() == 1'000'000);
  CHECK_THROWS_WITH(json::parse(ofItems(2'000'001)), Catch::Contains("document of more than 2000000 values"));
}
