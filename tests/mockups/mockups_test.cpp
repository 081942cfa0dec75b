// What is read of BMCs that were recorded. `INGOT_MOCKUPS=DIR ./dev test mockups` does so with the mockups in DIR.
#include "base/file.hpp"
#include "tests/mockups/survey.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

using namespace ingot;
using tests::Mockup;

namespace fs = std::filesystem;

namespace {

const fs::path own = fs::path(INGOT_SOURCE_DIR) / "tests/data/mockups";

}  // namespace

TEST_CASE("of each vendor's way to say it, what there is is read, and what is not is named as absent", "[mockups]") {
  const auto mockups = tests::mockupsIn(own);
  CHECK(mockups.size() == 6);
  for (const auto& [name, folder] : mockups) {
    INFO(name);
    Mockup mockup(folder);
    const auto survey = tests::surveyOf(mockup);
    CHECK(survey.faults.empty());
    CHECK(survey.text == base::readFile(folder / "survey.txt"));
  }
}

TEST_CASE("what is no mockup is refused", "[mockups]") {
  const auto part = own / "openbmc/redfish/v1/Chassis";
  CHECK(tests::mockupsIn(part).empty());
  CHECK_THROWS_WITH(Mockup(part), Catch::Contains("is no mockup"));
}

TEST_CASE("any recorded BMC is read without a fault", "[.][elsewhere]") {
  const char* folder = std::getenv("INGOT_MOCKUPS");
  REQUIRE(folder != nullptr);
  const auto mockups = tests::mockupsIn(folder);
  REQUIRE_FALSE(mockups.empty());
  for (const auto& [name, where] : mockups) {
    Mockup mockup(where);
    const auto survey = tests::surveyOf(mockup);
    std::cout << "== " << name << "\n" << survey.text;
    for (const auto& fault : survey.faults) std::cout << "FAULT: " << fault << "\n";
    INFO(name);
    CHECK(survey.faults.empty());
  }
}
