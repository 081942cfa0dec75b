// Addresses that our address management has given to claims of either group.
#include "api/capi_ipam/ip_address.hpp"
#include "api/ipam/ip_address.hpp"
#include "cli/show/subjects.hpp"
#include "tests/cli/hosts.hpp"
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using Catch::Contains, Catch::StartsWith;
using namespace std::chrono_literals;

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

namespace {

constexpr const char* kNamespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: metal3}\n---\n";
constexpr const char* kOwnAddress = R"(apiVersion: ipam.metal3.io/v1alpha1
kind: IPAddress
metadata: {name: p-10-0-0-7, namespace: metal3}
spec: {address: 10.0.0.7, prefix: 24, pool: {name: p}, claim: {name: a}}
)";
constexpr const char* kSharedAddress = R"(apiVersion: ipam.cluster.x-k8s.io/v1beta2
kind: IPAddress
metadata: {name: p-10-0-0-8, namespace: metal3}
spec: {address: 10.0.0.8, prefix: 24, poolRef: {name: p, kind: IPPool, apiGroup: ipam.metal3.io}, claimRef: {name: b}}
)";

void put(World& w, const std::string& text) { REQUIRE(w.run({"apply", "-f", w.file("applied.yaml", text)}) == 0); }

}  // namespace

TEST_CASE("a watch follows the addresses of both groups, where both are installed", "[cli][get]") {
  World w(World::Kinds::all);
  put(w, std::string(kNamespace) + kOwnAddress);
  base::TaskGroup users(w.loop.runtime.executor, base::Log::silent());
  const auto watch = [&] {
    w.terminal.printed.clear();
    w.terminal.notes.clear();
    const auto ends = [](World& world) -> base::Task<void> {
      static_cast<void>(co_await world.start({"get", "addresses", "-w"}));
    };
    users.spawn("ingotctl", ends(w));
    w.loop.clock.advance(3s);
  };
  const auto release = [&](auto kind, const std::string& name) {
    w.loop.run(w.client().remove<decltype(kind)>({"metal3", name}));
    w.loop.clock.advance(3s);
  };
  SECTION("both") {
    put(w, kSharedAddress);
    watch();
    CHECK_THAT(w.terminal.printed, Contains("p-10-0-0-7") && Contains("p-10-0-0-8   10.0.0.8   p      b"));
    w.terminal.printed.clear();
    release(api::capi_ipam::IPAddress{}, "p-10-0-0-8");
    CHECK_THAT(w.terminal.printed, StartsWith("p-10-0-0-8"));
    release(api::ipam::IPAddress{}, "p-10-0-0-7");
    CHECK_THAT(w.terminal.printed, Contains("\np-10-0-0-7"));
  }
  SECTION("one") {
    w.refuse("/apis/ipam.cluster.x-k8s.io/", 404);
    watch();
    CHECK_THAT(w.terminal.printed, Contains("p-10-0-0-7   10.0.0.7   p      a"));
    CHECK(w.terminal.notes.empty());
  }
  w.loop.run(users.close());
}

TEST_CASE("get lists the addresses of Cluster API's claims where they are installed", "[cli][get]") {
  World w(World::Kinds::all);
  w.refuse("/apis/ipam.cluster.x-k8s.io/", 404);
  CHECK(w.run({"get", "addresses", "-A"}) == 0);
  w.door.instead = nullptr;
  put(w, std::string(kNamespace) + kSharedAddress);
  CHECK(w.run({"get", "addresses"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("p-10-0-0-8   10.0.0.8   p      b"));
  CHECK(w.run({"get", "address", "p-10-0-0-8", "-o", "name"}) == 0);
}
