// Paths that another handler answers.
#include "tests/apiserver/http/fixture.hpp"

using namespace ingot;
using namespace ingot::apiserver::tests;
using apiserver::EmbeddedApi;
using apiserver::EmbeddedOptions;

namespace {

struct Echo final : net::HttpHandler {
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    co_await out.send({.status = 200, .headers = {}, .body = request.method + " " + request.target});
  }
};

}  // namespace

TEST_CASE("paths below an extension's prefix are answered by it, for whoever may ask the API", "[apiserver]") {
  Echo echo;
  const bool isKnown = GENERATE(true, false);
  const EmbeddedOptions options{.extensions = {{"/apis/x.dev/v1", &echo}}};
  EmbeddedFixture api(options, isKnown ? EmbeddedApi::localAdmin() : net::PeerIdentity{});
  const auto answered = api.get("/apis/x.dev/v1/a?b=c");
  CHECK(answered.status == (isKnown ? 200 : 401));
  if (!isKnown) return;
  CHECK(answered.text == "GET /apis/x.dev/v1/a?b=c");
  CHECK(api.get("/apis/x.dev/v1").status == 200);
  CHECK(api.get("/apis/x.dev/v11").status == 404);
  CHECK(api.get("/apis/x.dev").status == 404);
  CHECK(api.send("GET", "/apis/x.dev/v1/a", {}, {{"Impersonate-User", "root"}}).status == 403);
}
