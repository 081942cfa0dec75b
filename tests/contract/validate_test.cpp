#include "tests/contract/definitions.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;
using namespace ingot::contract;

namespace {

// "field: message" of every cause: their order is not promised.
std::set<std::string> causes(const Reply& reply) {
  std::set<std::string> out;
  const json::Value status = reply.json();
  if (const json::Array* all = json::arrayAt(status, {"details", "causes"}))
    for (const auto& cause : *all) out.insert(json::textAt(cause, {"field"}) + ": " + json::textAt(cause, {"message"}));
  return out;
}

Reply custom(const std::string& path, const std::string& kind, const std::string& name, const std::string& spec) {
  return peer().post(path, R"({"apiVersion":"test.io/v1","kind":")" + kind + R"(","metadata":{"name":")" + name +
                               R"("},"spec":)" + spec + "}");
}

}  // namespace

TEST_CASE("several errors make one 422 with a cause each", "[T050][T051]") {
  const std::string space = peer().space();
  const Reply refused = peer().post(
      hosts(space), host("a", R"({"online":"yes","automatedCleaningMode":"foo","bootMACAddress":"zz","image":{},
    "raid":{"hardwareRAIDVolumes":[{"level":"1","sizeGibibytes":-1}]}})"));
  CHECK(refused.status == 422);
  CHECK(refused.message().starts_with("BareMetalHost.metal3.io \"a\" is invalid: ["));
  CHECK(refused.at({"details", "kind"}) == "BareMetalHost");
  CHECK(causes(refused) ==
        std::set<std::string>{
            "spec.online: Invalid value: \"string\": spec.online in body must be of type boolean: \"string\"",
            "spec.automatedCleaningMode: Unsupported value: \"foo\": supported values: \"metadata\", \"disabled\"",
            ("spec.bootMACAddress: Invalid value: \"zz\": spec.bootMACAddress in body should match "
             "'[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}'"),
            "spec.image.url: Required value",
            ("spec.raid.hardwareRAIDVolumes[0].sizeGibibytes: Invalid value: -1: "
             "spec.raid.hardwareRAIDVolumes[0].sizeGibibytes in body should be greater than or equal to 0")});
  const Reply one = peer().post(hosts(space), host("a", R"({"online":5})"));
  CHECK(one.message() ==
        "BareMetalHost.metal3.io \"a\" is invalid: spec.online: Invalid value: \"integer\": spec.online in body must "
        "be of type boolean: \"integer\"");
}

TEST_CASE("an enum of a value of the wrong type gives both causes", "[T050]") {
  const std::string space = peer().space();
  CHECK(causes(peer().post(
            hosts(space), host("a", R"({"online":true,"automatedCleaningMode":5,"firmware":{"sriovEnabled":"x"}})"))) ==
        std::set<std::string>{
            "spec.automatedCleaningMode: Invalid value: \"integer\": spec.automatedCleaningMode in body must be of "
            "type string: \"integer\"",
            "spec.automatedCleaningMode: Unsupported value: 5: supported values: \"metadata\", \"disabled\"",
            "spec.firmware.sriovEnabled: Invalid value: \"string\": spec.firmware.sriovEnabled in body must be of type "
            "boolean: \"string\"",
            "spec.firmware.sriovEnabled: Unsupported value: \"x\": supported values: \"true\", \"false\""});
}

TEST_CASE("defaults fill what is missing, and what is null", "[T052][T053]") {
  const std::string space = peer().space();
  CHECK(peer().post(hosts(space), host("a")).at({"spec", "automatedCleaningMode"}) == "metadata");
  const Reply nulls =
      peer().post(hosts(space), host("b", R"({"online":true,"automatedCleaningMode":null,"description":null})"));
  CHECK(nulls.status == 201);
  CHECK(nulls.at({"spec", "automatedCleaningMode"}) == "metadata");
  CHECK(json::find(nulls.json(), {"spec", "description"}) == nullptr);
}

TEST_CASE("lengths, counts, int-or-string, formats, list keys", "[T054][T059]") {
  const std::string space = peer().space();
  const std::string path = install("limits", "Limit", R"({"type":"object","properties":{
    "ios":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
    "long":{"type":"string","maxLength":1},"short":{"type":"string","minLength":1},"max":{"type":"integer","maximum":9},
    "many":{"type":"array","maxItems":1,"items":{"type":"string"}},"few":{"type":"array","minItems":1,"items":{"type":"string"}},
    "some":{"type":"object","minProperties":1,"additionalProperties":{"type":"string"}},
    "data":{"type":"object","additionalProperties":{"type":"integer"}},
    "when":{"type":"string","format":"date-time"},"i":{"type":"integer","format":"int32"},
    "m":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}},
    "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}})",
                                   space);
  CHECK(custom(path, "Limit", "a", R"({"ios":1})").status == 201);
  CHECK(custom(path, "Limit", "b", R"({"ios":"5%"})").status == 201);
  CHECK(causes(custom(path, "Limit", "c", R"({"ios":1.5})")) ==
        std::set<std::string>{
            "spec.ios: Invalid value: \"number\": spec.ios in body must be of type integer,string: \"number\"",
            "<nil>: Invalid value: \"\": \"spec.ios\" must validate at least one schema (anyOf)",
            "spec.ios: Invalid value: \"number\": spec.ios in body must be of type integer: \"number\"",
            "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in spec.ios"});
  CHECK(
      causes(custom(
          path, "Limit", "c",
          R"({"long":"ab","short":"","max":10,"many":["a","b"],"few":[],"some":{},"data":{"a b":"x"},"when":"xx"})")) ==
      std::set<std::string>{
          "spec.long: Too long: may not be more than 1 byte",
          "spec.short: Invalid value: \"\": spec.short in body should be at least 1 chars long",
          "spec.max: Invalid value: 10: spec.max in body should be less than or equal to 9",
          "spec.many: Too many: 2: must have at most 1 item",
          "spec.few: Invalid value: 0: spec.few in body should have at least 1 items",
          "spec.some: Invalid value: 0: spec.some in body should have at least 1 properties",
          "spec.data.a b: Invalid value: \"string\": spec.data.a b in body must be of type integer: \"string\"",
          "spec.when: Invalid value: \"xx\": spec.when in body must be of type date-time: \"xx\""});
  CHECK(causes(custom(path, "Limit", "c", R"({"i":99999999999})"))
            .contains("<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in spec.i"));
  CHECK(causes(custom(path, "Limit", "c", R"({"m":[{"k":"1"},{"k":"1"}],"set":["a","a"]})")) ==
        std::set<std::string>{"spec.m[1]: Duplicate value: {\"k\":\"1\"}", "spec.set[1]: Duplicate value: \"a\""});
  uninstall("limits");
}

TEST_CASE("formats are as lenient as upstream's", "[T054]") {
  const std::string space = peer().space();
  const std::string path = install("forms", "Form", R"({"type":"object","properties":{
    "when":{"type":"string","format":"date-time"},"bytes":{"type":"string","format":"byte"},
    "id":{"type":"string","format":"uuid"},"url":{"type":"string","format":"uri"},
    "i":{"type":"integer"},"i32":{"type":"integer","format":"int32"},"n":{"type":"number"}}})",
                                   space);
  const auto answer = [&](std::string_view field, std::string_view value) {
    const Reply reply = custom(path, "Form", "a", fmt::format(R"({{"{}":{}}})", field, value));
    if (reply.status == 201) peer().remove(path + "/a");
    return reply.status;
  };
  for (const auto* fits : {R"("2026-01-02t03:04:05z")", R"("2026-01-02T03:04:05,5+99:99")",
                           R"("0000-02-29T00:00:00ZT")", R"(["anything"])"})
    CHECK(answer("when", fits) == 201);
  for (const auto* bad :
       {R"("2026-02-29T00:00:00Z")", R"("2026-01-02T03:04:05.Z")", R"("2026-01-02T03:04:60Z")", "true"})
    CHECK(answer("when", bad) == 422);
  for (const auto* fits : {R"("YQ==")", R"("YR==")"}) CHECK(answer("bytes", fits) == 201);
  for (const auto* bad : {R"("")", R"("YQ")", R"("YWJj\n")", R"("-_8=")"}) CHECK(answer("bytes", bad) == 422);
  CHECK(answer("id", R"("5C6A2B1E0A51-4F1A9D5E6A3F9C1D2E01")") == 201);
  CHECK(answer("id", R"("5c6a2b1e")") == 422);
  for (const auto* fits : {R"("http://x/#%41")", R"("//")", R"("http:a%zz")", R"("http://a]/")", R"("http://@x/")"})
    CHECK(answer("url", fits) == 201);
  for (const auto* bad :
       {R"("http://[1.2.3.4]/")", R"("http://::1/")", R"("http://x|y/")", R"("http://a<b@x/")", R"("?")"})
    CHECK(answer("url", bad) == 422);
  for (const auto* fits : {"1.0", "1e3", "9223372036854775807"}) CHECK(answer("i", fits) == 201);
  for (const auto* bad : {"9007199254740993.0", "9223372036854775808", "1e300"}) CHECK(answer("i", bad) == 422);
  CHECK(answer("i32", "3e9") == 422);
  CHECK(answer("n", "1e-400") == 201);
  CHECK(answer("n", "1e400") == 400);
  uninstall("forms");
}

TEST_CASE("messages quote texts as Go does", "[T050]") {
  const std::string space = peer().space();
  const std::string path = install("quotes", "Quote", R"({"type":"object","properties":{
    "p":{"type":"string","pattern":"^a"},"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}})",
                                   space);
  CHECK(causes(custom(path, "Quote", "a", R"({"p":"<\u007f\u00ad\u2028\u0007\ud83d\ude00\ufeff\"é"})")) ==
        std::set<std::string>{
            "spec.p: Invalid value: \"<\\x7f\\u00ad\\u2028\\a😀\\ufeff\\\"é\": spec.p in body should match '^a'"});
  CHECK(causes(custom(path, "Quote", "a", R"({"set":["\u0001","b","\u0001","\u0001"]})")) ==
        std::set<std::string>{"spec.set[2]: Duplicate value: \"\\x01\""});
  uninstall("quotes");
}

TEST_CASE("the CEL rules of the Cluster API kinds", "[T055][T056][T057][T058]") {
  const std::string space = peer().space();
  const std::string path = install("rules", "Rule", R"json({"type":"object","properties":{
    "machines":{"type":"array","maxItems":32,"items":{"type":"object","properties":{"n":{"type":"string","maxLength":9}}},
      "x-kubernetes-list-type":"atomic","x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x == y))","message":"entries in machines must be unique"}]},
    "type":{"type":"string","maxLength":99,"x-kubernetes-validations":[{"rule":"!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])","message":"type must not be one of them"}]},
    "part":{"type":"object","properties":{"layout":{"type":"boolean"},"diskLayout":{"type":"string","maxLength":9}},
      "x-kubernetes-validations":[{"rule":"[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1","message":"exactly one of the fields in [layout diskLayout] must be set"}]},
    "args":{"type":"array","maxItems":9,"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":9}}},
      "x-kubernetes-list-type":"atomic","x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x.name == y.name))","message":"extraArgs name must be unique"}]},
    "fixed":{"type":"string","maxLength":9,"x-kubernetes-validations":[{"rule":"self == oldSelf","message":"is immutable"}]}}})json",
                                   space);
  CHECK(
      causes(custom(
          path, "Rule", "a",
          R"({"machines":[{"n":"x"},{"n":"x"}],"type":"Ready","part":{"layout":true,"diskLayout":"x"},"args":[{"name":"a"},{"name":"a"}]})")) ==
      std::set<std::string>{"spec.machines: Invalid value: entries in machines must be unique",
                            "spec.type: Invalid value: \"Ready\": type must not be one of them",
                            "spec.part: Invalid value: exactly one of the fields in [layout diskLayout] must be set",
                            "spec.args: Invalid value: extraArgs name must be unique"});
  CHECK(causes(custom(path, "Rule", "a", R"({"type":5})"))
            .contains("<nil>: Invalid value: null: some validation rules were not checked because the object was "
                      "invalid; correct the existing errors to complete validation"));
  CHECK(custom(path, "Rule", "a", R"({"fixed":"x","part":{"layout":true}})").status == 201);
  CHECK(causes(peer().patch(path + "/a", R"({"spec":{"fixed":"y"}})")) ==
        std::set<std::string>{"spec.fixed: Invalid value: \"y\": is immutable"});
  uninstall("rules");
}

TEST_CASE("a write to /status is judged from there", "[T050]") {
  const std::string space = peer().space();
  REQUIRE(peer().post(hosts(space), host("a")).status == 201);
  const Reply refused = peer().patch(hosts(space) + "/a/status", R"({"status":{"poweredOn":"x","lastUpdated":"y"}})");
  CHECK(causes(refused).contains(
      "status.poweredOn: Invalid value: \"string\": poweredOn in body must be of type boolean: \"string\""));
  CHECK(causes(refused).contains(
      "status.lastUpdated: Invalid value: \"y\": lastUpdated in body must be of type date-time: \"y\""));
  CHECK(causes(refused).contains("status.provisioning: Required value"));
}

TEST_CASE("a tightened schema tolerates what was there before, and judges what changes", "[T060]") {
  const std::string space = peer().space();
  const std::string path = install(
      "tights", "Tight", R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}})", space);
  REQUIRE(custom(path, "Tight", "x", R"({"a":"long"})").status == 201);
  const std::string tighter =
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/maxLength","value":2}])";
  REQUIRE(peer().patch(kCrdPath + "/tights.test.io", tighter, "application/json-patch+json").status == 200);
  peer().eventually([&] { return custom(path, "Tight", "y", R"({"a":"long"})").status == 422; });
  CHECK(peer().patch(path + "/x", R"({"spec":{"b":"new"}})").status == 200);
  CHECK(peer().patch(path + "/x", R"({"spec":{"a":"other"}})").status == 422);
  uninstall("tights");
}
