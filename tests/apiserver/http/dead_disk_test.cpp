// What the API says of itself once its disk has failed.
#include "tests/support/dead_disk.hpp"
#include "tests/apiserver/http/fixture.hpp"
#include "tests/apiserver/store/fixture.hpp"

namespace ingot::apiserver::tests {

namespace {

const std::string kOne = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"one-"}})";

}  // namespace

TEST_CASE("an API whose disk has failed is neither live nor ready, and whoever waits for its end is told why",
          "[apiserver][http]") {
  TemporaryFolder folder;
  EmbeddedFixture api(EmbeddedOptions{.dataDir = folder.path()});
  CHECK(api.send("POST", kConfigMaps, kOne).status == 201);
  CHECK(api.api->healthy());
  {
    const ingot::tests::DeadDisk disk;
    const Answered refused = api.send("POST", kConfigMaps, kOne);
    CHECK(refused.status == 500);
    CHECK_THAT(refused.at({"message"}), Catch::Contains("the database failed"));
  }
  for (const std::string path : {"/livez", "/readyz", "/healthz"}) {
    const Answered health = api.get(path);
    CHECK(health.status == 500);
    CHECK_THAT(health.text, Catch::Contains("[-]storage failed"));
  }
  CHECK_FALSE(api.api->healthy());
  CHECK_THROWS_WITH(api.loop.run(api.api->untilFailed()), Catch::StartsWith("the database failed ("));
  CHECK(api.get(kConfigMaps).status == 200);  // what is known can still be read
}

}  // namespace ingot::apiserver::tests
