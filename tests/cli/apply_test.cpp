// The pure half of apply: manifests, three-way patches, complaints.
#include "cli/apply/complaint.hpp"
#include "cli/apply/manifest.hpp"
#include "cli/apply/three_way.hpp"
#include "cli/outcome.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::cli;

namespace {

std::vector<Manifest> manifests(const std::string& text) { return parseManifests({"hosts.yaml", text}); }

std::string patchOf(const char* original, const char* modified, const char* live) {
  const auto before = original ? std::optional(json::parse(original)) : std::nullopt;
  return json::serializeSorted(threeWayPatch(before, json::parse(modified), json::parse(live)));
}

}  // namespace

TEST_CASE("manifests know their lines, Lists are taken apart", "[cli][manifest]") {
  const auto all = manifests(
      "# two\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n---\n"
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: s\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].place("metadata.name") == "hosts.yaml:5");
  CHECK(all[0].place("metadata.labels.x") == "hosts.yaml:4");
  CHECK(all[1].name() == "s");
  CHECK(all[1].place("metadata.name") == "hosts.yaml:13");
}

TEST_CASE("a manifest that no server would take is refused with file, line, field and cure", "[cli][manifest]") {
  struct Row {
    std::string text, says;
  };
  const Row rows[] = {
      {"apiVersion: v1\nkind: [\n", "hosts.yaml:"},
      {"apiVersion: v1\nkind: X\nkind: Y\n", "hosts.yaml:3: not YAML: key \"kind\" is there twice"},
      {"- a\n", "hosts.yaml:1: a manifest is an object"},
      {"kind: Secret\n", "apiVersion is missing, e.g. apiVersion: metal3.io/v1alpha1"},
      {"apiVersion: v1\n", "kind is missing, e.g. kind: BareMetalHost"},
      {"apiVersion: v1\nkind: Secret\nmetadata:\n  name: 7\n",
       "hosts.yaml:4: metadata.name must be a string, not number; put it in quotes"},
      {"apiVersion: v1\nkind: Secret\nmetadata: {}\n", "hosts.yaml:3: metadata.name is missing, e.g. name: node01"},
      {"apiVersion: v1\nkind: Secret\nmetadata: []\n", "hosts.yaml:3: metadata must be an object, not array"},
      {"---\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  annotations: x\n",
       "hosts.yaml:7: metadata.annotations"},
  };
  for (const Row& row : rows) CHECK_THROWS_WITH(manifests(row.text), Catch::Contains(row.says));
}

TEST_CASE("what was applied is remembered as kubectl writes it", "[cli][three-way]") {
  const auto object = withLastApplied(json::parse(
      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","namespace":"n"},"data":{"x":"a<b&c>d","n":"1"}})"));
  CHECK(
      json::textAt(object, {"metadata", "annotations", kLastApplied}) ==
      R"({"apiVersion":"v1","data":{"n":"1","x":"a\u003cb\u0026c\u003ed"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"c","namespace":"n"}})"
      "\n");
  CHECK(
      json::serialize(*lastApplied(object)) ==
      R"({"apiVersion":"v1","data":{"n":"1","x":"a<b&c>d"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"c","namespace":"n"}})");
  CHECK(withLastApplied(object) == object);  // the annotation never holds itself
}

TEST_CASE("the patch adds, changes, removes what was applied, and leaves others' fields alone", "[cli][three-way]") {
  struct Row {
    const char *original, *modified, *live, *patch;
  };
  const Row rows[] = {
      // nothing to do
      {R"({"a":1})", R"({"a":1})", R"({"a":1})", "{}"},
      // others' fields stay
      {R"({"a":1})", R"({"a":1})", R"({"a":1,"status":{"x":1},"b":2})", "{}"},
      // drift is put right
      {R"({"a":1})", R"({"a":1})", R"({"a":2})", R"({"a":1})"},
      // changed, added
      {R"({"a":1})", R"({"a":2,"c":{"d":1}})", R"({"a":1})", R"({"a":2,"c":{"d":1}})"},
      // applied before, gone now
      {R"({"a":1,"b":{"c":1,"d":2}})", R"({"a":1,"b":{"d":2}})", R"({"a":1,"b":{"c":1,"d":2,"e":3}})",
       R"({"b":{"c":null}})"},
      {R"({"a":1,"b":1})", R"({"a":1})", R"({"a":1,"b":1})", R"({"b":null})"},
      // never applied by us: nothing is removed
      {nullptr, R"({"a":1})", R"({"a":1,"b":1})", "{}"},
      // lists as a whole
      {R"({"l":[1,2]})", R"({"l":[2]})", R"({"l":[1,2]})", R"({"l":[2]})"},
      // an empty object is a wish
      {R"({})", R"({"raid":{}})", R"({})", R"({"raid":{}})"},
  };
  for (const Row& row : rows) CHECK(patchOf(row.original, row.modified, row.live) == row.patch);
}

TEST_CASE("a refusal is told by file, line and field", "[cli][complaint]") {
  const auto manifest = manifests(
                            "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata:\n  name: a\nspec:\n  "
                            "onlin: true\n  bmc:\n    address: foo://x\n")
                            .front();
  const auto lines = [&](kube::Error::Code code, kube::Status status) {
    return complaintLines(manifest, complaints(kube::Error(code, std::move(status), "")));
  };
  using Code = kube::Error::Code;
  CHECK(
      lines(
          Code::badRequest,
          {.message =
               R"(BareMetalHost in version "v1alpha1" cannot be handled as a BareMetalHost: strict decoding error: unknown field "spec.onlin")"}) ==
      std::vector<std::string>{"hosts.yaml:6: spec.onlin: unknown field; did you mean online?"});
  CHECK(lines(Code::invalid,
              {.message = "…",
               .details =
                   {.causes = {{.reason = "FieldValueTypeInvalid",
                                .message =
                                    R"(Invalid value: "string": spec.online in body must be of type boolean: "string")",
                                .field = "spec.online"}}}}) ==
        std::vector<std::string>{
            R"(hosts.yaml:5: spec.online: Invalid value: "string": must be of type boolean: "string")"});
  CHECK(
      lines(
          Code::forbidden,
          {.message =
               R"(admission webhook "baremetalhost.metal3.io" denied the request: Unknown BMC type 'foo' for address foo://x)"}) ==
      std::vector<std::string>{"hosts.yaml:8: spec.bmc.address: Unknown BMC type 'foo' for address foo://x"});
  CHECK(lines(Code::unreachable, {}).empty());
}

TEST_CASE("the field that was meant is known for our kinds", "[cli][complaint]") {
  CHECK(rightField("metal3.io/v1alpha1", "BareMetalHost", "spec.bmc.adress") == "address");
  CHECK(rightField("metal3.io/v1alpha1", "BareMetalHost", "spec.raid.softwareRAIDVolumes[0].levle") == "level");
  CHECK(rightField("metal3.io/v1alpha1", "BareMetalHost", "spec.nothing.like").empty());
  CHECK(rightField("v1", "Secret", "dta").empty());
}
