// The schema of a kind, compiled: what it drops, fills in and finds wrong.
#include "kube/schema/cel_rules.hpp"
#include "kube/schema/judge.hpp"
#include "kube/schema/prune.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::kube;

namespace {

SchemaPtr schemaOf(const std::string& spec) {
  return compileSchema(json::parse(R"({"type":"object","properties":{"spec":)" + spec + "}}"));
}

using Texts = std::vector<std::string>;
using What = Breach::What;

std::string pruned(const std::string& spec, const std::string& object, Texts* unknown = nullptr) {
  json::Value value = json::parse(object);
  Texts found;
  pruneObject(*schemaOf(spec), value, unknown ? *unknown : found);
  return json::serialize(value);
}

std::string defaulted(const std::string& spec, const std::string& object) {
  json::Value value = json::parse(object);
  applyDefaults(*schemaOf(spec), value);
  return json::serializeSorted(value);
}

struct Found {
  What what;
  std::string field;
  friend bool operator==(const Found&, const Found&) = default;
};

std::vector<Found> found(const std::string& spec, const std::string& value) {
  const json::Value object = json::parse(R"({"spec":)" + value + "}");
  const SchemaPtr schema = schemaOf(spec);
  std::vector<Found> out;
  for (const Breach& breach : judge(*schema, object)) out.push_back({breach.what, breach.field});
  return out;
}

}  // namespace

TEST_CASE("each keyword that is broken is told apart, with its field", "[schema]") {
  struct Row {
    std::string spec, value;
    What what;
    std::string field = "spec";
  };
  const Row rows[] = {
      {R"({"type":"boolean"})", R"("x")", What::wrongType},
      {R"({"type":"string","format":"uuid"})", R"("x")", What::wrongFormat},
      {R"({"type":"integer","format":"int32"})", "2147483648", What::outOfFormat},
      {R"({"type":"string","minLength":1})", R"("")", What::tooShort},
      {R"({"type":"string","maxLength":1})", R"("ab")", What::tooLong},
      {R"({"type":"string","pattern":"^a+$"})", R"("b")", What::noMatch},
      {R"({"type":"integer","minimum":0})", "-1", What::tooSmall},
      {R"({"type":"number","maximum":1,"exclusiveMaximum":true})", "1", What::tooLarge},
      {R"({"type":"array","minItems":1,"items":{"type":"string"}})", "[]", What::tooFewItems},
      {R"({"type":"array","maxItems":1,"items":{"type":"string"}})", R"(["a","b"])", What::tooManyItems},
      {R"({"type":"object","minProperties":1})", "{}", What::tooFewMembers},
      {R"({"type":"object","maxProperties":1,"additionalProperties":{"type":"string"}})", R"({"a":"","b":""})",
       What::tooManyMembers},
      {R"({"type":"string","enum":["a","b"]})", R"("c")", What::notAllowed},
      {R"({"type":"object","required":["a"]})", "{}", What::missing, "spec.a"},
      {R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})", R"(["a","a"])", What::repeated,
       "spec[1]"},
      {R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}})", "[1,1,1]", What::repeated,
       "spec[1]"},
      {R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{}})",
       R"([{},"x"])", What::noKeys, "spec[1]"},
      {R"({"type":"string","minLength":3,"pattern":"^a+$"})", R"("b")", What::tooShort},
      {R"json({"type":"array","items":{"type":"integer"},"x-kubernetes-validations":[
          {"rule":"self.all(x, self.exists_one(y, x == y))","message":"unique"}]})json",
       "[1,1]", What::rule},
      {R"({"type":"object","additionalProperties":{"type":"string"}})", R"({"a.b/c":1})", What::wrongType,
       "spec.a.b/c"},
  };
  for (const Row& row : rows) {
    INFO(row.spec << " " << row.value);
    CHECK(found(row.spec, row.value) == std::vector<Found>{{row.what, row.field}});
  }
}

TEST_CASE("an item of a map list is judged anew where it has changed, wherever it stands now", "[schema]") {
  const SchemaPtr schema = schemaOf(
      R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object",
          "properties":{"k":{"type":"string"},"v":{"type":"integer","maximum":1}}}})");
  const auto past = json::parse(R"({"spec":[{"k":"a","v":1},{"k":"b","v":9},{"k":"c","v":9},{"k":"d","v":9}]})");
  const auto breachesOf = [&](const std::string& spec) {
    const auto present = json::parse(R"({"spec":)" + spec + "}");
    Breaches all;
    judgeValues(*schema, present, &past, all);
    return all.size();
  };
  CHECK(breachesOf(R"([{"k":"a","v":0},{"k":"b","v":9},{"k":"c","v":9},{"k":"d","v":9}])") == 0);
  CHECK(breachesOf(R"([{"k":"d","v":9},{"k":"b","v":9},{"k":"a","v":1}])") == 0);
  CHECK(breachesOf(R"([{"k":"x","v":1},{"k":"c","v":9},{"k":"y","v":1},{"k":"d","v":9}])") == 0);
  CHECK(breachesOf(R"([{"k":"c","v":9},{"k":"b","v":8},{"k":"x","v":9}])") == 2);
  CHECK(breachesOf("[]") == 0);
}

TEST_CASE("rules are not asked about an object of wrong types", "[schema]") {
  const std::string schema =
      R"json({"type":"object","properties":{"a":{"type":"boolean"},"l":{"type":"array","items":{"type":"integer"},
    "x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x == y))","message":"unique"}]}}})json";
  CHECK(found(schema, R"({"a":1,"l":[1,1]})") == std::vector<Found>{{What::wrongType, "spec.a"}});
}

TEST_CASE("unknown fields go, unless an ancestor keeps them", "[schema]") {
  Texts unknown;
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}}}},
    "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"in":{"type":"object","properties":{}}}}}})";
  CHECK(pruned(schema, R"({"spec":{"a":[{"b":"1","c":2}],"x":1,"free":{"y":1,"in":{"z":1}}}})", &unknown) ==
        R"({"spec":{"a":[{"b":"1"}],"free":{"y":1,"in":{}}}})");
  CHECK(unknown == Texts{"spec.a[0].c", "spec.x", "spec.free.in.z"});
}

TEST_CASE("metadata knows its members, of embedded objects too", "[schema]") {
  CHECK(pruned("{\"type\":\"object\"}", R"({"metadata":{"name":"a","foo":1}})") == R"({"metadata":{"name":"a"}})");
  CHECK(pruned(R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})",
               R"({"spec":{"kind":"K","metadata":{"name":"a","foo":1},"data":{}}})") ==
        R"({"spec":{"kind":"K","metadata":{"name":"a"},"data":{}}})");
}

TEST_CASE("defaults come where the parent is, and replace null", "[schema]") {
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"string","default":"x"},"n":{"type":"string","nullable":true,"default":"y"},
    "o":{"type":"object","default":{},"properties":{"deep":{"type":"integer","default":1}}},"plain":{"type":"string"}}})";
  CHECK(defaulted(schema, R"({"spec":{}})") == R"({"spec":{"a":"x","n":"y","o":{"deep":1}}})");
  CHECK(defaulted(schema, R"({"spec":{"a":null,"n":null,"plain":null}})") ==
        R"({"spec":{"a":"x","n":null,"o":{"deep":1}}})");
  CHECK(defaulted(schema, "{}") == "{}");
}

TEST_CASE("the known rules", "[schema]") {
  struct Row {
    std::string rule, good, bad;
  };
  const Row rows[] = {
      {"!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])", R"("Mine")",
       R"("Ready")"},
      {"self.all(x, self.exists_one(y, x == y))", R"([1,2])", R"([1,1])"},
      {"self.all(x, self.exists_one(y, x.name == y.name))", R"([{"name":"a"},{"name":"b"}])",
       R"([{"name":"a"},{"name":"a","v":1}])"},
      {"[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1", R"({"layout":true})", R"({})"},
  };
  for (const auto& row : rows) {
    const auto rule = knownRule(row.rule);
    REQUIRE(rule);
    CHECK(holds(*rule, json::parse(row.good), nullptr));
    CHECK_FALSE(holds(*rule, json::parse(row.bad), nullptr));
  }
  CHECK_FALSE(knownRule("self.size() < 5"));
}

TEST_CASE("a schema that could only be half obeyed is refused", "[schema]") {
  for (const auto* spec : {R"({"type":"object","oneOf":[]})", R"({"type":"string","not":{}})", R"({"type":"strin"})",
                           R"({"type":"string","pattern":"("})",
                           R"({"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]})"})
    CHECK_THROWS_AS(schemaOf(spec), SchemaError);
}

TEST_CASE("the first hundred breaches are kept, and the others counted", "[schema]") {
  const SchemaPtr schema = schemaOf(R"({"type":"array","items":{"type":"integer","minimum":5}})");
  std::string items = "[0";
  for (int i = 1; i < 5000; ++i) items += ",0";
  const json::Value object = json::parse(R"({"spec":)" + items + "]}");
  const Breaches all = judge(*schema, object);
  CHECK(all.size() == 100);
  CHECK(all.more() == 4900);
  CHECK(all.begin()->field == "spec[0]");
  CHECK_FALSE(all.hideRules());
}

TEST_CASE("a breach that is only counted hides the rules, too", "[schema]") {
  const SchemaPtr schema = schemaOf(R"({"type":"array","items":{"type":"integer","minimum":5}})");
  std::string items = "[0";
  for (int i = 1; i < 200; ++i) items += ",0";
  const json::Value object = json::parse(R"({"spec":)" + items + R"(,"x"]})");
  CHECK(judge(*schema, object).hideRules());
}

TEST_CASE("breaches far down long names are few, whatever their number", "[schema]") {
  const SchemaPtr schema =
      schemaOf(R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}})");
  const json::Value object = json::parse(R"({"spec":{")" + std::string(60'000, 'k') + R"(":[1,2,3,4,5,6]}})");
  const Breaches all = judge(*schema, object);
  CHECK(all.size() == 2);
  CHECK(all.more() == 4);
}
