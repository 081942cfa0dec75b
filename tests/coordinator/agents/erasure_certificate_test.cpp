// What is put on record of drives that were erased.
#include "coordinator/agents/erasure_certificate.hpp"

#include "json/value.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::agents;
using namespace std::chrono_literals;

namespace {

const base::WallTime noon{1'795'000'000s};

bmc::DriveErasure erasedDrive(const std::string& serial, const std::string& method, base::Duration from = 0s) {
  const auto at = noon + std::chrono::duration_cast<base::WallTime::duration>(from);
  return {.serialNumber = serial,
          .method = method,
          .state = "erased",
          .verified = true,
          .verification = "seen",
          .startedAt = at,
          .endedAt = at + 5s};
}

api::BareMetalHost certified(const std::string& name = "a") {
  api::BareMetalHost host;
  host.metadata.namespace_ = "metal";
  host.metadata.name = name;
  host.metadata.uid = "u1";
  return host;
}

CertifiedErasure erasureOf(std::vector<bmc::DriveErasure> drives) {
  return {.agent = "near",
          .software = "1.2",
          .report = {.host = "u1",
                     .job = "20261127180102",
                     .serialNumber = "S1",
                     .bmcFirmware = "7.10",
                     .drives = std::move(drives)}};
}

json::Value certificateIn(const kube::ConfigMap& map) { return json::parse(map.data.at("certificate.json")); }

}  // namespace

TEST_CASE("each method has its category; a drive that was kept has none, and says why") {
  bmc::DriveErasure kept{.serialNumber = "D", .state = "kept", .verification = "the BMC does not show it"};
  auto slow = erasedDrive("B", "Overwrite", -10s);
  slow.verified = false;
  const auto map = certificateOf(
      certified(), erasureOf({erasedDrive("A", "BlockErase"), slow, erasedDrive("C", "unnamed", 10s), kept}));
  const auto certificate = certificateIn(map);
  const auto& media = certificate.at("media").as_array();
  REQUIRE(media.size() == 4);
  CHECK(json::textAt(media[0], {"sanitization"}) == "Purge");
  CHECK(json::textAt(media[1], {"sanitization"}) == "Clear");
  CHECK(json::boolAt(media[1], {"verified"}) == false);
  CHECK(json::textAt(media[2], {"sanitization"}) == "Clear");
  CHECK(json::textAt(media[2], {"method"}) == "as the BMC does it, which it does not say");
  CHECK(json::textAt(media[3], {"sanitization"}) == "none");
  CHECK(json::textAt(media[3], {"notes"}) == "kept as it is: the host's annotation says so; the BMC does not show it");
  CHECK(json::textAt(certificate, {"startedAt"}) == json::textAt(media[1], {"startedAt"}));
  CHECK(json::textAt(certificate, {"completedAt"}) == json::textAt(media[2], {"completedAt"}));
  CHECK(json::textAt(certificate, {"standard"}) == "NIST SP 800-88 Rev. 1");
  CHECK(json::textAt(certificate, {"software"}) == "ingot-agent 1.2");
  CHECK(json::textAt(certificate, {"source", "bmcFirmware"}) == "7.10");
}

TEST_CASE("the same erasure makes the same ConfigMap, under a name that the API takes") {
  const auto erasure = erasureOf({erasedDrive("A", "BlockErase")});
  const auto map = certificateOf(certified(), erasure);
  CHECK(map == certificateOf(certified(), erasure));
  CHECK(map.metadata.name == "a-erasure-20261127180102");
  const auto longName = certificateOf(certified(std::string(179, 'x') + "." + std::string(73, 'y')), erasure);
  CHECK(longName.metadata.name == std::string(179, 'x') + "-erasure-20261127180102");
}

TEST_CASE("a summary names what was erased and how, and no more than fits into an Event") {
  auto unsure = erasedDrive("B", "Overwrite");
  unsure.verified = false;
  CHECK(summaryOf(erasureOf({erasedDrive("A", "BlockErase"), unsure, {.serialNumber = "C", .state = "kept"}}).report) ==
        "2 drives erased: A (BlockErase), B (Overwrite, unverified); kept: C");
  CHECK(summaryOf(erasureOf({erasedDrive("A", "BlockErase")}).report) == "1 drive erased: A (BlockErase)");
  std::vector<bmc::DriveErasure> many(20, erasedDrive("A", "BlockErase"));
  CHECK(summaryOf(erasureOf(std::move(many)).report).ends_with("A (BlockErase), and 12 more"));
}

TEST_CASE("what was done beside the erasure is certified, also where it could not be done") {
  auto erasure = erasureOf({erasedDrive("A", "BlockErase")});
  erasure.report.steps = {{.step = "clear-sel", .outcome = "done", .detail = "cleared /l", .endedAt = noon},
                          {.step = "reset-boot-order", .outcome = "skipped", .detail = "no boot order"}};
  const auto certificate = certificateIn(certificateOf(certified(), erasure));
  const auto& steps = certificate.at("steps").as_array();
  REQUIRE(steps.size() == 2);
  CHECK(json::textAt(steps[0], {"detail"}) == "cleared /l");
  CHECK(json::textAt(steps[1], {"outcome"}) == "skipped");
  CHECK(summaryOf(erasure.report) ==
        "1 drive erased: A (BlockErase); clear-sel; reset-boot-order skipped: no boot order");
}
