// What the vectors do not show: conversion of anything a schema admits, and of what no schema does.
#include "api/capm3/conversion/convert.hpp"

#include "api/capm3/conversion/go_duration.hpp"
#include "api/capm3/conversion/tables.hpp"
#include "api/crd/crd.hpp"
#include "tests/api/random_object.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using api::capm3::convert;

namespace {

constexpr int kSeeds = 100;
constexpr std::string_view kData = "cluster.x-k8s.io/conversion-data";

json::Value schemaOf(const json::Value& crd, const std::string& version) {
  for (const auto& each : *json::arrayAt(crd, {"spec", "versions"}))
    if (json::textAt(each, {"name"}) == version) return *json::find(each, {"schema", "openAPIV3Schema"});
  throw base::InvalidInput(version, "no such version");
}

// A remediation's timeout in v1beta1 is a text that must be a duration.
void mendDurations(json::Value& v) {
  if (v.is_array())
    for (auto& item : v.get_array()) mendDurations(item);
  if (!v.is_object()) return;
  for (auto& member : v.get_object()) {
    if (member.key() == "timeout") {
      member.value() = "1m40s";
    } else {
      mendDurations(member.value());
    }
  }
}

json::Value randomObject(const json::Value& crd, const std::string& version, std::uint64_t seed) {
  const auto random = base::seededRandom(seed);
  auto out = tests::randomValue(schemaOf(crd, version), *random, static_cast<int>(seed / 6));
  mendDurations(out);
  auto& object = out.get_object();
  object["apiVersion"] = "infrastructure.cluster.x-k8s.io/" + version;
  object["kind"] = json::textAt(crd, {"spec", "names", "kind"});
  object["metadata"] = json::Object{{"name", "n"}, {"labels", json::Object{{"l", "v"}}}};
  return out;
}

// Absence says the same as a zero value; the order of lists that are maps says nothing.
bool saysNothing(const json::Value& v) {
  if (v.is_object()) return v.get_object().empty();
  if (v.is_array()) return v.get_array().empty();
  if (v.is_string()) return v.get_string().empty();
  if (v.is_bool()) return !v.get_bool();
  return v.is_null() || v == json::Value(0);
}

json::Value meaning(const json::Value& v, const std::set<std::string>& lost) {
  if (v.is_object()) {
    json::Object out;
    for (const auto& [key, value] : v.get_object()) {
      if (lost.contains(std::string(key))) continue;
      if (auto inner = meaning(value, lost); !saysNothing(inner)) out[key] = std::move(inner);
    }
    return out;
  }
  if (!v.is_array()) return v;
  json::Array out;
  for (const auto& item : v.get_array()) out.push_back(meaning(item, lost));
  std::ranges::sort(out, {}, [](const json::Value& item) { return json::serializeSorted(item); });
  return out;
}

const std::set<std::string> kNothingLost;
// spec/capm3.md §4: dropped on the way up. Of references only name and namespace stay.
const std::set<std::string> kLostFromV1beta1 = {"noCloudProvider", "templateReference", "phase",     "uid",
                                                "resourceVersion", "fieldPath",         "apiVersion"};

}  // namespace

TEST_CASE("v1beta2 survives the way through v1beta1", "[conversion]") {
  for (const auto& crd : api::clusterApiCrds())
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const auto object = randomObject(crd, "v1beta2", static_cast<std::uint64_t>(seed));
      INFO("seed " << seed << ": " << json::serialize(object));
      const auto back = convert(convert(object, "v1beta1"), "v1beta2");
      CHECK(json::serializePretty(meaning(back, kNothingLost)) == json::serializePretty(meaning(object, kNothingLost)));
    }
}

TEST_CASE("v1beta1 survives the way through v1beta2, but for what v1beta2 has given up", "[conversion]") {
  for (const auto& crd : api::clusterApiCrds())
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const auto object = randomObject(crd, "v1beta1", static_cast<std::uint64_t>(seed));
      const bool phaseIsKept = json::textAt(object, {"kind"}).starts_with("Metal3Remediation");
      auto lost = kLostFromV1beta1;
      if (phaseIsKept) lost.erase("phase");
      INFO("seed " << seed << ": " << json::serialize(object));
      auto back = convert(convert(object, "v1beta2"), "v1beta1");
      lost.insert(std::string(kData));
      auto wanted = object;
      // The kind of a reference is lost, that of the object and of a pool is not.
      for (auto* v : {&wanted, &back})
        for (const auto* reference : {"claim", "template", "dataTemplate", "renderedData"})
          for (const auto* part : {"spec", "status"})
            if (auto* holder = v->get_object().if_contains(part); holder && holder->is_object())
              if (auto* r = holder->get_object().if_contains(reference); r && r->is_object())
                r->get_object().erase("kind");
      if (auto* spec = json::find(wanted, {"spec", "template", "spec", "dataTemplate"}))
        const_cast<json::Value*>(spec)->get_object().erase("kind");
      CHECK(json::serializePretty(meaning(back, lost)) == json::serializePretty(meaning(wanted, lost)));
    }
}

TEST_CASE("an object that has the version already is left alone, unknown members included", "[conversion]") {
  for (const auto& crd : api::clusterApiCrds())
    for (const std::string version : {"v1beta1", "v1beta2"}) {
      auto object = randomObject(crd, version, 30);
      object.get_object()["later"] = 1;
      json::makeObjectAt(object, {"spec"})["later"] = json::Array{1};
      INFO(json::serialize(object));
      CHECK(convert(object, version) == object);
    }
}

TEST_CASE("what cannot be converted is refused with the reason", "[conversion]") {
  const auto message = [](const char* text, const char* version) -> std::string {
    try {
      return json::serialize(convert(json::parse(text), version));
    } catch (const api::capm3::ConversionError& e) {
      return e.what();
    }
  };
  CHECK(message(R"({"kind":"Pod","apiVersion":"v1"})", "v1beta2") ==
        R"(kind: "Pod" is none of infrastructure.cluster.x-k8s.io)");
  CHECK(message(R"({"kind":"Metal3Data","apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha5"})", "v1beta2") ==
        R"(apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha5" is not known)");
  CHECK(message(R"({"kind":"Metal3Data","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"})", "v1") ==
        "there is no version v1");
  CHECK(message(R"({"kind":"Metal3Data","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","spec":{"index":"1"}})",
                "v1beta2") == "spec.index: expected integer, got string");
  CHECK(
      message(
          R"({"kind":"Metal3Data","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","spec":{"index":5000000000}})",
          "v1beta2")
          .starts_with("spec.index: "));
  CHECK(message(R"({"kind":"Metal3Remediation","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1",
                    "spec":{"strategy":{"timeout":"soon"}}})",
                "v1beta2") == R"(strategy.timeout: "soon" is not a duration)");
}

TEST_CASE("foreign, old and broken contents of the annotation do no harm", "[conversion]") {
  for (const std::string text : {"", "{", "[]", "5", "\"x\"", "null", "{}", R"({"spec":5})", R"({"spec":{"image":[]}})",
                                 R"({"status":{"initialization":{"provisioned":"yes"}}})", R"({"kind":"Pod"})",
                                 R"({"spec":{"template":{"metadata":[]}}})"}) {
    for (const std::string kind :
         {"Metal3Cluster", "Metal3ClusterTemplate", "Metal3Machine", "Metal3MachineTemplate"}) {
      INFO(kind << " " << text);
      const json::Value object =
          json::Object{{"apiVersion", "infrastructure.cluster.x-k8s.io/v1beta1"},
                       {"kind", kind},
                       {"metadata", json::Object{{"annotations", json::Object{{std::string(kData), text}}}}}};
      try {
        const auto newer = convert(object, "v1beta2");
        CHECK_FALSE(json::find(newer, {"metadata", "annotations"}));
      } catch (const api::capm3::ConversionError& e) {
        CHECK(std::string(e.what()).starts_with("annotation cluster.x-k8s.io/conversion-data: "));
      }
    }
  }
}

TEST_CASE("durations are read and written as in Go", "[conversion]") {
  using api::capm3::goDuration;
  using api::capm3::parseGoDuration;
  using namespace std::chrono_literals;
  CHECK(parseGoDuration("10m0s") == 600s);
  CHECK(parseGoDuration("1h30m") == 90min);
  CHECK(parseGoDuration("1.5s") == 1500ms);
  CHECK(parseGoDuration("-2m") == -2min);
  CHECK(parseGoDuration("0") == 0s);
  for (const auto* text : {"", "5", "s", "1x", "1m 2s", ".s", "-", "9999999999999h"})
    CHECK_FALSE(parseGoDuration(text));
  CHECK(goDuration(600s) == "10m0s");
  CHECK(goDuration(3600s) == "1h0m0s");
  CHECK(goDuration(59s) == "59s");
  CHECK(goDuration(-61s) == "-1m1s");
}
