// spec/capm3.md §18 while an object that decides cannot be read: the API lists none such, and it is not gone
// (kube/runtime/unreadable.hpp).
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

constexpr const char* kLeaving = R"([{"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"}}])";
constexpr const char* kKeptByOthers = R"({"metadata":{"finalizers":["x.y/z"]}})";

// Its next process is told that it is there, and sees none.
template <class T>
void spoil(RemediationSite& site, const std::string& name) {
  site.kill();
  site.removeByForce<T>(name);
  site.unreadable.add(T::info.resource(), {"metal", name});
}

}  // namespace

TEST_CASE("a fencing goes neither on nor back while what it hangs on cannot be read", "[remediation]") {
  RemediationSite site;
  site.remediate();
  site.pods = kLeaving;
  site.obey();
  REQUIRE(site.isTainted());
  site.patch<Metal3Machine>("m1", kKeptByOthers);  // from garbage collection, which leaves it alone, too
  SECTION("the Machine") { spoil<Machine>(site, "m1"); }
  SECTION("the Cluster, which may be paused") { spoil<Cluster>(site, "c1"); }
  SECTION("the Metal3Machine") { spoil<Metal3Machine>(site, "m1"); }
  site.pods = "[]";
  site.start();
  site.settle(2min);
  CHECK(site.isHeldOff());
  CHECK(site.isTainted());
  CHECK(site.hasFinalizer());
  CHECK(site.told("Unreadable") == 1);
}

TEST_CASE("a hold stays while it cannot be read whether its machine uses the host", "[remediation]") {
  RemediationSite site;
  site.remediate();
  REQUIRE(site.isHeldOff());
  site.patch<Metal3Remediation>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  SECTION("the Metal3Machine") { spoil<Metal3Machine>(site, "m1"); }
  SECTION("the Machine, which alone names the Metal3Machine") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"ownerReferences":null}})");
    spoil<Machine>(site, "m1");
  }
  site.start();
  site.settle(5min);
  CHECK(isHeldByAnybody(site.host()));
}
