// What the vectors do not show: conversion of anything a schema admits, and of what no schema does (spec/capm3.md §4).
#include "api/capi/conversion/convert.hpp"
#include "api/capm3/conversion/convert.hpp"
#include "api/conversion/go_duration.hpp"
#include "api/kinds/kinds.hpp"
#include "tests/api/random_object.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

constexpr int kSeeds = 100;
constexpr std::string_view kData = "cluster.x-k8s.io/conversion-data";

json::Value schemaOf(const json::Value& crd, const std::string& version) {
  for (const auto& each : *json::arrayAt(crd, {"spec", "versions"}))
    if (json::textAt(each, {"name"}) == version) return *json::find(each, {"schema", "openAPIV3Schema"});
  throw base::InvalidInput(version, "no such version");
}

// What no schema says of v1beta1: texts that must be durations; of v1beta2: what a pattern says of a group's name.
void mendTexts(json::Value& v) {
  if (v.is_array())
    for (auto& item : v.get_array()) mendTexts(item);
  if (!v.is_object()) return;
  for (auto& [key, value] : v.get_object()) {
    if (value.is_string() && (key == "timeout" || key.ends_with("Timeout"))) {
      value = "1m40s";
    } else if (key == "apiGroup") {
      value = "group.example";
    } else {
      mendTexts(value);
    }
  }
}

json::Value randomObject(const json::Value& crd, const std::string& version, std::uint64_t seed) {
  const auto random = base::seededRandom(seed);
  auto out = tests::randomValue(schemaOf(crd, version), *random, static_cast<int>(seed / 6));
  mendTexts(out);
  auto& object = out.get_object();
  object["apiVersion"] = json::textAt(crd, {"spec", "group"}) + "/" + version;
  object["kind"] = json::textAt(crd, {"spec", "names", "kind"});
  object["metadata"] = json::Object{{"name", "n"}, {"labels", json::Object{{"l", "v"}}}};
  return out;
}

// What may differ after a way there and back is listed place by place; all the rest stays, and in its order. Members of
// lists, and of the maps that they are in the other version, have the path of their list.
const std::set<std::string> kMaps = {"spec.failureDomains", "status.failureDomains",
                                     "spec.template.spec.failureDomains", "spec.networkData.links.bonds.parameters",
                                     "status.indexes"};

// Of these, false and 0 say the same as nothing.
const std::set<std::string> kZeros = {"spec.controlPlaneEndpoint.port",
                                      "spec.template.spec.controlPlaneEndpoint.port",
                                      "spec.failureDomains.controlPlane",
                                      "status.failureDomains.controlPlane",
                                      "spec.template.spec.failureDomains.controlPlane",
                                      "spec.index",
                                      "spec.metaData.fromHostInterfaces.fromBootMAC",
                                      "spec.metaData.indexes.offset",
                                      "spec.networkData.networks.ipv4.routes.prefix",
                                      "spec.networkData.networks.ipv4DHCP.routes.prefix",
                                      "spec.networkData.networks.ipv6.routes.prefix",
                                      "spec.networkData.networks.ipv6DHCP.routes.prefix",
                                      "spec.networkData.networks.ipv6SLAAC.routes.prefix",
                                      "spec.nodeReuse",
                                      "spec.paused",
                                      "spec.prefix",
                                      "spec.clusterNetwork.apiServerPort",
                                      "status.bootstrapReady",
                                      "status.controlPlaneReady",
                                      "status.infrastructureReady",
                                      "status.ready"};

bool saysNothing(const json::Value& v) {
  if (v.is_object()) return v.get_object().empty();
  if (v.is_array()) return v.get_array().empty();
  return v.is_null() || v == json::Value("");
}

bool isZero(const json::Value& v) { return v == json::Value(false) || v == json::Value(0); }

// `isItem`: `v` is in the list or map of this path.
json::Value meaning(const json::Value& v, const std::set<std::string>& lost, const std::string& path = "",
                    bool isItem = false) {
  if (v.is_object()) {
    const bool isMap = !isItem && kMaps.contains(path);
    json::Object out;
    for (const auto& [key, value] : v.get_object()) {
      const std::string below = path.empty() ? std::string(key) : path + "." + std::string(key);
      const std::string& place = isMap ? path : below;
      if (lost.contains(place) || (kZeros.contains(place) && isZero(value))) continue;
      if (auto inner = meaning(value, lost, place, isMap); !saysNothing(inner)) out[key] = std::move(inner);
    }
    return out;
  }
  if (!v.is_array()) return v;
  json::Array out;
  for (const auto& item : v.get_array()) out.push_back(meaning(item, lost, path, true));
  if (kMaps.contains(path))
    std::ranges::sort(out, {}, [](const json::Value& item) { return json::serializeSorted(item); });
  return out;
}

void addReferences(std::set<std::string>& lost, std::initializer_list<std::string> references,
                   std::initializer_list<std::string> members) {
  for (const auto& reference : references)
    for (const auto& member : members) lost.insert(fmt::format("{}.{}", reference, member));
}

// Of references to objects of providers kind and name stay, of those to nodes the name.
std::set<std::string> lostFromCore() {
  std::set<std::string> lost{"metadata.annotations." + std::string(kData), "spec.topology.rolloutAfter"};
  addReferences(lost,
                {"spec.controlPlaneRef", "spec.infrastructureRef", "spec.bootstrap.configRef", "status.nodeRef",
                 "spec.topology.controlPlane.machineHealthCheck.remediationTemplate",
                 "spec.topology.workers.machineDeployments.machineHealthCheck.remediationTemplate"},
                {"fieldPath", "namespace", "resourceVersion", "uid"});
  addReferences(lost, {"spec.controlPlaneRef", "spec.infrastructureRef", "spec.bootstrap.configRef", "status.nodeRef"},
                {"apiVersion"});
  lost.insert("status.nodeRef.kind");
  for (const std::string variables : {"spec.topology.variables", "spec.topology.controlPlane.variables.overrides",
                                      "spec.topology.workers.machineDeployments.variables.overrides",
                                      "spec.topology.workers.machinePools.variables.overrides"})
    lost.insert(variables + ".definitionFrom");
  return lost;
}

// spec/capm3.md §4: dropped on the way up. Of references only name and namespace stay.
std::set<std::string> lostFromV1beta1(const std::string& kind) {
  if (kind == "Cluster" || kind == "Machine") return lostFromCore();
  std::set<std::string> lost{"metadata.annotations." + std::string(kData), "spec.noCloudProvider",
                             "spec.template.spec.noCloudProvider", "spec.templateReference"};
  if (kind == "Metal3Machine") lost.insert("status.phase");
  addReferences(
      lost,
      {"spec.claim", "spec.template", "spec.dataTemplate", "spec.template.spec.dataTemplate", "status.renderedData"},
      {"apiVersion", "fieldPath", "kind", "resourceVersion", "uid"});
  return lost;
}

// Kinds that have two versions.
std::vector<const api::KindRow*> convertible() {
  std::vector<const api::KindRow*> out;
  for (const auto& row : api::everyKind())
    if (row.convert) out.push_back(&row);
  return out;
}

}  // namespace

TEST_CASE("§4 v1beta2 survives the way through v1beta1", "[conversion]") {
  for (const auto* row : convertible())
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const auto object = randomObject(row->crd(), "v1beta2", static_cast<std::uint64_t>(seed));
      INFO("seed " << seed << ": " << json::serialize(object));
      const auto back = row->convert(row->convert(object, "v1beta1"), "v1beta2");
      CHECK(json::serializePretty(meaning(back, {})) == json::serializePretty(meaning(object, {})));
    }
}

TEST_CASE("§4 v1beta1 survives the way through v1beta2, but for what v1beta2 has given up", "[conversion]") {
  for (const auto* row : convertible())
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const auto object = randomObject(row->crd(), "v1beta1", static_cast<std::uint64_t>(seed));
      const auto lost = lostFromV1beta1(json::textAt(object, {"kind"}));
      INFO("seed " << seed << ": " << json::serialize(object));
      const auto back = row->convert(row->convert(object, "v1beta2"), "v1beta1");
      CHECK(json::serializePretty(meaning(back, lost)) == json::serializePretty(meaning(object, lost)));
    }
}

TEST_CASE("§4, §21 Q4 what v1beta2 does not say, v1beta1 does not say empty (Q4)", "[conversion]") {
  const std::string group = "infrastructure.cluster.x-k8s.io/v1beta2";
  const auto older = [&](const std::string& kind, const char* spec) {
    const json::Value object = json::Object{{"apiVersion", group}, {"kind", kind}, {"spec", json::parse(spec)}};
    auto out = api::capm3::convert(object, "v1beta1");
    out.get_object().erase("metadata");
    return json::serialize(out);
  };
  for (const auto& [kind, spec] : std::initializer_list<std::pair<std::string, const char*>>{
           {"Metal3Machine", R"({"image":{"url":"u","checksum":"c"}})"},
           {"Metal3MachineTemplate", R"({"template":{"spec":{"image":{"url":"u","checksum":"c"}}}})"},
           {"Metal3Data", R"({"index":1,"claim":{"name":"c"},"template":{"name":"t"}})"},
           {"Metal3DataClaim", R"({"template":{"name":"t"}})"},
           {"Metal3DataTemplate",
            R"({"clusterName":"c","networkData":{
                  "links":{"ethernets":[{"type":"phy","id":"a","macAddress":{"fromHostInterface":"eth0"}}]},
                  "networks":{"ipv4":[{"id":"b","link":"a","ipAddressFromIPPool":"p",
                              "routes":[{"network":"0.0.0.0","gateway":{"fromIPPool":"p"}}]}]}}})"}}) {
    const auto text = older(kind, spec);
    INFO(kind << " " << text);
    CHECK_FALSE(text.contains(R"(:"")"));
    CHECK_FALSE(text.contains("fromPoolRef"));
  }
}

TEST_CASE("an object that has the version already is left alone, unknown members included", "[conversion]") {
  for (const auto* row : convertible())
    for (const std::string version : {"v1beta1", "v1beta2"}) {
      auto object = randomObject(row->crd(), version, 30);
      object.get_object()["later"] = 1;
      json::makeObjectAt(object, {"spec"})["later"] = json::Array{1};
      INFO(json::serialize(object));
      CHECK(row->convert(object, version) == object);
    }
}

TEST_CASE("what cannot be converted is refused with the reason", "[conversion]") {
  const auto message = [](const char* text, const char* version) -> std::string {
    try {
      return json::serialize(api::capm3::convert(json::parse(text), version));
    } catch (const api::ConversionError& e) {
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
                "v1beta2") == R"(spec.strategy.timeout: "soon" is not a duration)");
  for (const auto& [metadata, problem] : std::initializer_list<std::pair<std::string, std::string>>{
           {"[]", "metadata: expected object, got array"},
           {R"({"annotations":"x"})", "metadata.annotations: expected object, got string"},
           {R"({"annotations":[]})", "metadata.annotations: expected object, got array"},
           {R"({"labels":{"a":1}})", "metadata.labels.a: expected string, got number"},
           {R"({"finalizers":"x"})", "metadata.finalizers: expected array, got string"}})
    for (const std::string from : {"v1beta1", "v1beta2"}) {
      INFO(metadata << " " << from);
      CHECK(message((R"({"kind":"Metal3Machine","apiVersion":"infrastructure.cluster.x-k8s.io/)" + from +
                     R"(","metadata":)" + metadata + "}")
                        .c_str(),
                    from == "v1beta1" ? "v1beta2" : "v1beta1") == problem);
    }
  CHECK(message(
            R"({"kind":"Metal3Data","apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","metadata":null,"spec":{}})",
            "v1beta2")
            .find(R"("metadata":null)") != std::string::npos);
}

TEST_CASE("foreign, old and broken contents of the annotation do no harm", "[conversion]") {
  for (const std::string text : {"", "{", "[]", "5", "\"x\"", "null", "{}", R"({"spec":5})", R"({"spec":{"image":[]}})",
                                 R"({"status":{"initialization":{"provisioned":"yes"}}})", R"({"kind":"Pod"})",
                                 R"({"spec":{"template":{"metadata":[]}}})"}) {
    for (const auto& [group, kind] : std::initializer_list<std::pair<std::string, std::string>>{
             {"infrastructure.cluster.x-k8s.io", "Metal3Cluster"},
             {"infrastructure.cluster.x-k8s.io", "Metal3ClusterTemplate"},
             {"infrastructure.cluster.x-k8s.io", "Metal3Machine"},
             {"infrastructure.cluster.x-k8s.io", "Metal3MachineTemplate"},
             {"cluster.x-k8s.io", "Cluster"},
             {"cluster.x-k8s.io", "Machine"}}) {
      INFO(kind << " " << text);
      const json::Value object =
          json::Object{{"apiVersion", group + "/v1beta1"},
                       {"kind", kind},
                       {"metadata", json::Object{{"annotations", json::Object{{std::string(kData), text}}}}}};
      try {
        const auto newer = api::rowOf(object)->convert(object, "v1beta2");
        CHECK_FALSE(json::find(newer, {"metadata", "annotations"}));
      } catch (const api::ConversionError& e) {
        CHECK(std::string(e.what()).starts_with("annotation cluster.x-k8s.io/conversion-data: "));
      }
    }
  }
}

TEST_CASE("§4 durations are read and written as in Go", "[conversion]") {
  using api::conversion::goDuration;
  using api::conversion::parseGoDuration;
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
