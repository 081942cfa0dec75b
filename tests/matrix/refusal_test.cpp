// An Ironic that refuses a request again and again: how often it is asked, and what the user sees meanwhile.
#include "tests/matrix/plant.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::matrix {
namespace {

using namespace std::chrono_literals;

bool reaches(Plant& plant, const std::string& state) {
  return plant.loop.clock.advanceUntil([&] { return plant.host("a")->status.provisioning.state == state; }, 30min);
}

void available(Plant& plant) {
  plant.addHost("a");
  REQUIRE(plant.loop.clock.advanceUntil([&] { return plant.host("a") != nullptr; }, 1min));
  REQUIRE(reaches(plant, "available"));
}

std::ptrdiff_t refusedRequests(Plant& plant) {
  return std::ranges::count_if(plant.ironic.journal(), [](const auto& request) { return request.status >= 400; });
}

}  // namespace

TEST_CASE("a request that Ironic refuses waits for its back-off, and the host says why it stands still") {
  const auto status = GENERATE(400, 503);
  INFO(status);
  constexpr int refusals = 13;  // with 0.1 s, 0.2 s, 0.4 s … between them: for nearly seven minutes
  Plant plant(Agents::none);
  available(plant);
  plant.ironic.failNext("PUT", "/states/provision", {.status = status, .text = "not with me"}, refusals);
  plant.patchHost("a", deployment);
  REQUIRE(reaches(plant, "provisioning"));

  plant.loop.clock.advance(20s);
  CHECK(plant.host("a")->status.errorMessage.empty());  // what passes is not worth a word
  plant.loop.clock.advance(2min);
  CHECK_THAT(plant.host("a")->status.errorMessage,
             Catch::Contains("failed to change provisioning state to \"provide\": ") && Catch::Contains("not with me"));
  CHECK(refusedRequests(plant) <= 12);

  REQUIRE(reaches(plant, "provisioned"));
  CHECK(plant.host("a")->status.errorMessage.empty());
  CHECK(refusedRequests(plant) == refusals);
}

TEST_CASE("a host that waits out a refusal does not keep Ironic under watch") {
  Plant plant(Agents::none);
  available(plant);
  plant.ironic.failNext("PUT", "/states/provision", {.status = 400}, 1000);
  plant.patchHost("a", deployment);
  REQUIRE(reaches(plant, "provisioning"));
  plant.loop.clock.advance(10min);
  const auto before = plant.ironic.requestCount();
  plant.loop.clock.advance(10min);
  CHECK(plant.ironic.requestCount() - before < 150);  // a calm sweep with its probe takes four a minute
}

}  // namespace ingot::tests::matrix
