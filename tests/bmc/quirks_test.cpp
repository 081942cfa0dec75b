// The table of what BMCs do otherwise (spec/bmc.md §16).
#include "bmc/quirks.hpp"

#include "base/text.hpp"
#include "bmc/vendor.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Quirk;

namespace {

bmc::Quirks dell(const std::string& bmcModel, const std::string& firmware) {
  return bmc::Quirks({.vendor = "dell", .model = "PowerEdge R650", .bmcModel = bmcModel, .bmcFirmware = firmware});
}

}  // namespace

TEST_CASE("each line of the quirk table names a vendor that we know, and what is seen without it") {
  for (const auto& rule : bmc::quirkTable()) {
    INFO(rule.vendor << ": " << rule.why);
    CHECK_FALSE(rule.why.empty());
    const bool isKnown = bmc::normalizeVendor(rule.vendor) == rule.vendor;
    CHECK(isKnown);
    CHECK(base::lower(rule.model) == rule.model);
    CHECK(base::lower(rule.exceptModel) == rule.exceptModel);
    CHECK(rule.generation.from <= rule.generation.to);
    CHECK(rule.firmware.from <= rule.firmware.to);
  }
}

TEST_CASE("a quirk belongs to a vendor and, where that says so, to its models") {
  CHECK(bmc::Quirks({.vendor = "ami"}).has(Quirk::fullBootRequest));
  CHECK(bmc::Quirks({.vendor = "asrockrack"}).has(Quirk::fullBootRequest));
  CHECK(bmc::Quirks({.vendor = "lenovo", .model = "ThinkSystem HS350X V3"}).has(Quirk::fullBootRequest));
  CHECK_FALSE(bmc::Quirks({.vendor = "lenovo", .model = "SR650"}).has(Quirk::fullBootRequest));
  CHECK(bmc::Quirks({.vendor = "lenovo", .model = "SR650"}).has(Quirk::imageMeansInserted));
  CHECK(bmc::Quirks({.vendor = "supermicro", .model = "SYS-6019"}).has(Quirk::cdIsUsbCd));
  CHECK_FALSE(bmc::Quirks({.vendor = "supermicro", .model = "ARS-111GL-NHR"}).has(Quirk::cdIsUsbCd));
  CHECK_FALSE(bmc::Quirks({.vendor = "", .model = "HS350X"}).has(Quirk::fullBootRequest));
  CHECK_FALSE(bmc::Quirks().has(Quirk::skuIsSerial));
}

TEST_CASE("a virtual CD of an iDRAC boots as Redfish says with generation 9 and firmware 6 and 7 alone") {
  CHECK_FALSE(dell("16G Monolithic", "7.00.00.171").has(Quirk::cdBootByImport));
  CHECK_FALSE(dell("14G Monolithic", "6.10.30.00").has(Quirk::cdBootByImport));
  CHECK(dell("14G Monolithic", "5.10.00.00").has(Quirk::cdBootByImport));
  CHECK(dell("16G Monolithic", "8.00").has(Quirk::cdBootByImport));
  CHECK(dell("13G Monolithic", "6.00").has(Quirk::cdBootByImport));
  CHECK(dell("17G Monolithic", "1.20.25.00").has(Quirk::cdBootByImport));
  CHECK(dell("", "").has(Quirk::cdBootByImport));  // not known: no promise that it boots
  CHECK(dell("17G Monolithic", "1.20.25.00").has(Quirk::firstVirtualDriveOnly));
  CHECK_FALSE(dell("16G Monolithic", "7.00").has(Quirk::firstVirtualDriveOnly));
}
