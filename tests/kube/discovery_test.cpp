#include "kube/client/discovery.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

const json::Value kCore = json::parse(R"({"items":[{"metadata":{},"versions":[{"version":"v1","resources":[
  {"resource":"secrets","responseKind":{"group":"","version":"","kind":"Secret"},"scope":"Namespaced","singularResource":"secret","verbs":["get"]},
  {"resource":"namespaces","responseKind":{"kind":"Namespace"},"scope":"Cluster","singularResource":"namespace","shortNames":["ns"],
   "subresources":[{"subresource":"status"}]}]}]}]})");

const json::Value kGroups = json::parse(R"({"items":[{"metadata":{"name":"metal3.io"},"versions":[
  {"version":"v1","resources":[{"resource":"baremetalhosts","responseKind":{"kind":"BareMetalHost"},"scope":"Namespaced","singularResource":"baremetalhost","shortNames":["bmh"]}]},
  {"version":"v1alpha1","resources":[{"resource":"baremetalhosts","responseKind":{"kind":"BareMetalHost"},"scope":"Namespaced","singularResource":"baremetalhost","shortNames":["bmh"]}]}]}]})");

}  // namespace

TEST_CASE("a kind is found by all its names, in its preferred version", "[kube][discovery]") {
  const kube::Discovery served(kCore, kGroups);
  for (const char* word : {"bmh", "baremetalhost", "baremetalhosts", "BareMetalHost", "bmh.metal3.io"}) {
    CAPTURE(word);
    REQUIRE(served.find(word));
    CHECK(served.find(word)->resource.apiVersion() == "metal3.io/v1");
  }
  CHECK(served.find("bmh.v1alpha1.metal3.io")->resource.version == "v1alpha1");
  CHECK(served.find("bmh.example.com") == nullptr);
  CHECK(served.find("pods") == nullptr);
}

TEST_CASE("a manifest's apiVersion and kind lead to its resource", "[kube][discovery]") {
  const kube::Discovery served(kCore, kGroups);
  CHECK(served.find("metal3.io/v1alpha1", "BareMetalHost")->resource.plural == "baremetalhosts");
  CHECK(served.find("v1", "Namespace")->hasStatus);
  CHECK_FALSE(served.find("v1", "Namespace")->resource.namespaced);
  CHECK_FALSE(served.find("v1", "Secret")->hasStatus);
  CHECK(served.find("v1", "BareMetalHost") == nullptr);
}
