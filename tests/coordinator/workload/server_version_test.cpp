// What GET /version says.
#include "coordinator/workload/server_version.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using coordinator::workload::ServerVersion;
using coordinator::workload::serverVersionIn;

TEST_CASE("versions of clouds, with a plus behind the minor one, are versions") {
  CHECK(serverVersionIn(json::parse(R"({"major":"1","minor":"28"})")) == ServerVersion{1, 28});
  CHECK(serverVersionIn(json::parse(R"({"major":"1","minor":"28+"})")) == ServerVersion{1, 28});
  CHECK(ServerVersion{1, 28} > ServerVersion{1, 9});
}

TEST_CASE("what is no version is none") {
  CHECK_FALSE(serverVersionIn(json::parse(R"({"major":"","minor":""})")));
  CHECK_FALSE(serverVersionIn(json::parse(R"({"major":1})")));
  CHECK_FALSE(serverVersionIn(json::parse(R"([])")));
}

}  // namespace ingot::tests
