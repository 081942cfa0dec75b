// What goes onto a disk is what the API says of the Secret, not what a cache says that lags behind.
#include "tests/coordinator/host/world.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

bool asksForAllSecrets(const net::ServerRequest& request) {
  return request.method == "GET" && request.path() == "/api/v1/secrets";
}

}  // namespace

TEST_CASE("a host is deployed with its Secret as it is now", "[host][controller]") {
  World w;
  w.kill();
  w.createSecret("user", {{"userData", "earlier"}}, true);
  const auto isWatch = [](const auto& request) { return request.query().find("watch=true") != std::string_view::npos; };
  w.failing = [&](const auto& request) { return asksForAllSecrets(request) && isWatch(request); };
  w.start();
  w.settle();
  w.failing = asksForAllSecrets;
  w.editSecret("user", "userData", "now");
  w.create(aHost(host::State::none).online().image("http://images/os").with([](auto& h) {
    h.spec.userData = api::SecretReference{.name = "user"};
  }));
  REQUIRE(w.reaches("provisioned"));
  CHECK(w.script.userData == "now");
}

}  // namespace ingot::tests
