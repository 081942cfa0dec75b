// libredfish between a client of ours and a server of ours, on sockets and in real time.
#include "bmc/libredfish/transport.hpp"
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
  void start(tests::Handler::Function function, bool isTls = false) {
    handler = std::make_unique<tests::Handler>([this, function](ServerRequest request, Responder& out) {
      seen.push_back(request);
      return function(std::move(request), out);
    });
    net::ServerOptions options;
    const auto& ids = tests::Identities::get();
    if (isTls) options.tls = net::ServerTls{ids.server.certificatePem, ids.server.privateKeyPem, ""};
    server = net::listen(runtime, options, *handler);
    scheme = isTls ? "https" : "http";
  }
  // Answers with its method and the body.
  void startEcho(bool isTls = false) {
    start(
        [](ServerRequest request, Responder& out) -> Task<void> {
          co_await out.send({200, {{"X-Answer", "yes"}}, request.method + ":" + request.body});
        },
        isTls);
  }
  ~World() {
    if (server) run(server->stop(0s));
  }

  net::ClientOptions options() const {
    return {.baseUrl = fmt::format("{}://127.0.0.1:{}", scheme, server->port()), .tls = {.verify = false}};
  }
  std::unique_ptr<net::HttpClient> client() { return transport->connect(options()); }
  net::HttpResponse send(HttpRequest request) {
    if (!usual) usual = client();
    return run(usual->send(std::move(request)));
  }
  // Ends an answer that a handler waits with.
  void goOn() {
    isGoingOn = true;
    goingOn.notifyAll();
  }
  Task<void> whenGoingOn() {
    while (!isGoingOn) co_await goingOn.wait();
  }
  Task<void> whenSeen(std::size_t count) {
    while (seen.size() < count) co_await clock.sleepFor(5ms);
  }

  std::vector<ServerRequest> seen;
  std::string scheme;
  std::unique_ptr<tests::Handler> handler;
  std::unique_ptr<net::Server> server;
  base::Notifier goingOn{runtime.executor};
  bool isGoingOn = false;
  std::unique_ptr<net::HttpTransport> transport = bmc::libredfish::transport(runtime);
  std::unique_ptr<net::HttpClient> usual;
};

std::optional<HttpError> failureOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HttpError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE_METHOD(World, "a request reaches the server whole, its answer comes back whole, and libredfish adds none") {
  const bool isTls = GENERATE(true, false);
  const std::string body("{\"x\":\0 1}", 9);
  start(
      [](ServerRequest request, Responder& out) -> Task<void> {
        co_await out.send({201, {{"X-Answer", " yes "}, {"ETag", "W/\"1\""}}, "made " + request.body});
      },
      isTls);
  const auto response = send({.method = "POST",
                              .target = "/a%20b/c?d=e&f",
                              .headers = {{"X-Ask", "please"}, {"Content-Type", "application/json"}},
                              .body = body});
  CHECK(response.status == 201);
  CHECK(response.headers.get("x-answer") == "yes");
  CHECK(response.headers.get("etag") == "W/\"1\"");
  CHECK(response.body == "made " + body);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].method == "POST");
  CHECK(seen[0].target == "/a%20b/c?d=e&f");
  CHECK(seen[0].headers.get("X-Ask") == "please");
  CHECK(seen[0].headers.get("Content-Type") == "application/json");
  CHECK(seen[0].headers.get("Content-Length") == "9");
  CHECK(seen[0].headers.get("User-Agent") == "ingot");
  CHECK_FALSE(seen[0].headers.find("Expect"));
  CHECK_FALSE(seen[0].headers.find("Authorization"));
}

TEST_CASE_METHOD(World, "every method arrives as it is named, after any other") {
  startEcho();
  for (int round = 0; round < 2; ++round) {
    for (const std::string method : {"GET", "DELETE", "OPTIONS", "PUT", "POST", "PATCH"})
      CHECK(send({.method = method}).body == method + ":");
    for (const std::string method : {"PUT", "POST", "PATCH"})
      CHECK(send({.method = method, .body = "x"}).body == method + ":x");
    const auto head = send({.method = "HEAD"});
    CHECK(head.body.empty());
    CHECK(head.headers.get("Content-Length") == "5");
  }
}

TEST_CASE_METHOD(World, "credentials of the client are shown, and none of libredfish's own") {
  startEcho();
  auto basic = options();
  basic.basicUser = "admin";
  basic.basicPassword = base::Secret("s3cret");
  (void)run(transport->connect(basic)->send({}));
  CHECK(seen.back().headers.get("Authorization") == "Basic YWRtaW46czNjcmV0");
  auto bearer = options();
  bearer.bearerToken = base::Secret("token");
  (void)run(transport->connect(bearer)->send({}));
  CHECK(seen.back().headers.get("Authorization") == "Bearer token");
  CHECK(seen.size() == 2);
}

TEST_CASE_METHOD(World, "an error status is an answer; a body past its cap is an error") {
  start([](ServerRequest request, Responder& out) -> Task<void> {
    co_await out.send({request.path() == "/none" ? 404 : 200, {}, std::string(2000, 'x')});
  });
  CHECK(send({.target = "/none"}).status == 404);
  CHECK(send({.bodyLimit = 2000}).body.size() == 2000);
  const auto failure = failureOf([&] { send({.bodyLimit = 1999}); });
  CHECK(failure->code() == HttpError::Code::bodyTooLarge);
  CHECK_THAT(failure->what(), Catch::EndsWith("/: the answer is larger than 1999 bytes"));
}

TEST_CASE_METHOD(World, "no answer before the deadline is a timeout that names the request, without its query") {
  start([&](ServerRequest, Responder& out) -> Task<void> {
    co_await whenGoingOn();
    co_await out.send({.status = 200});
  });
  const auto failure = failureOf([&] { send({.target = "/slow?token=secret", .deadline = 100ms}); });
  CHECK(failure->code() == HttpError::Code::timeout);
  CHECK_THAT(failure->what(), Catch::Contains("GET http://127.0.0.1:") && Catch::EndsWith("/slow: no answer in time"));
  goOn();
}

TEST_CASE_METHOD(World, "of a server that is not there, or breaks off, no more is said than that it had no answer") {
  start([](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/middle") {
      co_await out.begin(200, {{"Content-Length", "100"}});
      co_await out.write("half");
    }
    out.abort();
  });
  for (const std::string path : {"/early", "/middle"}) {
    const auto failure = failureOf([&] { send({.method = "POST", .target = path, .body = "x"}); });
    CHECK(failure->code() == HttpError::Code::reset);
    CHECK_THAT(failure->what(), Catch::Contains(path + ": libredfish had no answer, and does not say why"));
  }
  CHECK(seen.size() == 2);
  const auto nobody = transport->connect({.baseUrl = "http://127.0.0.1:1"});
  CHECK(failureOf([&] { (void)run(nobody->send({})); })->code() == HttpError::Code::reset);
}

TEST_CASE_METHOD(World, "a server whose certificate is to be verified is not spoken to") {
  startEcho(true);
  auto verified = options();
  verified.tls.verify = true;
  verified.tls.caPem = tests::Identities::get().authority.certificatePem();
  const auto failure = failureOf([&] { (void)transport->connect(verified); });
  CHECK(failure->code() == HttpError::Code::tls);
  CHECK(seen.empty());
}

TEST_CASE_METHOD(World, "a stream is refused, and nothing is sent") {
  startEcho();
  const auto failure = failureOf([&] { (void)run(client()->open({.target = "/sse"})); });
  CHECK(failure->code() == HttpError::Code::badRequest);
  CHECK_THAT(failure->what(), Catch::Contains("/sse: libredfish hands over whole answers only, and no stream"));
  CHECK(seen.empty());
}

TEST_CASE_METHOD(World, "readings share a connection, and whatever changes something has its own") {
  startEcho();
  for (const std::string method : {"GET", "GET", "POST", "PATCH", "DELETE", "GET"}) (void)send({.method = method});
  CHECK(seen[1].remoteAddress == seen[0].remoteAddress);
  CHECK(seen[2].remoteAddress != seen[0].remoteAddress);
  CHECK(seen[3].remoteAddress != seen[2].remoteAddress);
  CHECK(seen[4].remoteAddress == seen[0].remoteAddress);
  CHECK(seen[5].remoteAddress == seen[0].remoteAddress);
  (void)send({.headers = {{"Connection", "close"}}});
  CHECK(seen[6].remoteAddress != seen[0].remoteAddress);
}

TEST_CASE_METHOD(World, "libredfish is reminded of a request that takes long, and sends nothing more for that") {
  start([&](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/slow") co_await clock.sleepFor(400ms);
    co_await out.send({.status = 200});
  });
  CHECK(send({.target = "/slow"}).ok());
  CHECK(send({}).ok());
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].remoteAddress == seen[0].remoteAddress);
}

TEST_CASE_METHOD(World, "a write whose connection breaks is not sent again, and a reading on a kept one is") {
  int answers = 1;
  start([&](ServerRequest, Responder& out) -> Task<void> {
    if (answers-- == 0) co_return out.abort();
    co_await out.send({.status = 200});
  });
  CHECK(send({}).status == 200);
  CHECK(failureOf([&] { send({.method = "POST", .body = "x"}); })->code() == HttpError::Code::reset);
  CHECK(seen.size() == 2);
  answers = 0;
  CHECK(send({}).status == 200);
  CHECK(seen.size() == 4);
}

TEST_CASE_METHOD(World, "who asks right before sending can refuse, and is not asked where there is too little time") {
  startEcho();
  int asked = 0;
  HttpRequest request{.method = "POST", .target = "/reset?a", .body = "x"};
  request.beforeSending = [&] {
    CHECK(seen.empty());
    ++asked;
  };
  request.deadline = 5s;
  const auto failure = failureOf([&] { send(request); });
  CHECK(failure->code() == HttpError::Code::timeout);
  CHECK_THAT(failure->what(), Catch::Contains("/reset: too little is left of its time"));
  CHECK(asked == 0);
  request.deadline = 30s;
  CHECK(send(request).status == 200);
  CHECK(asked == 1);
  request.beforeSending = [] { throw base::InvalidInput("lease", "lost"); };
  CHECK_THROWS_AS(send(request), base::InvalidInput);
  CHECK(seen.size() == 1);
}

TEST_CASE_METHOD(World, "a caller that goes leaves its request to libredfish, and its connection to who comes next") {
  start([&](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/slow") co_await whenGoingOn();
    co_await out.send({.status = 200});
  });
  auto single = options();
  single.maxConnections = 1;
  const auto one = transport->connect(single);
  base::AbortSource given;
  base::TaskGroup group(runtime.executor, runtime.log);
  const auto ask = [&]() -> Task<void> { (void)co_await one->send({.target = "/slow"}); };
  group.spawn("slow", given.run(ask()));
  run(whenSeen(1));
  given.abort();
  run(group.join());
  const auto busy = failureOf([&] { (void)run(one->send({.deadline = 100ms})); });
  CHECK(busy->code() == HttpError::Code::timeout);
  CHECK_THAT(busy->what(), Catch::Contains("every connection of this client stayed busy"));
  goOn();
  CHECK(run(one->send({})).status == 200);
  CHECK(seen.size() == 2);
  run(group.close());
}

TEST_CASE_METHOD(World, "client and transport may go while a request is under way") {
  start([&](ServerRequest, Responder& out) -> Task<void> {
    co_await whenGoingOn();
    co_await out.send({.status = 200});
  });
  auto one = client();
  CHECK(failureOf([&] { (void)run(one->send({.deadline = 100ms})); })->code() == HttpError::Code::timeout);
  if (GENERATE(true, false)) one.reset();
  run(server->stop(0s));  // so that libredfish need not wait for its own deadline
  transport.reset();
  if (one) CHECK(failureOf([&] { (void)run(one->send({.deadline = 1s})); })->code() == HttpError::Code::unreachable);
}

TEST_CASE_METHOD(World, "as many requests of a client as it may have connections are under way at a time") {
  start([&](ServerRequest, Responder& out) -> Task<void> {
    co_await whenGoingOn();
    co_await out.send({.status = 200});
  });
  auto two = options();
  two.maxConnections = 2;
  const auto both = transport->connect(two);
  base::TaskGroup group(runtime.executor, runtime.log);
  int ended = 0;
  const auto ask = [&]() -> Task<void> {
    if ((co_await both->send({})).ok()) ++ended;
  };
  for (int i = 0; i < 3; ++i) group.spawn("ask", ask());
  run(whenSeen(2));
  goOn();
  run(group.join());
  CHECK(ended == 3);
  CHECK(seen.size() == 3);
  run(group.close());
}

TEST_CASE_METHOD(World, "a redirect is followed once, by libredfish itself") {
  start([](ServerRequest request, Responder& out) -> Task<void> {
    if (request.path() == "/there") co_return co_await out.send({200, {}, "here"});
    co_await out.send({307, {{"Location", request.path() == "/old" ? "/there" : "/old"}}, ""});
  });
  CHECK(send({.target = "/old"}).body == "here");
  CHECK(seen.size() == 2);
  const auto twice = send({.target = "/older"});
  CHECK(twice.status == 307);
  CHECK(twice.headers.get("Location") == "/there");
}

TEST_CASE_METHOD(World, "what libredfish cuts off of a Location is not taken for one") {
  std::string body = "{}";
  start([&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.send({202, {{"Location", "https://bmc.example/tasks/1"}, {"Retry-After", "5"}}, body});
  });
  const auto response = send({.method = "POST"});
  CHECK_FALSE(response.headers.find("Location"));
  CHECK(response.headers.get("Retry-After") == "5");
  body.clear();
  const auto failure = failureOf([&] { send({.method = "POST"}); });
  CHECK(failure->code() == HttpError::Code::protocol);
  CHECK_THAT(failure->what(), Catch::EndsWith("which libredfish cuts off"));
}
