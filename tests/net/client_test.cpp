// The real client when its server is gone, restarts, breaks off or speaks something else.
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <set>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::HttpError;
using net::Responder;
using net::ServerRequest;
using tests::World;

TEST_CASE_METHOD(World, "what comes right before sending comes with the connection made, or keeps the request here") {
  int requests = 0;
  int leaving = 0;
  handler = tests::Handler([&](ServerRequest, Responder& out) -> Task<void> {
    ++requests;
    co_await out.send({200, {}, ""});
  });
  listen();
  const auto client = transport->connect(options());
  const auto post = [&](std::function<void()> beforeSending) {
    return run(client->send({.method = "POST", .target = "/", .body = "x", .beforeSending = std::move(beforeSending)}));
  };
  CHECK(post([&] { leaving += requests == 0 ? 1 : 0; }).ok());
  CHECK(leaving == 1);
  CHECK_THROWS_WITH(post([] { throw base::Error("not now"); }), "not now");
  CHECK(requests == 1);
  CHECK(post({}).ok());

  auto nowhere = options();
  nowhere.baseUrl = "https://127.0.0.1:1";
  const auto failing = transport->connect(nowhere);
  CHECK_THROWS_AS(run(failing->send({.target = "/", .beforeSending = [&] { ++leaving; }})), HttpError);
  CHECK(leaving == 1);
}

TEST_CASE_METHOD(World, "nobody there is unreachable, and says so", "[client]") {
  listen();
  const auto o = options();
  run(server->stop(0s));
  const auto e = failure(o);
  CHECK(e.code() == HttpError::Code::unreachable);
  CHECK_THAT(e.what(), Catch::Contains("is it running"));
}

TEST_CASE_METHOD(World, "a server that restarts is reached again by the same client", "[client]") {
  listen();
  const auto client = transport->connect(options());
  const auto port = server->port();
  (void)get(*client);
  run(server->stop(0s));
  net::ServerOptions same;
  same.port = port;
  listen(same);
  CHECK_FALSE(get(*client).empty());
}

TEST_CASE_METHOD(World, "a POST on a kept connection that died is never sent twice", "[client]") {
  int posts = 0;
  handler = tests::Handler([&](ServerRequest request, Responder& out) -> Task<void> {
    if (request.method == "POST" && ++posts == 1) {
      out.abort();
      co_return;
    }
    co_await out.send({200, {}, "ok"});
  });
  listen();
  const auto client = transport->connect(options());
  (void)get(*client);
  CHECK_THROWS_AS(run(client->send({.method = "POST", .target = "/", .body = "x"})), HttpError);
  CHECK(posts == 1);
}

TEST_CASE_METHOD(World, "a request that asks for a connection to itself gets a new one, used once", "[client]") {
  listen();
  const auto client = transport->connect(options());
  const auto kept = get(*client);
  const net::HttpRequest alone{.method = "POST", .target = "/", .headers = {{"Connection", "close"}}, .body = "x"};
  const auto first = run(client->send(alone)).body, second = run(client->send(alone)).body;
  CHECK(std::set{kept, first, second}.size() == 3);
  CHECK(get(*client) == kept);
}

TEST_CASE_METHOD(World, "what does not speak HTTP is a protocol error", "[client]") {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) throw std::runtime_error("no socket");
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(::listen(fd, 4) == 0);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("ssh", [](base::Clock& c, int listener) -> Task<void> {
    int peer = -1;
    while ((peer = ::accept(listener, nullptr, nullptr)) < 0) co_await c.sleepFor(1ms);
    (void)::send(peer, "SSH-2.0-x\r\n", 11, MSG_NOSIGNAL);
    char heard[512];  // until the client hangs up
    while (::recv(peer, heard, sizeof heard, MSG_DONTWAIT) != 0) co_await c.sleepFor(1ms);
    ::close(peer);
  }(clock, fd));
  net::ClientOptions o;
  o.baseUrl = fmt::format("http://127.0.0.1:{}", ntohs(at.sin_port));
  CHECK(failure(o).code() == HttpError::Code::protocol);
  run(group.close());
  ::close(fd);
}
