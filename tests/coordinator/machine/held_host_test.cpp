// spec/capm3.md §11 against an API: machines that go while somebody holds their hosts.
#include "tests/coordinator/machine/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("§11 a host whose status was not taken over yet is not let go", "[machine]") {
  MachineSite site;
  site.deploy(withTemplate);
  const std::string state = GENERATE("provisioned", "future");
  site.patchStatus<BareMetalHost>("h1", R"({"status":null})");
  site.patch<BareMetalHost>("h1", fmt::format(R"({{"metadata":{{"annotations":{{"baremetalhost.metal3.io/paused":"me",)"
                                              R"("baremetalhost.metal3.io/status":)"
                                              R"("{{\"provisioning\":{{\"state\":\"{}\"}}}}"}}}}}})",
                                              state));
  site.removeMachine("m1");
  site.settle(10min);
  CHECK(site.consumer("h1") == "m1");
  CHECK_FALSE(site.host("h1").spec.image);
  REQUIRE(site.find<Metal3DataClaim>("m1"));
  CHECK_FALSE(site.find<Metal3DataClaim>("m1")->metadata.beingDeleted());
  CHECK(site.condition("m1", kMetaData) ==
        "False/Deleting: deprovisioning BareMetalHost, requeuing: the status that h1 carries in its annotation "
        "baremetalhost.metal3.io/status has not been taken over yet; nothing is done to that host before its "
        "annotation baremetalhost.metal3.io/paused is removed");
  site.patch<BareMetalHost>("h1", R"({"metadata":{"annotations":null}})");
  site.patchStatus<BareMetalHost>("h1",
                                  R"({"status":{"provisioning":{"state":"available","ID":"id"},"poweredOn":false,)"
                                  R"("operationalStatus":"OK","errorMessage":""}})");
  site.settle();
  CHECK(site.consumer("h1").empty());
  CHECK_FALSE(site.find<Metal3Machine>("m1"));
}

TEST_CASE("a deletion that waits for a host which somebody holds names what holds it", "[machine]") {
  const std::string hold = GENERATE("baremetalhost.metal3.io/paused", "baremetalhost.metal3.io/detached");
  MachineSite site;
  site.deploy();
  site.patch<BareMetalHost>("h1", fmt::format(R"({{"metadata":{{"annotations":{{"{}":"me"}}}}}})", hold));
  site.removeMachine("m1");
  site.settle(1min);
  CHECK(
      site.condition("m1", kMetaData) ==
      "False/Deleting: deprovisioning BareMetalHost, requeuing: h1 is provisioned; nothing is done to that host before "
      "its annotation " +
          hold + " is removed");
}
