#include "apiserver/schema/duplicates.hpp"
#include "apiserver/schema/validate.hpp"
#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::apiserver;

namespace {

kube::SchemaPtr schemaOf(const std::string& spec) {
  return kube::compileSchema(json::parse(R"({"type":"object","properties":{"spec":)" + spec + "}}"));
}

std::vector<std::string> problems(const std::string& spec, const std::string& value, const std::string& old = {}) {
  const json::Value object = json::parse(R"({"spec":)" + value + "}");
  const json::Value before = old.empty() ? json::Value() : json::parse(R"({"spec":)" + old + "}");
  std::vector<std::string> out;
  for (const auto& cause : validateObject(*schemaOf(spec), object, old.empty() ? nullptr : &before))
    out.push_back(cause.field + ": " + cause.message);
  return out;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("each keyword has upstream's words", "[schema]") {
  CHECK(problems(R"({"type":"boolean"})", R"("x")") ==
        Texts{R"(spec: Invalid value: "string": spec in body must be of type boolean: "string")"});
  CHECK(problems(R"({"type":"object","required":["a"]})", "{}") == Texts{"spec.a: Required value"});
  CHECK(problems(R"({"type":"string","enum":["a","b"]})", R"("c")") ==
        Texts{R"(spec: Unsupported value: "c": supported values: "a", "b")"});
  CHECK(problems(R"({"type":"string","pattern":"^a+$"})", R"("b")") ==
        Texts{"spec: Invalid value: \"b\": spec in body should match '^a+$'"});
  CHECK(problems(R"({"type":"integer","minimum":0})", "-1") ==
        Texts{"spec: Invalid value: -1: spec in body should be greater than or equal to 0"});
  CHECK(problems(R"({"type":"integer","maximum":9})", "10") ==
        Texts{"spec: Invalid value: 10: spec in body should be less than or equal to 9"});
  CHECK(problems(R"({"type":"string","maxLength":1})", R"("ab")") ==
        Texts{"spec: Too long: may not be more than 1 byte"});
  CHECK(problems(R"({"type":"string","minLength":1})", R"("")") ==
        Texts{"spec: Invalid value: \"\": spec in body should be at least 1 chars long"});
  CHECK(problems(R"({"type":"array","items":{"type":"string"},"maxItems":1})", R"(["a","b"])") ==
        Texts{"spec: Too many: 2: must have at most 1 item"});
  CHECK(problems(R"({"type":"object","minProperties":1})", "{}") ==
        Texts{"spec: Invalid value: 0: spec in body should have at least 1 properties"});
  CHECK(problems(R"({"type":"string","format":"date-time"})", R"("x")") ==
        Texts{R"(spec: Invalid value: "x": spec in body must be of type date-time: "x")"});
}

TEST_CASE("numbers: whole ones are integers, others are not; lengths count characters", "[schema]") {
  CHECK(problems(R"({"type":"integer"})", "1.0").empty());
  CHECK(problems(R"({"x-kubernetes-int-or-string":true})", "1.5") ==
        Texts{R"(spec: Invalid value: "number": spec in body must be of type integer,string: "number")"});
  CHECK(problems(R"({"type":"string","maxLength":2})", "\"äö\"").empty());
  CHECK(problems(R"({"type":"integer","format":"int32"})", "2147483648").size() == 1);
}

TEST_CASE("map lists refuse a repeated key, sets a repeated item", "[schema]") {
  const std::string map =
      R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string","default":"d"}}}})";
  CHECK(problems(map, R"([{"k":"1"},{"k":"1"}])") == Texts{R"(spec[1]: Duplicate value: {"k":"1"})"});
  CHECK(problems(map, R"([{"k":"d"},{}])").size() == 1);
  CHECK(problems(R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})", R"(["a","a"])") ==
        Texts{R"(spec[1]: Duplicate value: "a")"});
}

TEST_CASE("what has not changed is not judged again", "[schema]") {
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"string","maxLength":1},"b":{"type":"string"}}})";
  CHECK(problems(schema, R"({"a":"long","b":"2"})", R"({"a":"long","b":"1"})").empty());
  CHECK(problems(schema, R"({"a":"other"})", R"({"a":"long"})").size() == 1);
}

TEST_CASE("a rule about oldSelf holds on creation and while nothing changes", "[schema]") {
  const std::string schema =
      R"({"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"is immutable"}]})";
  CHECK(problems(schema, R"("a")").empty());
  CHECK(problems(schema, R"("a")", R"("a")").empty());
  CHECK(problems(schema, R"("b")", R"("a")") == Texts{"spec: Invalid value: \"b\": is immutable"});
}

TEST_CASE("errors that hide a node stop the rules, and say so", "[schema]") {
  const std::string schema =
      R"json({"type":"object","properties":{"a":{"type":"boolean"},"l":{"type":"array","items":{"type":"integer"},
    "x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x == y))","message":"unique"}]}}})json";
  CHECK(problems(schema, R"({"a":1,"l":[1,1]})")
            .back()
            .starts_with("<nil>: Invalid value: null: some validation rules were not checked"));
}

TEST_CASE("repeated members are found at any depth", "[schema]") {
  CHECK(duplicateFields(R"({"a":1,"a":2,"b":{"c":1,"c":2,"c":3},"l":[{"x":"{\"q\":1}","x":2}]})") ==
        Texts{"a", "b.c", "l[0].x"});
  CHECK(duplicateFields(R"({"a":{"x":1},"b":{"x":1},"q\u0061":1})").empty());
  CHECK(duplicateFields(R"({"a":1,"\u0061":2})") == Texts{"a"});
}

TEST_CASE("of thousands of errors the first hundred are told, and how many more there are", "[schema]") {
  std::string items = "[0";
  for (int i = 1; i < 5000; ++i) items += ",0";
  const auto told = problems(R"({"type":"array","items":{"type":"string"}})", items + "]");
  REQUIRE(told.size() == 101);
  CHECK(told[99] == R"(spec[99]: Invalid value: "integer": spec[99] in body must be of type string: "integer")");
  CHECK(told[100] == "<nil>: and 4900 more problems, which are not shown");
}

TEST_CASE("an error does not repeat a value of any length, and stays a text", "[schema]") {
  std::string umlauts = "x";
  for (int i = 0; i < 500'000; ++i) umlauts += "ä";
  const auto told = problems(R"({"type":"string","pattern":"^a+$"})", "\"" + umlauts + "\"");
  REQUIRE(told.size() == 1);
  CHECK(told[0].size() < 4200);
  CHECK(told[0].ends_with("ä…"));
  CHECK(base::isUtf8(told[0]));
}
