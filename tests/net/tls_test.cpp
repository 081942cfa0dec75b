// The real client against the real server: TLS, reuse of connections, limits, the graceful end.
#include "net/exchange_rules.hpp"
#include "tests/net/pair.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <set>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::HttpError;
using net::Responder;
using net::ServerRequest;

namespace {

// Answers with the client's address: one address, one connection.
Task<void> tellAddress(ServerRequest request, Responder& out) {
  co_await out.send({200, {}, request.remoteAddress});
}

struct World : tests::RealLoop {
  tests::Handler handler{tellAddress};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
  std::unique_ptr<net::Server> server;
  const tests::Identities& ids = tests::Identities::get();

  void listen(net::ServerOptions options = {}) {
    options.tls = net::ServerTls{ids.server.certificatePem, ids.server.privateKeyPem, ids.authority.certificatePem()};
    server = net::listen(runtime, options, handler);
  }
  void listenPlain(net::ServerOptions options = {}) { server = net::listen(runtime, options, handler); }

  ~World() {
    if (server) run(server->stop(0s));
  }

  net::ClientOptions options(std::string host = "127.0.0.1") const {
    net::ClientOptions options;
    options.baseUrl = fmt::format("https://{}:{}", host, server->port());
    options.tls.caPem = ids.authority.certificatePem();
    return options;
  }

  std::string get(net::HttpClient& client) { return run(client.send({.target = "/"})).body; }
  std::string get(const net::ClientOptions& o) { return run(transport->connect(o)->send({.target = "/"})).body; }

  HttpError failure(const net::ClientOptions& o) {
    try {
      const auto body = get(o);
      FAIL("an answer: " + body);
    } catch (const HttpError& e) {
      return e;
    }
    throw std::logic_error("unreachable");
  }

  // Speaks HTTP by hand, for what the client would never send. Reads until the server closes.
  std::string speak(const std::string& text);
  Task<std::string> speakLater(std::string text);
};

int connectTo(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

std::string World::speak(const std::string& text) { return run(speakLater(text)); }

Task<std::string> World::speakLater(std::string text) {
  const int fd = connectTo(server->port());
  std::size_t sent = 0;
  std::string answer;
  while (true) {
    if (sent < text.size()) {
      const auto put = ::send(fd, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (put > 0) sent += static_cast<std::size_t>(put);
    }
    char piece[4096];
    const auto got = ::recv(fd, piece, sizeof piece, 0);
    if (got > 0) answer.append(piece, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN)) break;
    co_await clock.sleepFor(1ms);
  }
  ::close(fd);
  co_return answer;
}

}  // namespace

TEST_CASE_METHOD(World, "a thousand requests one after another share one connection", "[tls][reuse]") {
  listen();
  const auto client = transport->connect(options());
  std::set<std::string> connections;
  for (int i = 0; i < 1000; ++i) connections.insert(get(*client));
  CHECK(connections.size() == 1);
  CHECK(server->connections() == 1);
}

TEST_CASE_METHOD(World, "two clients with different identities never share a connection", "[tls][reuse]") {
  listen();
  auto known = options();
  known.tls.certificatePem = ids.client.certificatePem;
  known.tls.privateKeyPem = ids.client.privateKeyPem;
  const auto anonymous = transport->connect(options());
  const auto alice = transport->connect(known);
  CHECK(get(*anonymous) != get(*alice));
}

TEST_CASE_METHOD(World, "a server of another authority is not spoken to", "[tls]") {
  listen();
  auto o = options();
  o.tls.caPem = net::CertificateAuthority::create("other CA", clock.wall()).certificatePem();
  const auto e = failure(o);
  CHECK(e.code() == HttpError::Code::tls);
  CHECK_THAT(e.what(), Catch::Contains("GET https://127.0.0.1") && Catch::Contains("check the CA"));
  o.tls.verify = false;
  CHECK_FALSE(get(o).empty());
}

TEST_CASE_METHOD(World, "without a CA of its own the system's roots decide", "[tls]") {
  listen();
  auto o = options();
  o.tls.caPem.clear();
  CHECK(failure(o).code() == HttpError::Code::tls);
}

TEST_CASE_METHOD(World, "a certificate for another name is refused, unless that name is the one expected", "[tls]") {
  listen();
  auto o = options("127.0.0.2");   // reaches the same server, the certificate does not have it
  {
    net::ServerOptions all;
    all.address = "0.0.0.0";
    run(server->stop(0s));
    listen(all);
    o = options("127.0.0.2");
  }
  CHECK(failure(o).code() == HttpError::Code::tls);
  o.tls.serverName = "ingot.test";
  CHECK_FALSE(get(o).empty());
  CHECK_FALSE(get(options("localhost")).empty());
}

TEST_CASE_METHOD(World, "a client certificate of another authority ends in a TLS error", "[tls]") {
  listen();
  const auto other = net::CertificateAuthority::create("other CA", clock.wall());
  const auto mallory = other.issue(net::ClientCertificate{"mallory", {}}, clock.wall());
  auto o = options();
  o.tls.certificatePem = mallory.certificatePem;
  o.tls.privateKeyPem = mallory.privateKeyPem;
  CHECK(failure(o).code() == HttpError::Code::tls);
}

TEST_CASE_METHOD(World, "an expired certificate is refused", "[tls]") {
  const auto old = ids.authority.issue(net::ServerCertificate{"old", {}, {"127.0.0.1"}, 1h}, clock.wall() - 48h);
  net::ServerOptions o;
  o.tls = net::ServerTls{old.certificatePem, old.privateKeyPem, ""};
  server = net::listen(runtime, o, handler);
  CHECK(failure(options()).code() == HttpError::Code::tls);
}

TEST_CASE_METHOD(World, "unusable key material is refused when the client is made", "[tls]") {
  listen();
  auto o = options();
  o.tls.caPem = "not PEM";
  CHECK_THROWS_AS(transport->connect(o), HttpError);
  o = options();
  o.tls.caPem.clear();
  o.tls.caFile = "/no/such/ca.pem";
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("/no/such/ca.pem"));
  o = options();
  o.tls.certificatePem = ids.client.certificatePem;
  o.tls.privateKeyPem = ids.server.privateKeyPem;
  CHECK_THROWS_WITH(transport->connect(o), Catch::Contains("do not belong together"));
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

TEST_CASE_METHOD(World, "what does not speak HTTP is a protocol error", "[client]") {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
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
    co_await c.sleepFor(50ms);
    ::close(peer);
  }(clock, fd));
  net::ClientOptions o;
  o.baseUrl = fmt::format("http://127.0.0.1:{}", ntohs(at.sin_port));
  CHECK(failure(o).code() == HttpError::Code::protocol);
  run(group.close());
  ::close(fd);
}

TEST_CASE_METHOD(World, "a body past the server's limit is refused with 413 before it is read", "[server]") {
  listenPlain({.bodyLimit = 1000});
  const auto answer = speak("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + std::string(200'000, 'x'));
  CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 413 ") && Catch::EndsWith("Request entity too large: limit is 1000"));
}

TEST_CASE_METHOD(World, "a chunked body past the limit is refused too", "[server]") {
  listenPlain({.bodyLimit = 1000});
  const auto answer = speak("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n" +
                            std::string(0x800, 'x') + "\r\n0\r\n\r\n");
  CHECK_THAT(answer, Catch::StartsWith("HTTP/1.1 413 "));
}

TEST_CASE_METHOD(World, "broken and oversized requests are refused and the connection is closed", "[server]") {
  listenPlain({.headerLimit = 2000});
  CHECK_THAT(speak("nonsense\r\n\r\n"), Catch::StartsWith("HTTP/1.1 400 "));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nX: " + std::string(3000, 'x') + "\r\n\r\n"), Catch::StartsWith("HTTP/1.1 431 "));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), Catch::StartsWith("HTTP/1.1 400 "));
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
  listenPlain({.requestTimeout = 400ms});   // ends the last case, which never sends its body
  const auto two = speak("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  CHECK(two.find("/1") < two.find("/2"));
  CHECK_THAT(speak("GET /stream HTTP/1.0\r\n\r\n"), Catch::EndsWith("\r\n\r\nstream"));
  CHECK_THAT(speak("GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
             Catch::EndsWith("3\r\nstr\r\n3\r\neam\r\n0\r\n\r\n"));
  const auto expecting = speak("PUT /p HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n"
                               "Content-Length: 2\r\n\r\n");
  CHECK_THAT(expecting, Catch::StartsWith("HTTP/1.1 100 Continue\r\n\r\n"));
}

TEST_CASE_METHOD(World, "slow requests, idle connections and stuck handshakes are closed at their deadlines",
                 "[server]") {
  listenPlain({.idleTimeout = 400ms, .requestTimeout = 400ms});
  CHECK(speak("GET / HTTP/1.1\r\nHos").empty());
  CHECK_THAT(speak("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));   // then idle
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
  bool started = false;
  handler = tests::Handler([&](ServerRequest, Responder& out) -> Task<void> {
    started = true;
    changed.notifyAll();
    co_await clock.sleepFor(50ms);
    co_await out.send({200, {}, "finished"});
  });
  listen();
  const auto client = transport->connect(options());
  std::optional<net::HttpResponse> response;
  base::TaskGroup group(runtime.executor, runtime.log);
  group.spawn("caller", [](net::HttpClient& c, std::optional<net::HttpResponse>& r) -> Task<void> {
    r = co_await c.send({.target = "/"});
  }(*client, response));
  run([](base::Notifier& n, bool& begun, net::Server& s) -> Task<void> {
    while (!begun) co_await n.wait();
    co_await s.stop(5s);
  }(changed, started, *server));
  run(group.join());
  REQUIRE(response);
  CHECK(response->body == "finished");
  CHECK(response->headers.get("Connection") == "close");
  CHECK(server->connections() == 0);
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
  CHECK(clock.now() - before < 3s);
}

TEST_CASE_METHOD(World, "running out of file descriptors does not end the server", "[server]") {
  listenPlain();
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int fd = connectTo(server->port());          // waits in the backlog
  const int highest = ::dup(fd);
  const rlimit none{static_cast<rlim_t>(highest), before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);   // no further descriptor
  run(clock.sleepFor(150ms));                        // accept fails meanwhile
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  ::close(fd);
  ::close(highest);
  CHECK(log->contains("cannot accept connections for now"));
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
