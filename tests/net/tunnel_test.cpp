// Through an HTTP proxy to an HTTPS server: the answer is the server's, and a proxy that will not is no answer.
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::HttpError;

namespace {

struct Socket {
  explicit Socket(int number) : fd(number) {}
  ~Socket() {
    if (fd >= 0) ::close(fd);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd;
};

// What has come so far; nullopt: it was the last.
std::optional<std::string> received(int fd) {
  char piece[4096];
  const auto got = ::recv(fd, piece, sizeof piece, MSG_DONTWAIT);
  if (got > 0) return std::string(piece, static_cast<std::size_t>(got));
  return got < 0 && errno == EAGAIN ? std::optional(std::string()) : std::nullopt;
}

bool passOn(int from, int to) {
  const auto piece = received(from);
  if (!piece) return false;
  return ::send(to, piece->data(), piece->size(), MSG_NOSIGNAL) == static_cast<ssize_t>(piece->size());
}

// A proxy that gives one answer to every CONNECT, and tunnels after a 200.
class Proxy {
 public:
  Proxy(base::Runtime runtime, std::string answer)
      : clock_(runtime.clock), answer_(std::move(answer)), tasks_(runtime.executor, runtime.log) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    REQUIRE(::bind(listener_.fd, reinterpret_cast<const sockaddr*>(&at), size) == 0);
    REQUIRE(::listen(listener_.fd, 4) == 0);
    ::getsockname(listener_.fd, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    tasks_.spawn("proxy", acceptAll());
  }

  Task<void> close() { return tasks_.close(); }
  [[nodiscard]] base::Secret url() const { return base::Secret(fmt::format("http://127.0.0.1:{}", port_)); }
  std::vector<std::string> heads;

 private:
  Task<void> acceptAll() {
    while (true) {
      const int fd = ::accept4(listener_.fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd >= 0) tasks_.spawn("tunnel", tunnel(fd));
      co_await clock_.sleepFor(1ms);
    }
  }

  Task<void> tunnel(int fd) {
    const Socket client(fd);
    std::string head;
    while (head.find("\r\n\r\n") == std::string::npos) {
      const auto piece = received(fd);
      if (!piece) co_return;
      head += *piece;
      co_await clock_.sleepFor(1ms);
    }
    heads.push_back(head);
    ::send(fd, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    if (!answer_.starts_with("HTTP/1.1 200")) co_return;
    const auto colon = head.find(':');
    const Socket server(tests::connectTo(static_cast<std::uint16_t>(std::stoi(head.substr(colon + 1)))));
    while (passOn(client.fd, server.fd) && passOn(server.fd, client.fd)) co_await clock_.sleepFor(1ms);
  }

  base::Clock& clock_;
  std::string answer_;
  base::TaskGroup tasks_;
  Socket listener_{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  std::uint16_t port_ = 0;
};

struct Proxied : tests::World {
  std::unique_ptr<Proxy> proxy;

  std::unique_ptr<net::HttpClient> clientOf(std::string answer) {
    handler = tests::Handler([](net::ServerRequest, net::Responder& out) -> Task<void> {
      co_await out.send({409, {{"X-Of", "server"}}, "taken"});
    });
    listen();
    proxy = std::make_unique<Proxy>(runtime, std::move(answer));
    auto o = options();
    o.proxy = proxy->url();
    o.bearerToken = base::Secret("open-sesame");
    return transport->connect(o);
  }

  ~Proxied() {
    if (proxy) run(proxy->close());
  }
};

constexpr auto kEstablished = "HTTP/1.1 200 Connection established\r\nX-Of: proxy\r\n\r\n";

}  // namespace

TEST_CASE_METHOD(Proxied, "the answer through a tunnel is the server's, not the proxy's", "[proxy]") {
  const auto client = clientOf(kEstablished);
  for (int i = 0; i < 2; ++i) {  // the second one over the same tunnel
    const auto answer = run(client->send({.target = "/"}));
    CHECK(answer.status == 409);
    CHECK(answer.headers.get("X-Of") == "server");
    CHECK(answer.body == "taken");
  }
  REQUIRE(proxy->heads.size() == 1);
  CHECK(proxy->heads[0].starts_with("CONNECT 127.0.0.1:"));
  CHECK(proxy->heads[0].find("open-sesame") == std::string::npos);
}

TEST_CASE_METHOD(Proxied, "so is a stream's", "[proxy]") {
  const auto client = clientOf(kEstablished);
  const auto stream = run(client->open({.target = "/"}));
  CHECK(stream->status() == 409);
  CHECK(stream->headers().get("X-Of") == "server");
  CHECK(run(stream->next(120s)) == "taken");
}

TEST_CASE_METHOD(Proxied, "behind a proxy that makes no tunnel the server is unreachable", "[proxy]") {
  const auto client = clientOf("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 4\r\n\r\nsorry");
  const auto failure = [](auto&& call) -> std::optional<HttpError::Code> {
    try {
      call();
    } catch (const HttpError& e) {
      CHECK_THAT(e.what(), Catch::Contains("407"));
      return e.code();
    }
    return std::nullopt;
  };
  CHECK(failure([&] { (void)run(client->send({.target = "/"})); }) == HttpError::Code::unreachable);
  CHECK(failure([&] { (void)run(client->open({.target = "/"})); }) == HttpError::Code::unreachable);
}
