// The embedded API holds objects that it cannot read: the controllers beside it know of them.
#include "api/bmh/names.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/finalizer.hpp"
#include "tests/scenario/site.hpp"

#include <sqlite3.h>
#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

void spoilHost(const Site& site, const std::string& name) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((site.folder() / "ingot.db").c_str(), &database) == SQLITE_OK);
  const std::string sql =
      "UPDATE objects SET body = '{' WHERE resource = 'baremetalhosts.metal3.io' AND name = '" + name + "'";
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(sqlite3_changes(database) == 1);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("the Secret of a host that the embedded API cannot read after a restart is not let go", "[scenario]") {
  Site site;
  site.createHost("a", "redfish://10.0.0.1/redfish/v1/Systems/1");
  REQUIRE(site.reaches("a", "available"));
  site.stop();
  spoilHost(site, "a");
  site.start();
  site.loop.clock.advance(1min);
  CHECK_FALSE(site.host("a"));
  const auto secret = site.run(site.client().get<kube::Secret>({"default", "a-bmc"}));
  REQUIRE(secret);
  CHECK(kube::hasFinalizer(secret->metadata, api::finalizer::secret));
}

}  // namespace ingot::tests
