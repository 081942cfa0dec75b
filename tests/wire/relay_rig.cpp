#include "tests/wire/relay_rig.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <array>

namespace ingot::test {

namespace {

sockaddr_in at(const std::string& address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  ::inet_pton(AF_INET, address.c_str(), &result.sin_addr);
  result.sin_port = htons(port);
  return result;
}

}  // namespace

Plug& Plug::operator=(Plug&& other) noexcept {
  close();
  fd_ = std::exchange(other.fd_, -1);
  return *this;
}

void Plug::close() {
  if (const int fd = std::exchange(fd_, -1); fd >= 0) ::close(fd);
}

std::size_t Plug::send(std::string_view bytes) const {
  const auto put = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return put < 0 ? 0 : static_cast<std::size_t>(put);
}

std::string Plug::read() const {
  std::string bytes(1 << 16, '\0');
  const auto got = ::recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

bool Plug::hasEnded() const {
  char next = 0;
  const auto got = ::recv(fd_, &next, 1, MSG_DONTWAIT | MSG_PEEK);
  return got == 0 || (got < 0 && errno != EAGAIN);
}

RelayRig::RelayRig(wire::RelayLimits limits, const std::string& endpoint)
    : relay(std::make_unique<wire::TcpRelay>(runtime, endpoint, limits,
                                             [this](wire::TurnedAway why) { turnedAway.push_back(why); })),
      router(relay->routerSocket()) {
  const auto told = relay->endpoint();
  port = static_cast<std::uint16_t>(std::stoi(told.substr(told.rfind(':') + 1)));
  relay->open();
}

RelayRig::~RelayRig() { ::close(router); }

void RelayRig::until(const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!done()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    io.restart();
    io.run_one_for(std::chrono::milliseconds(5));
  }
}

Plug RelayRig::dial(const std::string& from) const {
  Plug plug(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(plug.fd() >= 0);
  const auto own = at(from, 0), target = at("127.0.0.1", port);
  REQUIRE(::bind(plug.fd(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
  REQUIRE(::connect(plug.fd(), reinterpret_cast<const sockaddr*>(&target), sizeof target) == 0);
  return plug;
}

bool RelayRig::acceptInto(Line& line) const {
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const int fd = ::accept4(router, reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC);
  if (fd < 0) return false;
  line.router = Plug(fd);
  std::array<char, INET_ADDRSTRLEN> text{};
  line.inner = ::inet_ntop(AF_INET, &from.sin_addr, text.data(), text.size());
  REQUIRE(line.router.send("!") == 1);  // as ROUTER greets
  return true;
}

RelayRig::Line RelayRig::line(const std::string& from) {
  Line line{.peer = dial(from), .router = {}, .inner = {}};
  until([&] { return acceptInto(line); });
  until([&] { return relay->has(line.inner) && line.peer.read() == "!"; });
  return line;
}

RelayRig::Line RelayRig::knownLine(const std::string& key, const std::string& from) {
  auto known = line(from);
  relay->proved(known.inner, key, true);
  return known;
}

}  // namespace ingot::test
