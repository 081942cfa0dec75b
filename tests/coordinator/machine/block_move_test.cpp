// spec/capm3.md §8.2 (7), §12 against an API that refuses to have the move of a host blocked: that is logged, and no
// machine waits for it (docs/decisions/0045).
#include "tests/coordinator/machine/site.hpp"

#include "api/bmh/names.hpp"
#include "api/capm3/names.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string kBlock(api::capm3::annotation::blockMove);

// While it is there, writes to the host are answered so.
struct ClosedHost {
  ClosedHost(MachineSite& site, int status) {
    site.instead = [this, status](const net::ServerRequest& request) -> std::optional<ApiSite::Answer> {
      if (isOpen || request.method != "PATCH" || !request.path().ends_with("/baremetalhosts/h1")) return std::nullopt;
      ++refused;
      return ApiSite::Answer{status, fmt::format(R"({{"kind":"Status","code":{},"message":"a webhook"}})", status)};
    };
  }

  bool isOpen = false;
  int refused = 0;
};

void unblock(MachineSite& site, const std::string& others = "") {
  site.patch<BareMetalHost>("h1", fmt::format(R"({{"metadata":{{"annotations":{{"{}":null{}}}}}}})", kBlock, others));
}

bool isBlocked(MachineSite& site) { return site.host("h1").metadata.annotations.contains(kBlock); }

}  // namespace

TEST_CASE("§8.2 (7) a block-move that is refused keeps no machine from its Node", "[machine][block-move]") {
  const int status = GENERATE(422, 500);
  MachineSite site;
  site.deploy();
  ClosedHost closed(site, status);
  unblock(site);
  site.settle(3min);
  REQUIRE(closed.refused > 0);
  site.join("h1", "n1");
  CHECK(site.isProvisioned("m1"));
  CHECK(site.condition("m1", "Ready") == "True/Ready");
  CHECK_FALSE(isBlocked(site));
  closed.isOpen = true;
  site.settle(6min);
  CHECK(isBlocked(site));
}

TEST_CASE("§8.2 (7) a block-move that is refused for hours takes nothing from a machine in service, and costs little",
          "[machine][block-move]") {
  const auto [status, most] = GENERATE(std::pair(422, 15), std::pair(500, 4 * 150));  // the client sends it four times
  MachineSite site;
  site.putInService("h1", "m1");
  site.patchStatus<Machine>("m1", R"({"status":{"nodeRef":{"name":"n1"}}})");
  site.settle();
  ClosedHost closed(site, status);
  unblock(site);
  const auto written = site.writesTo("/metal3machines/m1").size();
  site.settle(1h);
  CHECK(site.condition("m1", "Ready") == "True/Ready");
  CHECK(site.writesTo("/metal3machines/m1").size() == written);
  CHECK(closed.refused >= 10);
  CHECK(closed.refused <= most);
  closed.isOpen = true;
  site.settle(6min);
  CHECK(isBlocked(site));
}

TEST_CASE("§12 a block-move that is refused on a host that somebody has paused is no pause that is not removed",
          "[machine][block-move]") {
  MachineSite site;
  site.putInService("h1", "m1");
  ClosedHost closed(site, 422);
  const std::string byHand = fmt::format(R"(,"{}":"by hand")", api::annotation::paused);
  SECTION("while its Cluster works") { unblock(site, byHand); }
  SECTION("while the machine rests alone") {
    site.patch<Metal3Machine>("m1", R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
    unblock(site, byHand);
  }
  site.settle(1min);
  REQUIRE(closed.refused > 0);
  CHECK_THAT(site.condition("m1", "Paused"), Catch::StartsWith("False/NotPaused") || Catch::StartsWith("True/Paused"));
  CHECK_THAT(site.condition("m1", kAssociate), Catch::StartsWith("True/"));
}
