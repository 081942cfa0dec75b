// What client and server promise together, on real sockets with TLS, without, and in memory.
#include "tests/net/pair.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::HttpError;
using net::HttpRequest;
using net::Responder;
using net::ServerRequest;

namespace {

struct World : tests::RealLoop {
  std::unique_ptr<tests::Handler> handler;
  std::unique_ptr<tests::Pair> pair;

  void start(std::string_view kind, tests::Handler::Function function) {
    handler = std::make_unique<tests::Handler>(std::move(function));
    if (kind == "TLS") pair = tests::tlsPair(runtime, *handler);
    if (kind == "plain") pair = tests::plainPair(runtime, *handler);
    if (kind == "loopback") pair = tests::loopbackPair(runtime, *handler);
  }
  ~World() {
    if (pair) run(pair->stop());
  }
};

HttpError::Code failureOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HttpError& e) {
    INFO(e.what());
    return e.code();
  }
  FAIL("no error");
  return HttpError::Code::protocol;
}

// Reads a stream to its clean end.
Task<std::string> readAll(net::HttpStream& stream) {
  std::string all;
  while (auto piece = co_await stream.next(120s)) all += *piece;
  co_return all;
}

Task<std::string> openAndReadAll(net::HttpClient& client, HttpRequest request) {
  const auto stream = co_await client.open(std::move(request));
  co_return co_await readAll(*stream);
}

}  // namespace

#define ON_EACH_TRANSPORT GENERATE(as<std::string>{}, "TLS", "plain", "loopback")

TEST_CASE_METHOD(World, "a request reaches the handler whole and its answer comes back whole", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  ServerRequest seen;
  start(kind, [&](ServerRequest request, Responder& out) -> Task<void> {
    seen = request;
    co_await out.send({201, {{"X-Answer", "yes"}, {"Content-Type", "text/plain"}}, "made " + request.body});
  });
  const auto client = pair->client();
  const auto response = run(client->send({.method = "POST",
                                          .target = "/a%20b/c?d=e&f",
                                          .headers = {{"X-Ask", "please"}, {"Content-Type", "application/json"}},
                                          .body = "{\"x\": 1}"}));
  CHECK(response.status == 201);
  CHECK(response.headers.get("x-answer") == "yes");
  CHECK(response.body == "made {\"x\": 1}");
  CHECK(seen.method == "POST");
  CHECK(seen.path() == "/a%20b/c");
  CHECK(seen.query() == "d=e&f");
  CHECK(seen.headers.get("x-ask") == "please");
  CHECK(seen.headers.get("content-type") == "application/json");
  CHECK(seen.headers.get("content-length") == "8");
  CHECK_FALSE(seen.headers.find("Expect"));
  CHECK(seen.headers.get("user-agent") == "ingot");
}

TEST_CASE_METHOD(World, "every method arrives as it is named, with and without a body", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder& out) -> Task<void> {
    co_await out.send({200, {}, request.method + ":" + request.body});
  });
  const auto client = pair->client();
  for (const std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    CHECK(run(client->send({.method = method, .target = "/"})).body == method + ":");
    CHECK(run(client->send({.method = method, .target = "/", .body = "x"})).body == method + ":x");
  }
  const auto head = run(client->send({.method = "HEAD", .target = "/"}));
  CHECK(head.body.empty());
  CHECK(head.headers.get("Content-Length") == "5");
}

TEST_CASE_METHOD(World, "an error status is an answer, a body past its cap is an error", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder& out) -> Task<void> {
    co_await out.send({request.path() == "/none" ? 404 : 200, {}, std::string(2000, 'x')});
  });
  const auto client = pair->client();
  CHECK(run(client->send({.target = "/none"})).status == 404);
  CHECK(failureOf([&] { (void)run(client->send({.target = "/", .bodyLimit = 1999})); }) ==
        HttpError::Code::bodyTooLarge);
  CHECK(run(client->send({.target = "/", .bodyLimit = 2000})).body.size() == 2000);
}

TEST_CASE_METHOD(World, "a streamed answer past the cap is stopped, whatever its length says", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {});
    while (true) co_await out.write(std::string(10'000, 'x'));  // ends when the client has gone
  });
  const auto client = pair->client();
  CHECK(failureOf([&] { (void)run(client->send({.target = "/", .bodyLimit = 100'000})); }) ==
        HttpError::Code::bodyTooLarge);
}

TEST_CASE_METHOD(World, "pieces arrive while the answer is still being written", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  base::Notifier goOn(runtime.executor);
  start(kind, [&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {{"Content-Type", "text/plain"}});
    co_await out.write("first");
    co_await goOn.wait();
    co_await out.write("second");
    co_await out.end();
  });
  const auto client = pair->client();
  run([](net::HttpClient& c, base::Notifier& goAhead) -> Task<void> {
    const auto stream = co_await c.open({.target = "/watch"});
    CHECK(stream->status() == 200);
    CHECK(stream->headers().get("content-type") == "text/plain");
    CHECK(co_await stream->next(120s) == "first");
    goAhead.notifyAll();
    CHECK(co_await stream->next(120s) == "second");
    CHECK_FALSE(co_await stream->next(120s));
  }(*client, goOn));
}

TEST_CASE_METHOD(World, "a slow reader holds the writer back and loses nothing", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  static constexpr std::size_t total = 40u << 20;  // more than sockets and buffers hold
  std::size_t written = 0;
  start(kind, [&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {});
    for (; written < total; written += 1 << 20) co_await out.write(std::string(1 << 20, 'x'));
    co_await out.end();
  });
  const auto client = pair->client();
  const auto received = run([](net::HttpClient& c, base::Clock& clk, std::size_t& done) -> Task<std::size_t> {
    const auto stream = co_await c.open({.target = "/"});
    co_await clk.sleepFor(100ms);  // nothing to wait for: that the writer does not go on
    CHECK(done < total);
    std::size_t count = 0;
    while (auto piece = co_await stream->next(120s)) count += piece->size();
    co_return count;
  }(*client, clock, written));
  CHECK(received == total);
}

TEST_CASE_METHOD(World, "a large request body arrives whole", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder& out) -> Task<void> {
    co_await out.send({200, {}, std::to_string(request.body.size())});
  });
  const auto client = pair->client();
  CHECK(run(client->send({.method = "PUT", .target = "/", .body = std::string(3'000'000, 'y')})).body == "3000000");
  CHECK(run(client->send({.method = "PATCH", .target = "/", .body = std::string(3'000'000, 'y')})).body == "3000000");
}

TEST_CASE_METHOD(World, "no answer before the deadline is a timeout that names the request", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [&](ServerRequest, Responder&) -> Task<void> { co_await clock.sleepFor(1h); });
  const auto client = pair->client();
  try {
    (void)run(client->send({.target = "/slow?token=secret", .deadline = 50ms}));
    FAIL("no error");
  } catch (const HttpError& e) {
    CHECK(e.code() == HttpError::Code::timeout);
    CHECK_THAT(e.what(), Catch::Contains("GET ") && Catch::Contains("127.0.0.1") && Catch::Contains("/slow"));
    CHECK_THAT(e.what(), !Catch::Contains("secret"));
  }
  CHECK(failureOf([&] { (void)run(client->open({.target = "/slow", .deadline = 50ms})); }) == HttpError::Code::timeout);
}

TEST_CASE_METHOD(World, "a silent stream times out after its idle limit", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {});
    co_await clock.sleepFor(1h);
  });
  const auto client = pair->client();
  CHECK(failureOf([&] {
          run([](net::HttpClient& c) -> Task<void> {
            const auto stream = co_await c.open({.target = "/"});
            (void)co_await stream->next(50ms);
          }(*client));
        }) == HttpError::Code::timeout);
}

TEST_CASE_METHOD(World, "a connection broken in the middle is a reset, not a short answer", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/early") {
      out.abort();
      co_return;
    }
    co_await out.begin(200, {});
    co_await out.write("half");
    if (request.path() == "/forgotten") co_return;  // neither end() nor abort()
    out.abort();
  });
  const auto client = pair->client();
  for (const std::string path : {"/early", "/middle", "/forgotten"}) {
    INFO(path);
    CHECK(failureOf([&] { (void)run(client->send({.method = "POST", .target = path, .body = "x"})); }) ==
          HttpError::Code::reset);
    CHECK(failureOf([&] { (void)run(openAndReadAll(*client, {.method = "POST", .target = path})); }) ==
          HttpError::Code::reset);
  }
}

TEST_CASE_METHOD(World, "a handler that fails before it answers becomes a bare 500", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder&) -> Task<void> {
    if (request.path() == "/throws") throw base::Error("password is hunter2");
    co_return;
  });
  const auto client = pair->client();
  for (const std::string path : {"/throws", "/silent"}) {
    const auto response = run(client->send({.target = path}));
    CHECK(response.status == 500);
    CHECK(response.body == "Internal server error");
  }
}

TEST_CASE_METHOD(World, "dropping a stream cancels its handler", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  bool cancelled = false;
  base::Notifier ended(runtime.executor);
  start(kind, [&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {});
    co_await out.write("hello");
    try {
      co_await clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      cancelled = true;
      ended.notifyAll();
      throw;
    }
  });
  const auto client = pair->client();
  run([](net::HttpClient& c, base::Notifier& n, bool& done) -> Task<void> {
    {
      const auto stream = co_await c.open({.target = "/watch"});
      CHECK(co_await stream->next(120s) == "hello");
    }
    while (!done) co_await n.wait();
  }(*client, ended, cancelled));
  CHECK(cancelled);
}

TEST_CASE_METHOD(World, "cancelling a caller gives Cancelled and cancels the handler", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  base::Notifier changed(runtime.executor);
  bool started = false, ended = false;
  start(kind, [&](ServerRequest, Responder&) -> Task<void> {
    started = true;
    changed.notifyAll();
    try {
      co_await clock.sleepFor(1h);
    } catch (const base::Cancelled&) {
      ended = true;
      changed.notifyAll();
      throw;
    }
  });
  const auto client = pair->client();
  bool cancelled = false;
  base::AbortSource source;
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("caller", [](net::HttpClient& c, base::AbortSource& s, bool& out) -> Task<void> {
    auto call = [](net::HttpClient& cl) -> Task<void> { (void)co_await cl.send({.target = "/"}); };
    try {
      co_await s.run(call(c));
    } catch (const base::Cancelled&) {
      out = true;
    }
  }(*client, source, cancelled));
  run([](base::Notifier& n, base::AbortSource& s, bool& hasStarted, bool& hasEnded) -> Task<void> {
    while (!hasStarted) co_await n.wait();
    s.abort();
    while (!hasEnded) co_await n.wait();
  }(changed, source, started, ended));
  run(group.join());
  CHECK(cancelled);
}

TEST_CASE_METHOD(World, "a client sends no more requests at once than its connections", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  int now = 0, most = 0;
  start(kind, [&](ServerRequest, Responder& out) -> Task<void> {
    most = std::max(most, ++now);
    for (const auto end = clock.now() + 120s; most < 2 && clock.now() < end;) co_await clock.sleepFor(1ms);
    co_await clock.sleepFor(5ms);  // nothing to wait for: that no third comes
    --now;
    co_await out.send({200, {}, "ok"});
  });
  auto options = pair->options();
  options.maxConnections = 2;
  const auto client = pair->transport().connect(options);
  int answered = 0;
  base::TaskGroup group(runtime.executor, runtime.log);
  for (int i = 0; i < 10; ++i) {
    group.spawn("caller", [](net::HttpClient& c, int& count) -> Task<void> {
      if ((co_await c.send({.target = "/"})).ok()) ++count;
    }(*client, answered));
  }
  run(group.join());
  CHECK(answered == 10);
  CHECK(most == 2);
}

TEST_CASE_METHOD(World, "basic credentials and tokens are sent at once", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest request, Responder& out) -> Task<void> {
    co_await out.send({200, {}, request.headers.get("Authorization")});
  });
  auto options = pair->options();
  options.basicUser = "admin";
  options.basicPassword = base::Secret("pass:word");
  CHECK(run(pair->transport().connect(options)->send({.target = "/"})).body == "Basic YWRtaW46cGFzczp3b3Jk");
  options = pair->options();
  options.bearerToken = base::Secret("t0ken");
  CHECK(run(pair->transport().connect(options)->send({.target = "/"})).body == "Bearer t0ken");
}

TEST_CASE_METHOD(World, "what would break a message apart is not sent", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind, [](ServerRequest, Responder& out) -> Task<void> { co_await out.send({200, {}, ""}); });
  const auto client = pair->client();
  const auto refused = [&](HttpRequest request) {
    return failureOf([&] { (void)run(client->send(std::move(request))); }) == HttpError::Code::badRequest;
  };
  CHECK(refused({.target = "/a b"}));
  CHECK(refused({.target = "/a\r\nX: y"}));
  CHECK(refused({.method = "GET /x", .target = "/"}));
  CHECK(refused({.target = "/", .headers = {{"X", "a\r\nY: b"}}}));
  CHECK(refused({.target = "/", .headers = {{"X Y", "a"}}}));
  CHECK(refused({.target = "http://elsewhere:1/"}));
  auto options = pair->options();
  options.baseUrl = "https://user:hunter2@host/";
  CHECK_THROWS_WITH((void)pair->transport().connect(options), !Catch::Contains("hunter2"));
}

TEST_CASE_METHOD(World, "an absolute URL of the same origin, and a base URL with a path", "[contract]") {
  const auto kind = ON_EACH_TRANSPORT;
  INFO(kind);
  start(kind,
        [](ServerRequest request, Responder& out) -> Task<void> { co_await out.send({200, {}, request.target}); });
  auto options = pair->options();
  const auto origin = options.baseUrl;
  CHECK(run(pair->client()->send({.target = origin + "/next?marker=1"})).body == "/next?marker=1");
  options.baseUrl = origin + "/prefix/";
  CHECK(run(pair->transport().connect(options)->send({.target = "/v1"})).body == "/prefix/v1");
}

TEST_CASE_METHOD(World, "the client's certificate arrives as its identity", "[contract]") {
  const auto kind = GENERATE(as<std::string>{}, "TLS", "loopback");
  INFO(kind);
  net::PeerIdentity peer;
  start(kind, [&](ServerRequest request, Responder& out) -> Task<void> {
    peer = request.peer;
    co_await out.send({200, {}, ""});
  });
  (void)run(pair->client()->send({.target = "/"}));
  CHECK(peer.commonName == "alice");
  CHECK(peer.organizations == std::vector<std::string>{"admins", "staff"});
}
