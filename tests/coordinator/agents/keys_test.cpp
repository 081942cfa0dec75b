// Who begins to lead needs the keys that agents know, from an API that may be in trouble just then.
#include "coordinator/agents/keys.hpp"
#include "coordinator/agents/team.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

constexpr auto origin = "http://kube";

// Keeps one Secret; its first answers are errors.
struct SecretApi final : net::HttpHandler {
  explicit SecretApi(int first) : errors(first) {}
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const auto answer = [](int status, std::string body) {
      return net::HttpResponse{
          .status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
    };
    if (errors-- > 0)
      co_return co_await out.send(
          answer(500, R"({"kind":"Status","reason":"InternalError","message":"out of order"})"));
    if (request.method == "POST") stored = request.body;
    if (stored.empty()) co_return co_await out.send(answer(404, R"({"kind":"Status","reason":"NotFound"})"));
    co_await out.send(answer(request.method == "POST" ? 201 : 200, stored));
  }
  int errors;
  std::string stored;
};

}  // namespace

TEST_CASE("the keys that agents know are made, and read, however often the API answers an error first", "[agents]") {
  Loop loop;
  SecretApi api(GENERATE(0, 1, 30));
  net::Loopback network(loop.runtime);
  network.serve(origin, api);
  const auto client = kube::connect(loop.runtime, network, {.server = origin});
  const auto made = loop.run(coordinator::agents::coordinatorKeys(loop.runtime, *client, "", "metal"));
  api.errors = 30;
  const auto read = loop.run(coordinator::agents::coordinatorKeys(loop.runtime, *client, "", "metal"));
  CHECK(read.publicKey == made.publicKey);
  loop.run(network.close());
}

TEST_CASE("a Secret that holds no keys is not waited for", "[agents]") {
  Loop loop;
  SecretApi api(0);
  api.stored =
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"ingot-coordinator-keys","namespace":"metal"}})";
  net::Loopback network(loop.runtime);
  network.serve(origin, api);
  const auto client = kube::connect(loop.runtime, network, {.server = origin});
  CHECK_THROWS_WITH(loop.run(coordinator::agents::coordinatorKeys(loop.runtime, *client, "", "metal")),
                    Catch::Contains("Secret metal/ingot-coordinator-keys holds no CURVE key"));
  loop.run(network.close());
}

TEST_CASE("who only looks for keys in a folder makes none", "[agents]") {
  Loop loop;
  SecretApi api(0);
  net::Loopback network(loop.runtime);
  network.serve(origin, api);
  const auto client = kube::connect(loop.runtime, network, {.server = origin});
  const TemporaryFolder folder;
  const auto present = [&] { return loop.run(coordinator::agents::presentKeys(*client, folder.path(""), "metal")); };
  CHECK_FALSE(present());
  CHECK(std::filesystem::is_empty(folder.path("")));
  const auto made = loop.run(coordinator::agents::coordinatorKeys(loop.runtime, *client, folder.path(""), ""));
  REQUIRE(present());
  CHECK(present()->publicKey == made.publicKey);
  loop.run(network.close());
}

}  // namespace ingot::tests
