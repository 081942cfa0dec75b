// What the relay before ROUTER costs: round trips of one agent, and messages a second, beside a ROUTER that listens
// itself. The agent has a thread and a loop of its own. In turns; the medians count.
#include "base/run.hpp"
#include "tests/bench/cpu_clock.hpp"
#include "wire/link.hpp"
#include "wire/zmq_socket.hpp"

#include <algorithm>
#include <cstdio>
#include <future>
#include <thread>

namespace {

using namespace ingot;
using Seconds = std::chrono::duration<double>;

constexpr int roundTrips = 3000;
constexpr int messages = 30000;
const std::string message(400, 'x');  // facts of a host

struct Side {
  boost::asio::io_context io{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
};

base::Task<void> say(Side& side, wire::AgentLink& link, std::string bytes) {
  while (!link.send(bytes)) co_await side.clock.sleepFor(std::chrono::milliseconds(1));
}

// Answers each message, until one is empty; then sends many.
base::Task<void> agent(Side& side, wire::AgentLink& link) {
  co_await say(side, link, "here");
  while (true) {
    auto asked = co_await link.receive();
    if (asked.empty()) break;
    co_await say(side, link, std::move(asked));
  }
  for (int i = 0; i < messages; ++i) co_await say(side, link, message);
  co_await link.receive();
}

struct Measured {
  double middle = 0, late = 0;  // microseconds a round trip
  double perSecond = 0;
  double cpu = 0;  // microseconds a message, of both ends
};

using Receive = std::function<base::Task<wire::Incoming>()>;
using Send = std::function<void(const std::string& peer, std::string bytes)>;

base::Task<Measured> coordinator(Receive receive, Send send) {
  const auto peer = (co_await receive()).peer;
  std::vector<double> trips;
  for (int i = 0; i < roundTrips; ++i) {
    const auto start = std::chrono::steady_clock::now();
    send(peer, message);
    co_await receive();
    trips.push_back(Seconds(std::chrono::steady_clock::now() - start).count() * 1e6);
  }
  std::ranges::sort(trips);
  send(peer, "");
  const auto start = std::chrono::steady_clock::now();
  const auto used = tests::CpuClock::now();
  for (int i = 0; i < messages; ++i) co_await receive();
  const double seconds = Seconds(std::chrono::steady_clock::now() - start).count();
  const double cpu = tests::CpuClock::millisecondsSince(used) * 1000 / messages;
  send(peer, "end");
  co_return Measured{trips[trips.size() / 2], trips[trips.size() * 99 / 100], messages / seconds, cpu};
}

Measured measure(Side& side, const std::string& endpoint, const wire::KeyPair& keys, Receive receive, Send send) {
  std::thread other([&] {
    Side own;
    const auto link = wire::connectLink(own.runtime, {endpoint, keys.publicKey, wire::generateKeyPair()});
    base::run(own.io, agent(own, *link));
  });
  const auto result = base::run(side.io, coordinator(std::move(receive), std::move(send)));
  // What is still to be sent leaves while the loop runs.
  std::promise<void> ended;
  std::thread waiting([&] { other.join(), ended.set_value(); });
  auto end = ended.get_future();
  while (end.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) {
    side.io.restart();
    side.io.run_for(std::chrono::milliseconds(10));
  }
  waiting.join();
  return result;
}

Measured relayed() {
  Side side;
  const auto keys = wire::generateKeyPair();
  const auto link = wire::bindLink(side.runtime, {.endpoint = "tcp://127.0.0.1:*", .keys = keys});
  return measure(
      side, link->endpoint(), keys, [&] { return link->receive(); },
      [&](const std::string& peer, std::string bytes) { link->send(peer, std::move(bytes)); });
}

base::Task<wire::Incoming> receiveOf(wire::ZmqSocket& socket) {
  auto message = co_await socket.receive();
  co_return wire::Incoming{std::move(message.frames.at(0)), {}, std::move(message.frames.at(1))};
}

Measured direct() {
  Side side;
  const auto keys = wire::generateKeyPair();
  wire::ZmqSocket socket(side.runtime, wire::ZmqSocket::newContext(), wire::ZmqSocket::Type::router, 10000, 32);
  socket.actAsCurveServer(keys);
  socket.bind("tcp://127.0.0.1:*");
  return measure(
      side, socket.lastEndpoint(), keys, [&] { return receiveOf(socket); },
      [&](const std::string& peer, std::string bytes) { socket.send({peer, std::move(bytes)}); });
}

void print(const char* what, std::vector<Measured> runs) {
  const auto median = [&](double Measured::* field) {
    std::ranges::sort(runs, {}, field);
    return runs[runs.size() / 2].*field;
  };
  std::printf("%-8s %6.0f us a round trip, %6.0f us of one in a hundred; %7.0f messages/s, %5.1f us of CPU a message\n",
              what, median(&Measured::middle), median(&Measured::late), median(&Measured::perSecond),
              median(&Measured::cpu));
}

}  // namespace

int main() {
  std::vector<Measured> withRelay, without;
  for (int run = 0; run < 5; ++run) {
    without.push_back(direct());
    withRelay.push_back(relayed());
  }
  print("direct", without);
  print("relayed", withRelay);
}
