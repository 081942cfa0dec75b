// Addresses that our address management has given to claims of either group.
#include "api/capi_ipam/ip_address.hpp"
#include "api/crd/crd.hpp"
#include "cli/show/subjects.hpp"
#include "tests/cli/hosts.hpp"
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using Catch::Contains;

TEST_CASE("addresses of both groups are rows of one table", "[cli][show]") {
  const auto& subject = cli::infoOf(cli::Subject::addresses);
  cli::TextTable table(subject.heads({.wide = true}));
  for (const char* text :
       {R"({"apiVersion":"ipam.metal3.io/v1alpha1","kind":"IPAddress","metadata":{"name":"p-10-0-0-7"},"spec":{
            "address":"10.0.0.7","pool":{"name":"p"},"claim":{"name":"a"},"prefix":24}})",
        R"({"apiVersion":"ipam.cluster.x-k8s.io/v1beta2","kind":"IPAddress","metadata":{"name":"p-10-0-0-8"},"spec":{
            "address":"10.0.0.8","poolRef":{"name":"p","kind":"IPPool","apiGroup":"ipam.metal3.io"},
            "claimRef":{"name":"b"},"prefix":25,"gateway":"10.0.0.1"}})"})
    table.add(subject.row(json::parse(text), {.wide = true}, noon));
  CHECK_THAT(table.text(),
             Contains("p-10-0-0-7   10.0.0.7   p      a") && Contains("p-10-0-0-8   10.0.0.8   p      b"));
  CHECK_THAT(table.text(), Contains("25       10.0.0.1"));
}

TEST_CASE("get lists the addresses of Cluster API's claims where they are installed", "[cli][get]") {
  World w(World::Kinds::all);
  CHECK(w.run({"get", "addresses", "-A"}) == 0);
  const auto definition = w.file("crd.yaml", json::serialize(api::crdOf<api::capi_ipam::IPAddress>()));
  CHECK(w.run({"apply", "-f", definition}) == 0);
  const auto address = w.file("address.yaml", R"(apiVersion: v1
kind: Namespace
metadata: {name: metal3}
---
apiVersion: ipam.cluster.x-k8s.io/v1beta2
kind: IPAddress
metadata: {name: p-10-0-0-8, namespace: metal3}
spec: {address: 10.0.0.8, prefix: 24, poolRef: {name: p, kind: IPPool, apiGroup: ipam.metal3.io}, claimRef: {name: b}}
)");
  CHECK(w.run({"apply", "-f", address}) == 0);
  CHECK(w.run({"get", "addresses"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("p-10-0-0-8   10.0.0.8   p      b"));
  CHECK(w.run({"get", "address", "p-10-0-0-8", "-o", "name"}) == 0);
}
