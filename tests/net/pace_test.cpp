// An answer that drips is given up; one that is long in coming is not.
#include "net/curl/low_speed.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::World;

namespace {

struct Slow : World {
  std::unique_ptr<net::HttpTransport> impatient = net::curl::transport(runtime, {.bytesPerSecond = 1000, .seconds = 1});
  tests::Handler slow{[this](net::ServerRequest request, net::Responder& out) { return answer(request.target, out); }};

  Slow() { server = net::listen(runtime, {}, slow); }

  base::Task<void> answer(std::string target, net::Responder& out) {
    if (target == "/thinking") {
      co_await clock.sleepFor(2500ms);
      co_return co_await out.send({.status = 200, .body = "well considered"});
    }
    co_await out.begin(200, {});
    while (true) {
      co_await out.write("drip");
      co_await clock.sleepFor(100ms);
    }
  }

  net::HttpResponse get(const std::string& target) {
    const auto client = impatient->connect({.baseUrl = fmt::format("http://127.0.0.1:{}", server->port())});
    return run(client->send({.target = target, .deadline = 1h}));
  }
};

}  // namespace

TEST_CASE_METHOD(Slow, "an answer that drips is a timeout long before the request's deadline", "[client]") {
  try {
    (void)get("/dripping");
    FAIL("no error");
  } catch (const net::HttpError& e) {
    CHECK(e.code() == net::HttpError::Code::timeout);
    CHECK_THAT(e.what(), Catch::Contains("GET http://127.0.0.1") && Catch::Contains("too slow"));
  }
}

TEST_CASE_METHOD(Slow, "a server that thinks before it answers is not too slow", "[client]") {
  CHECK(get("/thinking").body == "well considered");
}
