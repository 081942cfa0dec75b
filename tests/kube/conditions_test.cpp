#include "kube/runtime/conditions.hpp"
#include "kube/core/resource_version.hpp"
#include "kube/runtime/finalizer.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("a condition's time moves only with its status", "[kube][conditions]") {
  const auto t0 = *base::parseTime("2026-01-01T00:00:00Z");
  std::vector<kube::Condition> all;
  CHECK(kube::setCondition(all, {.type = "Ready", .status = "False", .reason = "Booting"}, t0 + 300ms));
  CHECK(all[0].lastTransitionTime == t0);
  CHECK_FALSE(kube::setCondition(all, {.type = "Ready", .status = "False", .reason = "Booting"}, t0 + 5s));
  CHECK(kube::setCondition(all, {.type = "Ready", .status = "False", .reason = "Waiting"}, t0 + 6s));
  CHECK(all[0].lastTransitionTime == t0);
  CHECK(kube::setCondition(all, {.type = "Ready", .status = "True", .reason = "Up"}, t0 + 7s));
  CHECK(all[0].lastTransitionTime == t0 + 7s);
  CHECK(kube::isTrue(all, "Ready"));
  CHECK_FALSE(kube::isTrue(all, "Other"));
  CHECK(kube::removeCondition(all, "Ready"));
  CHECK_FALSE(kube::removeCondition(all, "Ready"));
}

TEST_CASE("a pass sets conditions with its time and generation", "[kube][conditions]") {
  const auto t0 = *base::parseTime("2026-01-01T00:00:00Z");
  std::vector<kube::Condition> all;
  kube::ConditionSetter conditions(all, 7, t0);
  CHECK(conditions.setFalse("Ready", "Booting", "wait"));
  CHECK_FALSE(conditions.setFalse("Ready", "Booting", "wait"));
  CHECK(conditions.setUnknown("Power", "NotRead"));
  CHECK(all[0] == kube::Condition{.type = "Ready",
                                  .status = "False",
                                  .observedGeneration = 7,
                                  .lastTransitionTime = t0,
                                  .reason = "Booting",
                                  .message = "wait"});
  CHECK(all[1].status == "Unknown");
  CHECK(conditions.setTrue("Power", "Read"));
  CHECK(kube::isTrue(all, "Power"));
}

TEST_CASE("finalizers come once, go once, and never onto an object in deletion", "[kube][finalizer]") {
  kube::ObjectMeta meta;
  CHECK(kube::addFinalizer(meta, "a/b"));
  CHECK_FALSE(kube::addFinalizer(meta, "a/b"));
  meta.deletionTimestamp = base::WallTime{};
  CHECK_FALSE(kube::addFinalizer(meta, "c/d"));
  CHECK(kube::removeFinalizer(meta, "a/b"));
  CHECK_FALSE(kube::removeFinalizer(meta, "a/b"));
}

TEST_CASE("versions compare as numbers where both are numbers", "[kube][version]") {
  CHECK(kube::atLeastVersion("10", "9"));
  CHECK(kube::atLeastVersion("9", "9"));
  CHECK_FALSE(kube::atLeastVersion("9", "10"));
  CHECK(kube::atLeastVersion("123456789012345678901234", "99999999999999999999"));
  CHECK(kube::atLeastVersion("abc", "abc"));
  CHECK_FALSE(kube::atLeastVersion("abd", "abc"));
  CHECK_FALSE(kube::olderVersion("", "5"));
}
