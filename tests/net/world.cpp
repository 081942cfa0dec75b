#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ingot::tests {

using namespace std::chrono_literals;
using base::Task;
using net::HttpError;

Task<void> tellAddress(net::ServerRequest request, net::Responder& out) {
  co_await out.send({200, {}, request.remoteAddress});
}

void World::listen(net::ServerOptions options) {
  options.tls = net::ServerTls{ids.server.certificatePem, ids.server.privateKeyPem, ids.authority.certificatePem()};
  server = net::listen(runtime, options, handler);
}

void World::listenPlain(net::ServerOptions options) { server = net::listen(runtime, options, handler); }

World::~World() {
  if (server) run(server->stop(0s));
}

net::ClientOptions World::options(const std::string& host) const {
  net::ClientOptions options;
  options.baseUrl = fmt::format("https://{}:{}", host, server->port());
  options.tls.caPem = ids.authority.certificatePem();
  return options;
}

std::string World::get(net::HttpClient& client) { return run(client.send({.target = "/"})).body; }

std::string World::get(const net::ClientOptions& o) { return run(transport->connect(o)->send({.target = "/"})).body; }

HttpError World::failure(const net::ClientOptions& o) {
  try {
    const auto body = get(o);
    FAIL("an answer: " + body);
  } catch (const HttpError& e) {
    return e;
  }
  throw std::logic_error("unreachable");
}

int connectTo(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw std::runtime_error("no socket");
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

}  // namespace ingot::tests
