// `ingotctl retry` against a whole coordinator: what it writes ends every wait.
#include "cli/decide/retry_plan.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

// What the command does.
void retry(Site& site, const std::string& name) {
  const auto plan = cli::planRetry(site.host(name).value(), site.loop.clock.wall());
  if (!plan.status.empty())
    static_cast<void>(site.run(site.client().patchStatus<api::BareMetalHost>({"default", name}, plan.status)));
  static_cast<void>(site.run(site.client().patch<api::BareMetalHost>({"default", name}, plan.patch)));
}

}  // namespace

TEST_CASE("a retry of a host at its retry limit has its image deployed at once", "[scenario][retry]") {
  Site site;
  site.createHost("a", redfish);
  REQUIRE(site.reaches("a", "available"));
  const std::string image = R"({"url":"http://images/a.raw","checksum":"c","checksumType":"sha256"})";
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":""}}})");
  site.loop.clock.advance(5s);
  site.patchHost("a", R"({"spec":{"image":)" + image + "}}");
  static_cast<void>(site.run(site.client().patchStatus<api::BareMetalHost>(
      {"default", "a"}, json::parse(R"({"status":{"provisioningFailCount":5,"lastAttemptedImage":)" + image + "}}"))));
  site.patchHost("a", R"({"metadata":{"annotations":{"baremetalhost.metal3.io/paused":null}}})");
  site.loop.clock.advance(1h);
  REQUIRE(site.state("a") == "available");
  REQUIRE_THAT(site.host("a")->status.errorMessage, Catch::Contains("retry limit"));
  retry(site, "a");
  site.loop.clock.advance(1s);
  CHECK(site.state("a") == "provisioning");
}

TEST_CASE("a retry of a host begins its back-off anew", "[scenario][retry]") {
  Site site;
  constexpr int failures = 12;
  site.ironic.failNext("POST", "/v1/nodes", {.status = 400, .text = "not today"}, failures);
  site.createHost("a", redfish);
  const auto tries = [&] {
    return std::ranges::count_if(site.ironic.journal(), [](const FakeIronic::Request& request) {
      return request.method == "POST" && request.path.ends_with("/v1/nodes");
    });
  };
  REQUIRE(site.loop.clock.advanceUntil([&] { return tries() == failures; }, 10h));
  site.ironic.failNext("POST", "/v1/nodes", {.status = 400, .text = "not today"});
  retry(site, "a");
  site.loop.clock.advance(5s);  // one that fails, and the next after a first, short wait
  CHECK(tries() == failures + 2);
  CHECK(site.ironic.nodeCount() == 1);
}

}  // namespace ingot::tests
