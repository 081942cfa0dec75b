// Address management as `ingot-coordinator --embedded` runs it: on disk, over a restart.
#include "api/ipam/ip_address.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using api::ipam::IPClaim;
using tests::Site;

namespace {

template <class T>
void create(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  static_cast<void>(site.run(site.client().create(std::move(object))));
  site.loop.clock.advance(3s);
}

std::string addressOf(Site& site, const std::string& claim) {
  const auto found = site.run(site.client().get<IPClaim>({"default", claim}));
  if (!found) return "gone";
  if (!found->status.address) return "";
  const auto address = site.run(site.client().get<api::ipam::IPAddress>({"default", found->status.address->name}));
  return address ? address->spec.address : "no object";
}

}  // namespace

TEST_CASE("claims get their addresses from the coordinator, and keep them over a restart", "[scenario][ipam]") {
  Site site;
  create(site, tests::poolOf({tests::startToEnd("10.0.0.1", "10.0.0.9")}));
  create(site, tests::claimOf("a"));
  create(site, tests::claimOf("b"));
  CHECK(addressOf(site, "a") == "10.0.0.1");
  CHECK(addressOf(site, "b") == "10.0.0.2");
  site.restart();
  create(site, tests::claimOf("c"));
  CHECK(addressOf(site, "c") == "10.0.0.3");
  CHECK(site.run(site.client().remove<IPClaim>({"default", "a"})));
  site.loop.clock.advance(3s);
  CHECK(addressOf(site, "a") == "gone");
  create(site, tests::claimOf("d"));
  CHECK(addressOf(site, "d") == "10.0.0.1");
  CHECK(addressOf(site, "b") == "10.0.0.2");
}
