// Flags of the coordinator arrive where they change something.
#include "base/file.hpp"
#include "net/certificates.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/scenario/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

template <class T>
void made(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  static_cast<void>(site.run(site.client().create(std::move(object))));
  site.loop.clock.advance(3s);
}

bool hasAddress(Site& site, const std::string& claim) {
  return site.run(site.client().get<IPClaim>({"default", claim})).value().status.address.has_value();
}

TEST_CASE("--watch-filter leaves pools and claims without its label to somebody else", "[scenario][flags]") {
  Site site({"--watch-filter", "ours"});
  auto pool = smallPool();
  pool.metadata.labels = {{"cluster.x-k8s.io/watch-filter", "ours"}};
  auto ours = claimOf("ours");
  ours.metadata.labels = pool.metadata.labels;
  made(site, pool);
  made(site, claimOf("theirs"));
  made(site, ours);
  CHECK(hasAddress(site, "ours"));
  CHECK_FALSE(hasAddress(site, "theirs"));
}

TEST_CASE("--controllers leaves what it does not name to somebody else", "[scenario][flags]") {
  const bool withIpam = GENERATE(true, false);
  Site site({"--controllers", withIpam ? "ipam" : "*,-ipam"});
  site.createHost("h", "redfish://10.0.0.1/redfish/v1/Systems/1");
  made(site, smallPool());
  made(site, claimOf("a"));
  CHECK(hasAddress(site, "a") == withIpam);
  CHECK(site.reaches("h", "available", 10min) == !withIpam);
  CHECK(site.ironic.verbs().empty() == withIpam);
}

TEST_CASE("--retry-refused-claims gives an address that comes free to a claim that was refused", "[scenario][flags]") {
  const bool retries = GENERATE(true, false);
  Site site(retries ? std::vector<std::string>{"--retry-refused-claims"} : std::vector<std::string>{});
  made(site, poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  made(site, claimOf("a"));
  made(site, claimOf("b"));
  REQUIRE(hasAddress(site, "a"));
  REQUIRE_FALSE(hasAddress(site, "b"));
  CHECK(site.run(site.client().remove<IPClaim>({"default", "a"})));
  site.loop.clock.advance(1min);
  CHECK(hasAddress(site, "b") == retries);
}

TEST_CASE("the names of --tls-san are in the certificate of the embedded API", "[scenario][flags]") {
  const Site site({"--listen", "127.0.0.1:0", "--tls-san", "api.example.com, 10.9.8.7"});
  const auto names = net::namesOf(base::readFile((site.folder() / "tls/server.crt").string()));
  for (const char* name : {"api.example.com", "10.9.8.7"}) CHECK(std::ranges::count(names, name) == 1);
}

}  // namespace
}  // namespace ingot::tests
