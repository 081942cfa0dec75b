// What the conversion webhook answers (spec/capm3.md §4, spec/kubernetes-api.md §9).
#include "tests/coordinator/webhooks/reviews.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using Catch::Contains;
using coordinator::webhooks::BadRequest;

namespace {

json::Value machineTemplate(const std::string& name, const std::string& version = "v1beta1",
                            const std::string& image = "{url: 'http://i/i.raw', checksum: 'http://i/s', format: raw}") {
  return json::parseYamlValue("{apiVersion: " + kInfra + version +
                              ", kind: Metal3MachineTemplate, metadata: {name: " + name +
                              ", namespace: metal, uid: u-1}, spec: {template: {spec: {image: " + image + "}}}}");
}

std::string failureOf(const json::Value& out) {
  CHECK(json::textAt(out, {"response", "result", "status"}) == "Failure");
  CHECK(json::find(out, {"response", "convertedObjects"}) == nullptr);
  return json::textAt(out, {"response", "result", "message"});
}

}  // namespace

TEST_CASE("objects are converted in their order, and keep their metadata", "[webhooks]") {
  const json::Value out = coordinator::webhooks::answer(conversionReview(
      kInfra + "v1beta2",
      {machineTemplate("a"), machineTemplate("b", "v1beta2", "{url: 'http://i/i'}"), machineTemplate("c")}));
  CHECK(json::textAt(out, {"kind"}) == "ConversionReview");
  CHECK(json::textAt(out, {"apiVersion"}) == "apiextensions.k8s.io/v1");
  CHECK(json::textAt(out, {"response", "uid"}) == "c-1");
  CHECK(json::textAt(out, {"response", "result", "status"}) == "Success");
  const auto* objects = json::arrayAt(out, {"response", "convertedObjects"});
  REQUIRE(objects);
  REQUIRE(objects->size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(json::textAt(objects->at(i), {"apiVersion"}) == kInfra + "v1beta2");
    CHECK(json::textAt(objects->at(i), {"metadata", "name"}) == std::string(1, static_cast<char>('a' + i)));
    CHECK(json::textAt(objects->at(i), {"metadata", "uid"}) == "u-1");
  }
  CHECK(json::textAt(objects->at(0), {"spec", "template", "spec", "image", "diskFormat"}) == "raw");
}

TEST_CASE("there and back loses nothing", "[webhooks]") {
  const json::Value newer = json::parseYamlValue(
      "{apiVersion: " + kInfra +
      "v1beta2, kind: Metal3MachineTemplate, metadata: {name: a}, spec: {template: {metadata: "
      "{labels: {rack: r1}}, spec: {image: {url: 'http://i/i.raw', checksum: 'http://i/s', diskFormat: raw}}}}}");
  const auto converted = [](const std::string& version, const json::Value& object) {
    return coordinator::webhooks::answer(conversionReview(kInfra + version, {object}))
        .at("response")
        .at("convertedObjects")
        .at(0);
  };
  CHECK(json::equal(converted("v1beta2", converted("v1beta1", newer)), newer));
}

TEST_CASE("nothing to convert is converted", "[webhooks]") {
  const json::Value out = coordinator::webhooks::answer(conversionReview(kInfra + "v1beta2", {}));
  CHECK(json::textAt(out, {"response", "result", "status"}) == "Success");
  CHECK(json::arrayAt(out, {"response", "convertedObjects"})->empty());
}

TEST_CASE("an object that cannot be converted fails the review, which names it", "[webhooks]") {
  const auto review = [](json::Value wrong) {
    return coordinator::webhooks::answer(
        conversionReview(kInfra + "v1beta2", {machineTemplate("a"), std::move(wrong), machineTemplate("c")}));
  };
  CHECK_THAT(failureOf(review(machineTemplate("b", "v1beta1", "7"))),
             Catch::StartsWith("Metal3MachineTemplate metal/b: spec.template.spec.image") && Contains("expected"));
  CHECK_THAT(failureOf(review(machineTemplate("b", "v1alpha5"))),
             Contains("Metal3MachineTemplate metal/b: apiVersion: "));
  CHECK_THAT(failureOf(review(json::parse(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}})"))),
             Contains("Secret s: kind: \"Secret\" of v1 is none that is converted here: Metal3Cluster, "));
  CHECK_THAT(failureOf(review(7)), Contains("an item is no object"));
}

TEST_CASE("a group or version that we do not have is named", "[webhooks]") {
  const auto to = [](const std::string& version) {
    return failureOf(coordinator::webhooks::answer(conversionReview(version, {machineTemplate("a")})));
  };
  CHECK_THAT(to("ipam.metal3.io/v1"), Contains("desiredAPIVersion: group \"ipam.metal3.io\" is not the object's"));
  CHECK_THAT(to(kInfra + "v1beta7"), Contains("there is no version v1beta7"));
}

TEST_CASE("kinds of Cluster API are left to its own webhooks", "[webhooks]") {
  const json::Value cluster =
      json::parse(R"({"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Cluster","metadata":{"name":"c"}})");
  CHECK_THAT(failureOf(coordinator::webhooks::answer(conversionReview("cluster.x-k8s.io/v1beta2", {cluster}))),
             Contains("\"Cluster\" of cluster.x-k8s.io/v1beta1 is none that is converted here"));
  CHECK(coordinator::webhooks::findPath("/validate-cluster-x-k8s-io-v1beta2-cluster") == nullptr);
}

TEST_CASE("what is no ConversionReview of version v1 is no request at all", "[webhooks]") {
  const std::string head = "{kind: ConversionReview, apiVersion: apiextensions.k8s.io/v1, request: ";
  for (const std::string& yaml :
       {std::string("{kind: ConversionReview, apiVersion: apiextensions.k8s.io/v1beta1, request: {uid: a}}"),
        std::string("7"), head + "{}}", head + "{uid: a, objects: []}}", head + "{uid: a, desiredAPIVersion: a/v1}}",
        head + "{uid: a, desiredAPIVersion: a/v1, objects: {}}}"}) {
    INFO(yaml);
    CHECK_THROWS_AS(coordinator::webhooks::answer(json::parseYamlValue(yaml)), BadRequest);
  }
}
