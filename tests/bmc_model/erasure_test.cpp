// Which drives are erased, and how (spec/bmc.md §12.4).
#include "bmc/model/erasure.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::EraseDepth;
using bmc::EraseMethod;

namespace {

bmc::ErasableDrive driveOf(const std::string& serial, std::vector<EraseMethod> methods = {EraseMethod::cryptographic}) {
  return {.path = "/d/" + serial,
          .name = "Disk " + serial,
          .model = "m",
          .serialNumber = serial,
          .methods = std::move(methods)};
}

bmc::EraseOrder orderFor(std::vector<std::string> known, EraseDepth depth = EraseDepth::crypto) {
  return {.machineSerial = "S1", .depth = depth, .depths = {}, .known = std::move(known)};
}

}  // namespace

TEST_CASE("crypto takes nothing but a cryptographic erase, full the best that the drive does") {
  const auto both = driveOf("A", {EraseMethod::overwrite, EraseMethod::cryptographic, EraseMethod::block});
  const auto slow = driveOf("B", {EraseMethod::overwrite});
  const auto mute = driveOf("C", {EraseMethod::unnamed});
  auto plan = planErasure(orderFor({"A", "B", "C"}, EraseDepth::full), {both, slow, mute});
  REQUIRE(plan.erase.size() == 3);
  CHECK(plan.erase[0].method == EraseMethod::cryptographic);
  CHECK(plan.erase[1].method == EraseMethod::overwrite);
  CHECK(plan.erase[2].method == EraseMethod::unnamed);
  CHECK(plan.problems.empty());
  plan = planErasure(orderFor({"A", "B", "C"}), {both, slow, mute});
  CHECK(plan.erase.size() == 1);
  REQUIRE(plan.problems.size() == 2);
  CHECK(plan.problems[0] ==
        "the drive B knows no cryptographic erase; B=full has it erased otherwise, which may take hours");
}

TEST_CASE("a drive may have a depth of its own, by its serial number in any case of letters") {
  auto order = orderFor({"a1", "b2", "c3"});
  order.depths = {{"A1", EraseDepth::full}, {" b2 ", EraseDepth::keep}};
  const auto plan = planErasure(order, {driveOf("a1", {EraseMethod::block}), driveOf("B2"), driveOf("c3")});
  CHECK(plan.problems.empty());
  REQUIRE(plan.erase.size() == 2);
  CHECK(plan.erase[0].method == EraseMethod::block);
  REQUIRE(plan.keep.size() == 1);
  CHECK(plan.keep[0].serialNumber == "B2");
}

TEST_CASE("a drive that inspection found and the BMC does not show is missing, unless it is to be kept") {
  auto order = orderFor({"A", "B"});
  CHECK(planErasure(order, {driveOf("A")}).missing == std::vector<std::string>{"B"});
  order.depths["B"] = EraseDepth::keep;
  CHECK(planErasure(order, {driveOf("A")}).missing.empty());
  CHECK(planErasure(order, {driveOf("A")}).keepUnseen == std::vector<std::string>{"B"});
}

TEST_CASE("a serial number that the order names and no drive has is a problem: it may be mistyped") {
  auto order = orderFor({"A", "B"}, EraseDepth::full);
  order.depths["B1"] = EraseDepth::keep;
  const auto plan = planErasure(order, {driveOf("A"), driveOf("B")});
  REQUIRE(plan.problems.size() == 1);
  CHECK(plan.problems[0] == "B1=keep names no drive of this host");
}

TEST_CASE("a drive that may be another machine's, or that nobody can name, is a problem") {
  const auto problemOf = [](const bmc::ErasableDrive& drive, bmc::EraseOrder order = orderFor({"A"})) {
    const auto plan = planErasure(order, {driveOf("A"), drive});
    CHECK(plan.erase.size() <= 1);
    return plan.problems.empty() ? std::string() : plan.problems.front();
  };
  CHECK(problemOf(driveOf("X")).find("the drive X is none of those that inspection found") != std::string::npos);
  CHECK(problemOf(driveOf(" ")).find("has no serial number") != std::string::npos);
  CHECK(problemOf(driveOf("a")).find("is shown twice") != std::string::npos);
  auto order = orderFor({"A"});
  order.depths["X"] = EraseDepth::crypto;
  CHECK(planErasure(order, {driveOf("A"), driveOf("X")}).problems.empty());
  auto inVolume = driveOf("X");
  inVolume.unfit = "it belongs to the volume data";
  CHECK(problemOf(inVolume, order) == "the drive X: it belongs to the volume data");
  CHECK(problemOf(driveOf("X", {}), order).find("cannot be erased through the BMC") != std::string::npos);
}
