// What keeps a host off for a remediation that there is no more.
#include "tests/coordinator/remediation/clean.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

TEST_CASE("a hold of a remediation that was not seen yet stays", "[remediation]") {
  RemediationSite site;
  site.kill();
  site.heldWatch = "/metal3remediations";
  site.watchHeldFor = 10min;
  site.start();
  site.settle();
  site.remediate();
  site.patch<BareMetalHost>("h1", fmt::format(R"({{"metadata":{{"annotations":{{)"
                                              R"("reboot.metal3.io/metal3-remediation-{}":"{{}}"}}}}}})",
                                              site.it().metadata.uid));
  site.settle(1min);
  CHECK(site.isHeldOff());
}

TEST_CASE("a host that a remediation which is gone keeps off is set free", "[remediation]") {
  RemediationSite site;
  const auto hold = [&](const std::string& uid) {
    site.patch<BareMetalHost>("h1", fmt::format(R"({{"metadata":{{"annotations":{{)"
                                                R"("reboot.metal3.io/metal3-remediation-{}":"{{}}"}}}}}})",
                                                uid));
  };
  SECTION("of another uid, without any remediation") {
    hold("gone");
    site.settle();
  }
  SECTION("from before the process began") {
    site.kill();
    hold("gone");
    site.start();
    site.settle();
  }
  SECTION("beside one that is under way") {
    site.remediate();
    hold("gone");
    site.settle();
    CHECK(site.isHeldOff());
    CHECK(site.host().metadata.annotations.size() == 1);
    site.obey();
    site.obey();
    CHECK_FALSE(site.hasFinalizer());
  }
  SECTION("deleted by force") {
    site.remediate();
    REQUIRE(site.isHeldOff());
    site.kill();
    site.removeByForce<Metal3Remediation>("m1");
    site.start();
    site.settle();
  }
  SECTION("once the host is not paused any more") {
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
    hold("gone");
    site.settle();
    CHECK(isHeldByAnybody(site.host()));
    site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
    site.settle();
  }
  checkClean(site);
}
