// The relay by itself, between plain sockets.
#include "tests/wire/relay_rig.hpp"
#include "wire/private_port.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ingot;
using namespace std::chrono_literals;
using test::Plug;
using test::RelayRig;

namespace {

bool isConnected(const Plug& plug) {
  pollfd asked{.fd = plug.fd(), .events = POLLOUT, .revents = 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLOUT) != 0;
}

// One that does not wait for being connected.
Plug dialPrivately(const std::string& from, const std::string& endpoint) {
  Plug plug(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  REQUIRE(plug.fd() >= 0);
  sockaddr_in own{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
  ::inet_pton(AF_INET, from.c_str(), &own.sin_addr);
  REQUIRE(::bind(plug.fd(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  own.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  REQUIRE(::connect(plug.fd(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == -1);
  REQUIRE(errno == EINPROGRESS);
  return plug;
}

// Sends until nobody takes any more, while the loop runs.
std::size_t fill(RelayRig& rig, const Plug& plug) {
  const std::string piece(64 << 10, 'x');
  std::size_t sent = 0, before = 1;
  while (sent != before) {
    before = sent;
    for (int turn = 0; turn < 50; ++turn) {
      sent += plug.send(piece);
      rig.io.restart();
      rig.io.poll();
    }
  }
  return sent;
}

std::size_t alive(const std::vector<Plug>& plugs) {
  return static_cast<std::size_t>(std::ranges::count_if(plugs, [](const Plug& plug) { return !plug.hasEnded(); }));
}

class FewFiles {
 public:
  FewFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    REQUIRE(next >= 0);
    ::close(next);
    const rlimit few{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  }
  ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;

 private:
  rlimit before_{};
};

// As in a pod that runs as somebody else than root. Of this thread alone, as the system call is.
class NotRoot {
 public:
  NotRoot() { ::syscall(SYS_setresuid, -1, 65532, -1); }
  ~NotRoot() { ::syscall(SYS_setresuid, -1, own_, -1); }
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;

 private:
  uid_t own_ = ::geteuid();
};

}  // namespace

TEST_CASE("connections are relayed where the kernel lets none but root filter a socket") {
  const NotRoot here;
  RelayRig rig;
  auto line = rig.knownLine("a");
  CHECK(line.peer.send("asked") == 5);
  std::string heard;
  rig.until([&] { return (heard += line.router.read()) == "asked"; });
  CHECK_FALSE(rig.relay->awaitsKey(line.inner));
  CHECK_FALSE(rig.relay->awaitsKey("127.0.0.1"));
}

TEST_CASE("bytes pass both ways as they are") {
  RelayRig rig;
  auto line = rig.knownLine("a");
  std::string asked, sent;
  for (int i = 0; asked.size() < (3 << 20); ++i) asked += std::to_string(i);
  std::size_t put = 0;
  rig.until([&] {
    put += line.peer.send(std::string_view(asked).substr(put));
    sent += line.router.read();
    return sent.size() == asked.size();
  });
  CHECK(sent == asked);
  CHECK(line.router.send("answer") == 6);
  std::string heard;
  rig.until([&] { return (heard += line.peer.read()).size() == 6; });
  CHECK(heard == "answer");
}

TEST_CASE("who does not read is waited for, and little is held meanwhile") {
  RelayRig rig({.unread = {.ofKnown = 1 << 30}});
  const auto line = rig.knownLine("a");
  CHECK(fill(rig, line.peer) < (16 << 20));  // the kernel's buffers of the outer connection
  CHECK(fill(rig, line.router) < (16 << 20));
  CHECK(rig.relay->has(line.inner));
}

TEST_CASE("one side that has said all still hears the other") {
  RelayRig rig;
  auto line = rig.knownLine("a");
  line.peer.finish();
  rig.until([&] { return line.router.hasEnded(); });
  CHECK(line.router.send("bye") == 3);
  line.router.close();
  std::string heard;
  rig.until([&] { return (heard += line.peer.read()) == "bye" && line.peer.hasEnded(); });
  CHECK_FALSE(rig.relay->has(line.inner));
}

TEST_CASE("a peer that does not close when ROUTER has closed is closed after two seconds") {
  RelayRig rig;
  auto line = rig.knownLine("a");
  line.router.close();
  rig.until([&] { return line.peer.hasEnded(); });
  CHECK(rig.relay->has(line.inner));
  rig.clock.advance(2s);
  CHECK_FALSE(rig.relay->has(line.inner));
}

TEST_CASE("who has proved no key in ten seconds is closed, and nobody else") {
  RelayRig rig;
  const auto silent = rig.line(), stranger = rig.line(), known = rig.knownLine("a");
  rig.relay->proved(stranger.inner, "b", false);
  rig.clock.advance(9999ms);
  CHECK(rig.relay->has(silent.inner));
  rig.clock.advance(1ms);
  rig.until([&] { return silent.peer.hasEnded(); });
  CHECK(rig.turnedAway == std::vector{wire::TurnedAway::noKeyInTime});
  rig.clock.advance(24h);
  CHECK(rig.relay->has(stranger.inner));
  CHECK(rig.relay->has(known.inner));
}

TEST_CASE("a connection is closed that sends more than comes whole of it") {
  RelayRig rig({.unread = {.ofStranger = 1000, .ofKnown = 100000}});
  const auto stranger = rig.line(), known = rig.knownLine("a");
  CHECK(stranger.peer.send(std::string(1000, 'x')) == 1000);
  CHECK(known.peer.send(std::string(100000, 'x')) == 100000);
  std::size_t heard = 0;
  rig.until([&] { return (heard += known.router.read().size()) == 100000; });
  CHECK(stranger.router.read().size() == 1000);
  rig.relay->delivered(stranger.inner, 1000, false);
  rig.relay->delivered(known.inner, 100000, true);
  CHECK(stranger.peer.send(std::string(1001, 'x')) == 1001);
  CHECK(known.peer.send(std::string(100000, 'x')) == 100000);
  rig.until([&] { return stranger.peer.hasEnded() && stranger.router.hasEnded(); });
  rig.until([&] { return (heard += known.router.read().size()) == 200000; });
  CHECK(known.peer.send("x") == 1);
  rig.until([&] { return known.peer.hasEnded(); });
  CHECK(rig.sink->contains("closed a connection whose message had no end"));
  CHECK(rig.turnedAway == std::vector(2, wire::TurnedAway::endlessMessage));
}

TEST_CASE("a connection counts as a stranger's again as soon as its key is not known any more") {
  RelayRig rig({.unread = {.ofStranger = 1000, .ofKnown = 100000}});
  const auto line = rig.knownLine("a");
  rig.relay->delivered(line.inner, 0, false);
  CHECK(line.peer.send(std::string(1001, 'x')) == 1001);
  rig.until([&] { return line.peer.hasEnded(); });
}

TEST_CASE("strangers make room for each other, and who is known stays") {
  RelayRig rig({.strangers = 4, .strangersOfOneNetwork = 3});
  const auto known = rig.knownLine("a", "127.0.0.9");
  std::vector<RelayRig::Line> lines;
  const auto there = [&] {
    std::string text;
    for (const auto& line : lines) text += rig.relay->has(line.inner) ? 'x' : '-';
    return text;
  };
  for (int i = 0; i < 4; ++i) lines.push_back(rig.line("127.0.0.1"));
  CHECK(there() == "-xxx");
  lines.push_back(rig.line("127.0.0.2"));
  CHECK(there() == "-xxxx");
  lines.push_back(rig.line("127.0.0.3"));
  CHECK(there() == "--xxxx");
  CHECK(rig.relay->has(known.inner));
  CHECK(rig.sink->contains("closed connections whose key is not known for newer ones"));
  CHECK(rig.turnedAway == std::vector(2, wire::TurnedAway::crowded));
}

TEST_CASE("strangers of other networks make room before an agent that comes back and has not proved its key yet") {
  RelayRig rig({.strangers = 3, .strangersOfOneNetwork = 2});
  {
    auto before = rig.knownLine("a", "127.0.0.9");
    before.router.close();
    before.peer.close();
    rig.until([&] { return !rig.relay->has(before.inner); });
  }
  const auto agent = rig.line("127.0.0.9");
  std::vector<RelayRig::Line> strangers;
  for (const auto* from : {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"}) strangers.push_back(rig.line(from));
  CHECK(rig.relay->has(agent.inner));
  CHECK_FALSE(rig.relay->has(strangers[1].inner));
  CHECK(rig.relay->has(strangers[3].inner));
  SECTION("and its own network is bounded all the same") {
    const auto second = rig.line("127.0.0.9"), third = rig.line("127.0.0.9");
    CHECK_FALSE(rig.relay->has(agent.inner));
    CHECK(rig.relay->has(third.inner));
  }
}

TEST_CASE("there are so many connections at most, and those of known keys are not closed for others") {
  RelayRig rig({.total = 3});
  const auto stranger = rig.line();
  const auto first = rig.knownLine("a"), second = rig.knownLine("b");
  const auto third = rig.knownLine("c");
  CHECK_FALSE(rig.relay->has(stranger.inner));
  const auto late = rig.dial();
  rig.until([&] { return late.hasEnded(); });
  for (const auto* line : {&first, &second, &third}) CHECK(rig.relay->has(line->inner));
  CHECK(rig.sink->contains("refused connections: there are as many as may be, all of known keys"));
  CHECK(rig.turnedAway == std::vector{wire::TurnedAway::crowded, wire::TurnedAway::full});
}

TEST_CASE("a key has its newest four connections") {
  RelayRig rig;
  const auto other = rig.knownLine("other");
  std::vector<RelayRig::Line> lines;
  lines.reserve(6);
  for (int i = 0; i < 6; ++i) lines.push_back(rig.knownLine("a"));
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(rig.relay->has(lines[i].inner) == (i >= 2));
  CHECK(rig.relay->has(other.inner));
  CHECK(rig.sink->contains("closed the oldest connection of a key: have several agents the same one?"));
  CHECK(rig.turnedAway == std::vector(2, wire::TurnedAway::sharedKey));
}

TEST_CASE("a network that connects all the time is refused until its pace allows another") {
  RelayRig rig({.perConnection = 50ms, .connectionBurst = 2});
  const auto first = rig.line(), second = rig.line();
  const auto refused = rig.dial();
  rig.until([&] { return refused.hasEnded(); });
  const auto other = rig.line("127.0.0.2");
  rig.clock.advance(50ms);
  const auto third = rig.line();
  CHECK(rig.relay->has(third.inner));
}

TEST_CASE("what strangers do over and over is told every ten minutes, with how often it was") {
  RelayRig rig({.perConnection = 50ms, .connectionBurst = 1});
  const std::string refusal = "refused connections of a network that connects more often than its pace allows";
  const auto first = rig.line();
  const auto told = [&] {
    return std::ranges::count_if(rig.sink->lines(), [&](const auto& line) { return line.contains(refusal); });
  };
  const auto refuse = [&] {
    const auto refused = rig.dial();
    rig.until([&] { return refused.hasEnded(); });
  };
  for (int i = 0; i < 3; ++i) refuse();
  CHECK(told() == 1);
  CHECK(rig.turnedAway == std::vector(3, wire::TurnedAway::tooOften));  // and counted, told or not
  rig.clock.advance(10min);
  const auto second = rig.line();
  refuse();
  CHECK(told() == 2);
  CHECK(rig.sink->contains("times=3"));
}

TEST_CASE("without a file descriptor to spare nobody is accepted, and afterwards everybody") {
  RelayRig rig;
  const auto early = rig.knownLine("a");
  const auto waiting = rig.dial(), another = rig.dial();
  {
    const FewFiles few;
    rig.until([&] { return rig.sink->contains("cannot accept connections of agents for now"); });
    for (int i = 0; i < 20; ++i) rig.clock.advance(100ms);
    CHECK(early.peer.send("still") == 5);
    rig.until([&] { return early.router.read() == "still"; });
  }
  rig.clock.advance(100ms);
  RelayRig::Line line;
  rig.until([&] { return rig.acceptInto(line); });
  rig.until([&] { return waiting.read() == "!"; });
  CHECK(rig.sink->lines().size() == 1);
}

TEST_CASE("nobody else gets to where ROUTER listens") {
  RelayRig rig;
  const auto before = rig.line();
  const auto stranger = dialPrivately("127.0.0.1", rig.relay->routerEndpoint());
  const auto neighbour = dialPrivately(before.inner, rig.relay->routerEndpoint());
  const auto after = rig.line();  // and those that come through the relay do
  CHECK(after.inner != before.inner);
  CHECK_FALSE(isConnected(stranger));
  CHECK_FALSE(isConnected(neighbour));
  CHECK(isConnected(after.peer));
}

TEST_CASE("a relay that ends closes all its connections, and those it never looked at") {
  RelayRig rig;
  std::vector<Plug> peers;
  std::vector<RelayRig::Line> lines;
  lines.reserve(20);
  peers.reserve(20);
  for (int i = 0; i < 20; ++i) lines.push_back(rig.line());
  for (int i = 0; i < 20; ++i) peers.push_back(rig.dial());
  rig.io.restart();
  rig.io.poll();  // one of them is on its way to ROUTER
  rig.relay.reset();
  for (const auto& line : lines) CHECK(line.peer.hasEnded());
  rig.until([&] { return alive(peers) == 0; });
}

TEST_CASE("an endpoint is an address or a network interface, and a port") {
  CHECK(RelayRig({}, "tcp://*:*").relay->endpoint().starts_with("tcp://0.0.0.0:"));
  CHECK(RelayRig({}, "tcp://127.0.0.1:0").relay->endpoint().starts_with("tcp://127.0.0.1:"));
  CHECK(RelayRig({}, "tcp://lo:*").relay->endpoint().starts_with("tcp://127.0.0.1:"));
  CHECK_THROWS_WITH(RelayRig({}, "ipc:///run/x"),
                    "cannot listen on ipc:///run/x: it does not look like tcp://10.0.0.1:7460");
  CHECK_THROWS_WITH(RelayRig({}, "tcp://127.0.0.1:http"),
                    "cannot listen on tcp://127.0.0.1:http: it has no usable port");
  CHECK_THROWS_WITH(RelayRig({}, "tcp://nowhere:1"), "cannot listen on tcp://nowhere:1: not an IP address");
}
