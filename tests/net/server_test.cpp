// The real server: limits, deadlines, clients that misbehave, the graceful end.
#include "net/beast/eviction.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::Responder;
using net::ServerRequest;
using tests::connectTo;
using tests::World;

TEST_CASE_METHOD(World, "a body past the server's limit is refused with 413 before it is read", "[server]") {
  listenPlain({.bodyLimit = 1000});
  const auto answer =
      speak("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + std::string(200'000, 'x'));
  CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 413 ") && Catch::EndsWith("Request entity too large: limit is 1000"));
}

TEST_CASE_METHOD(World, "a chunked body past the limit is refused too", "[server]") {
  listenPlain({.bodyLimit = 1000});
  const auto answer = speak("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" +
                            std::string(0x800, 'x') + "\r\n0\r\n\r\n");
  CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 413 "));
}

namespace {

// Lets nobody in, and counts the bytes of bodies that reached it.
class Closed final : public net::HttpHandler {
 public:
  std::size_t bytes = 0;
  [[nodiscard]] bool wantsBody(const ServerRequest& head) const override {
    return head.headers.find("Authorization").has_value();
  }
  Task<void> handle(ServerRequest request, Responder& out) override {
    bytes += request.body.size();
    co_await out.send({401, {}, "who is " + request.target});
  }
};

}  // namespace

TEST_CASE_METHOD(World, "a stranger's body is not waited for: the answer comes on the head and the connection closes",
                 "[server]") {
  Closed closed;
  server = net::listen(runtime, {}, closed);
  const std::string head = "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n";
  for (const std::string& rest :
       {std::string("\r\n"), std::string("Expect: 100-continue\r\n\r\n"), "\r\n" + std::string(3'000'000, 'x')}) {
    const auto answer = speak(head + rest);
    CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 401 ") && Catch::Contains("Connection: close\r\n") &&
                           Catch::EndsWith("\r\n\r\nwho is /a"));
  }
  CHECK(closed.bytes == 0);
  const auto known =
      speak("PUT /a HTTP/1.1\r\nAuthorization: me\r\nConnection: close\r\nContent-Length: 500000\r\n\r\n" +
            std::string(500'000, 'x'));
  CHECK_THAT(known, Catch::EndsWith("who is /a"));
  CHECK(closed.bytes == 500'000);
  run(server->stop(0s));
}

TEST_CASE_METHOD(World, "broken and oversized requests are refused and the connection is closed", "[server]") {
  listenPlain({.headerLimit = 2000});
  CHECK_THAT(speak("nonsense\r\n\r\n"), Catch::StartsWith("HTTP/1.1 400 "));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nX: " + std::string(3000, 'x') + "\r\n\r\n"), Catch::StartsWith("HTTP/1.1 431 "));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
             Catch::StartsWith("HTTP/1.1 400 "));
}

TEST_CASE_METHOD(World, "pipelined requests are answered in order, HTTP/1.0 closes, 100 is sent when asked for",
                 "[server]") {
  handler = tests::Handler([](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/stream") {
      co_await out.begin(200, {});
      co_await out.write("str");
      co_await out.write("eam");
      co_await out.end();
    } else {
      co_await out.send({200, {}, request.target + request.body});
    }
  });
  listenPlain();
  const auto two = speak("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  CHECK(two.find("/1") < two.find("/2"));
  CHECK_THAT(speak("GET /stream HTTP/1.0\r\n\r\n"), Catch::EndsWith("\r\n\r\nstream"));
  CHECK_THAT(speak("GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
             Catch::EndsWith("3\r\nstr\r\n3\r\neam\r\n0\r\n\r\n"));
  run(server->stop(0s));
  listenPlain({.requestTimeout = 1s});  // ends this case, which never sends its body
  const auto expecting = speak(
      "PUT /p HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n"
      "Content-Length: 2\r\n\r\n");
  CHECK_THAT(expecting, Catch::StartsWith("HTTP/1.1 100 Continue\r\n\r\n"));
}

TEST_CASE_METHOD(World, "slow requests, idle connections and stuck handshakes are closed at their deadlines",
                 "[server]") {
  listenPlain({.idleTimeout = 1s, .requestTimeout = 1s});
  CHECK(speak("GET / HTTP/1.1\r\nHos").empty());
  CHECK_THAT(speak("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));  // then idle
  run(server->stop(0s));
  listen({.handshakeTimeout = 60ms});
  CHECK(speak("").empty());
}

TEST_CASE_METHOD(World, "a client that does not read its answer is cut off", "[server]") {
  base::Notifier changed(runtime.executor);
  bool ended = false;
  handler = tests::Handler([&](ServerRequest, Responder& out) -> Task<void> {
    try {
      co_await out.begin(200, {});
      while (true) co_await out.write(std::string(1 << 20, 'x'));
    } catch (const base::Error&) {
      ended = true;
      changed.notifyAll();
      throw;
    }
  });
  listenPlain({.requestTimeout = 100ms});
  const int fd = connectTo(server->port());
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  REQUIRE(::send(fd, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size()));
  run([](base::Notifier& n, bool& done) -> Task<void> {
    while (!done) co_await n.wait();
  }(changed, ended));
  ::close(fd);
}

TEST_CASE_METHOD(World, "stopping lets running requests finish and tells their clients to go", "[server]") {
  base::Notifier changed(runtime.executor);
  bool started = false, stopping = false;
  handler = tests::Handler([&](ServerRequest, Responder& out) -> Task<void> {
    started = true;
    changed.notifyAll();
    while (!stopping) co_await changed.wait();
    co_await out.send({200, {}, "finished"});
  });
  listen();
  const auto client = transport->connect(options());
  std::optional<net::HttpResponse> response;
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("caller", [](net::HttpClient& c, std::optional<net::HttpResponse>& r) -> Task<void> {
    r = co_await c.send({.target = "/"});
  }(*client, response));
  run([](base::Notifier& n, bool& begun) -> Task<void> {
    while (!begun) co_await n.wait();
  }(changed, started));
  group.spawn("stop", server->stop(120s));
  group.spawn("finish", [](base::Notifier& n, bool& asked) -> Task<void> {
    asked = true;
    n.notifyAll();
    co_return;
  }(changed, stopping));
  run(group.join());
  REQUIRE(response);
  CHECK(response->body == "finished");
  CHECK(response->headers.get("Connection") == "close");
  CHECK(server->connections() == 0);
}

TEST_CASE_METHOD(World, "a server that is about to stop answers everybody once more, and has them connect anew",
                 "[server]") {
  handler = tests::Handler([](ServerRequest, Responder& out) -> Task<void> { co_await out.send({200, {}, "here"}); });
  listen();
  const auto client = transport->connect(options());
  const auto ask = [&] { return run(client->send({.target = "/"})); };
  CHECK(ask().headers.get("Connection") != "close");
  const auto kept = server->connections();
  CHECK(kept == 1);
  server->closeAfterAnswers();
  CHECK(server->connections() == kept);  // one that is idle may be sending
  for (int i = 0; i < 2; ++i) {          // the second on a connection that came later
    const auto answer = ask();
    CHECK(answer.body == "here");
    CHECK(answer.headers.get("Connection") == "close");
  }
}

TEST_CASE_METHOD(World, "stopping cancels what does not finish within the grace", "[server]") {
  base::Notifier changed(runtime.executor);
  bool started = false, cancelled = false;
  handler = tests::Handler([&](ServerRequest, Responder&) -> Task<void> {
    started = true;
    changed.notifyAll();
    try {
      co_await clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      cancelled = true;
      throw;
    }
  });
  listen();
  const auto client = transport->connect(options());
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("caller", [](net::HttpClient& c) -> Task<void> { (void)co_await c.send({.target = "/"}); }(*client));
  const auto before = clock.now();
  run([](base::Notifier& n, bool& begun, net::Server& s) -> Task<void> {
    while (!begun) co_await n.wait();
    co_await s.stop(20ms);
  }(changed, started, *server));
  run(group.join());
  CHECK(cancelled);
  CHECK(clock.now() - before < 120s);  // long before the request's own end
}

TEST_CASE_METHOD(World, "running out of file descriptors does not end the server", "[server]") {
  listenPlain();
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int fd = connectTo(server->port());  // waits in the backlog
  const int highest = ::dup(fd);
  const rlimit none{static_cast<rlim_t>(highest), before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);  // no further descriptor
  for (const auto end = clock.now() + 120s; !log->contains("cannot accept connections for now") && clock.now() < end;)
    run(clock.sleepFor(1ms));
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  ::close(fd);
  ::close(highest);
  REQUIRE(log->contains("cannot accept connections for now"));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));
}

TEST_CASE_METHOD(World, "past its cap of connections a server takes the next one when another ends", "[server]") {
  listenPlain({.maxConnections = 2});
  base::TaskGroup group(runtime.executor, runtime.log);
  int answered = 0;
  auto one = [](World& w, int& count) -> Task<void> {
    const auto text = co_await w.speakLater("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    if (text.starts_with("HTTP/1.1 200")) ++count;
  };
  for (int i = 0; i < 8; ++i) group.spawn("client", one(*this, answered));
  run(group.join());
  CHECK(answered == 8);
}

TEST_CASE_METHOD(World, "an address that cannot be had is an error that names it", "[server]") {
  listenPlain();
  net::ServerOptions same;
  same.port = server->port();
  CHECK_THROWS_WITH(net::listen(runtime, same, handler), Catch::Contains(fmt::format("127.0.0.1:{}", same.port)));
  same.address = "example.org";
  CHECK_THROWS_WITH(net::listen(runtime, same, handler), Catch::Contains("not an IP address"));
}

TEST_CASE("the newest unauthenticated connection is accepted, the oldest is closed", "[server]") {
  struct Row {
    std::vector<std::string> others;
    std::string newcomer;
    std::optional<std::size_t> leaves;
  };
  const net::UnauthenticatedLimits limits{.total = 4, .fromOneNetwork = 2};
  const Row rows[] = {
      {{}, "a", std::nullopt},
      {{"a"}, "a", std::nullopt},
      {{"b", "a", "a"}, "a", 1},  // its own network has its share
      {{"a", "b", "c"}, "d", std::nullopt},
      {{"a", "b", "c", "d"}, "e", 0},  // all in all there are enough
      {{"a", "b", "c", "c"}, "c", 2},
  };
  for (const Row& row : rows) CHECK(net::connectionToEvict(row.others, row.newcomer, limits) == row.leaves);
  const std::vector<std::string> many(500, "a");
  CHECK_FALSE(net::connectionToEvict(many, "a", {}));
}

namespace {

// A handler that authenticates requests with "Authorization: me".
class Door final : public net::HttpHandler {
 public:
  explicit Door(const base::Executor& executor) : asked_(executor) {}
  [[nodiscard]] bool isAuthenticated(const ServerRequest& request) const override {
    asks_ += 1;
    asked_.notifyAll();
    return request.headers.get("Authorization") == "me";
  }
  Task<void> untilAsked() {
    while (asks_ == 0) co_await asked_.wait();
  }
  Task<void> handle(ServerRequest, Responder& out) override { co_await out.send({200, {}, "open"}); }

 private:
  mutable base::Notifier asked_;
  mutable int asks_ = 0;
};

// A kept connection on which requests are made one after another.
struct Kept {
  World& world;
  int fd;
  explicit Kept(World& w) : world(w), fd(connectTo(w.server->port())) {}
  ~Kept() { ::close(fd); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  // False: the server has closed it.
  [[nodiscard]] bool ask(std::string headers = "") { return world.run(exchange(std::move(headers))); }

  // The answer of the Door, or what has arrived of it when the server closed the connection.
  [[nodiscard]] std::string answer() { return world.run(received()); }
  [[nodiscard]] bool send(const std::string& text) const {
    return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }

  Task<bool> exchange(std::string headers) {
    if (!send("GET /livez HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")) co_return false;
    co_return (co_await received()).ends_with("open");
  }
  Task<std::string> received() {
    std::string answer;
    while (!answer.ends_with("open")) {
      char piece[4096];
      const auto got = ::recv(fd, piece, sizeof piece, 0);
      if (got > 0) answer.append(piece, static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EAGAIN)) break;
      co_await world.clock.sleepFor(1ms);
    }
    co_return answer;
  }
};

}  // namespace

TEST_CASE_METHOD(World, "strangers who keep their connections open keep nobody out", "[server]") {
  Door door(runtime.executor);
  server = net::listen(runtime, {.maxConnections = 6, .maxUnauthenticated = 3}, door);
  Kept known(*this);
  CHECK(known.ask("Authorization: me\r\n"));
  std::vector<std::unique_ptr<Kept>> strangers;
  for (int i = 0; i < 20; ++i) {
    strangers.push_back(std::make_unique<Kept>(*this));
    CHECK(strangers.back()->ask());  // the newest always gets in
  }
  CHECK_FALSE(strangers.front()->ask());
  CHECK(strangers.back()->ask());
  CHECK(known.ask());
  Kept another(*this);
  CHECK(another.ask("Authorization: me\r\n"));
  run(server->stop(0s));
}

TEST_CASE_METHOD(World, "one address has its share of strangers' connections", "[server]") {
  Door door(runtime.executor);
  server = net::listen(runtime, {.maxUnauthenticatedPerNetwork = 2}, door);
  Kept first(*this), second(*this);
  CHECK(first.ask());
  CHECK(second.ask());
  Kept third(*this);
  CHECK(third.ask());
  CHECK_FALSE(first.ask());
  CHECK(second.ask());
  run(server->stop(0s));
}

TEST_CASE_METHOD(World, "clients with good certificates get in all at once, however many one address sends",
                 "[server]") {
  net::ServerOptions limits;
  limits.maxUnauthenticatedPerNetwork = 2;
  listen(limits);
  auto known = options();
  known.tls.certificatePem = ids.client.certificatePem;
  known.tls.privateKeyPem = ids.client.privateKeyPem;
  std::vector<std::unique_ptr<net::HttpClient>> clients;
  int served = 0;
  base::TaskGroup group(runtime.executor, runtime.log);
  for (int i = 0; i < 12; ++i) {
    clients.push_back(transport->connect(known));
    group.spawn("client", [](net::HttpClient& client, int& count) -> Task<void> {
      if ((co_await client.send({.target = "/"})).status == 200) ++count;
    }(*clients.back(), served));
  }
  run(group.join());
  CHECK(served == 12);
}

TEST_CASE_METHOD(World, "a client that the head of its request makes known may take its time for the body",
                 "[server]") {
  Door door(runtime.executor);
  server = net::listen(runtime, {.maxUnauthenticatedPerNetwork = 1}, door);
  Kept slow(*this);
  REQUIRE(slow.send("PUT /a HTTP/1.1\r\nHost: x\r\nAuthorization: me\r\nContent-Length: 4\r\n\r\n"));
  run(door.untilAsked());
  for (int i = 0; i < 3; ++i) {
    Kept stranger(*this);
    CHECK(stranger.ask());
  }
  REQUIRE(slow.send("body"));
  CHECK_THAT(slow.answer(), Catch::StartsWith("HTTP/1.1 200 "));
  run(server->stop(0s));
}
