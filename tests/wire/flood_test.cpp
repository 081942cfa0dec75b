// What strangers and hijacked agents do to the real sockets.
#include "base/run.hpp"
#include "wire/link.hpp"

#include <catch2/catch.hpp>
#include <zmq.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t frameSize = 256 << 10;

// Another process, so that what it holds is not counted as ours. Forked before there is any thread.
class Attacker {
 public:
  explicit Attacker(wire::KeyPair keys) : keys_(std::move(keys)) {
    REQUIRE(::pipe(target_.data()) == 0);
    child_ = ::fork();
    if (child_ == 0) ::_exit(attack());
  }
  ~Attacker() {
    for (const int end : target_) ::close(end);
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;

  void begin(const std::string& endpoint, const std::string& serverKey) const {
    const auto told = serverKey + endpoint;
    REQUIRE(::write(target_[1], told.data(), told.size()) == static_cast<ssize_t>(told.size()));
  }
  // 0: it was cut off. nullopt: it is still at it.
  std::optional<int> result() {
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) != child_) return std::nullopt;
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  // One message of 200 MiB in frames that are allowed.
  [[nodiscard]] int attack() const {
    std::string told(200, '\0');
    told.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(target_[0], told.data(), told.size()), 0)));
    zmq::context_t context;
    zmq::socket_t dealer(context, zmq::socket_type::dealer);
    dealer.set(zmq::sockopt::linger, 0);
    dealer.set(zmq::sockopt::curve_serverkey, told.substr(0, 40));
    dealer.set(zmq::sockopt::curve_publickey, keys_.publicKey);
    dealer.set(zmq::sockopt::curve_secretkey, keys_.secretKey.reveal());
    void* const handle = dealer.handle();
    ::zmq_socket_monitor(handle, "inproc://seen", ZMQ_EVENT_DISCONNECTED);
    zmq::socket_t seen(context, zmq::socket_type::pair);
    seen.connect("inproc://seen");
    dealer.connect(told.substr(40));
    static std::array<char, frameSize> frame;
    for (int i = 1; i <= 800; ++i) {
      zmq::message_t part(frame.data(), frame.size(), [](void*, void*) {});
      dealer.send(part, i < 800 ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
    zmq::pollitem_t cut{seen.handle(), 0, ZMQ_POLLIN, 0};
    return zmq::poll(&cut, 1, 30s) > 0 ? 0 : 1;
  }

  wire::KeyPair keys_;
  std::array<int, 2> target_{};
  pid_t child_ = -1;
};

std::size_t residentMemory() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

struct Site {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  wire::KeyPair serverKeys = wire::generateKeyPair();
  std::unique_ptr<wire::CoordinatorLink> coordinator;

  explicit Site(bool waitsForJudge = false)
      : coordinator(wire::bindLink(
            runtime, {.endpoint = "tcp://127.0.0.1:*", .keys = serverKeys, .waitsForJudge = waitsForJudge})) {}

  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, base::withTimeout(clock, 60s, "the link", std::move(task)));
  }
  void pass(base::Duration time = 5ms) { run(clock.sleepFor(time)); }
  void know(const std::string& key) {
    coordinator->setKnown([key](const std::string& one) { return one == key; });
  }
  std::unique_ptr<wire::AgentLink> agent(const wire::KeyPair& keys) {
    return wire::connectLink(runtime, {coordinator->endpoint(), serverKeys.publicKey, keys});
  }
  void say(wire::AgentLink& agent, const std::string& bytes) {
    for (const auto end = clock.now() + 60s; !agent.send(bytes) && clock.now() < end;) pass();
  }
  // Says it and is heard.
  void isHeard(wire::AgentLink& agent, const std::string& bytes) {
    say(agent, bytes);
    while (run(coordinator->receive()).bytes != bytes) {
    }
  }
  [[nodiscard]] int dial() const {
    const auto endpoint = coordinator->endpoint();
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
    REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    return fd;
  }
};

}  // namespace

TEST_CASE("who sends a message without an end is cut off, takes no memory, and keeps nobody out") {
  const bool isApproved = GENERATE(false, true);
  const auto keys = wire::generateKeyPair(), friendly = wire::generateKeyPair();
  Attacker attacker(keys);
  Site site;
  site.coordinator->setKnown(
      [&](const std::string& key) { return key == friendly.publicKey || (isApproved && key == keys.publicKey); });
  const auto agent = site.agent(friendly);
  site.isHeard(*agent, "before");
  const auto before = residentMemory();
  std::size_t most = before;
  attacker.begin(site.coordinator->endpoint(), site.serverKeys.publicKey);
  std::optional<int> result;
  while (!result) {
    site.isHeard(*agent, "meanwhile");
    most = std::max(most, residentMemory());
    result = attacker.result();
  }
  CHECK(*result == 0);
  CHECK(most - before < (isApproved ? 48u << 20 : 16u << 20));
  site.isHeard(*agent, "after");
}

TEST_CASE("hundreds of connections that say nothing cost few descriptors, and an agent gets in") {
  Site site;
  const auto keys = wire::generateKeyPair();
  site.know(keys.publicKey);
  std::vector<int> strangers;
  strangers.reserve(600);
  for (int i = 0; i < 300; ++i) strangers.push_back(site.dial());
  const auto agent = site.agent(keys);
  site.isHeard(*agent, "hello");
  const auto alive = [&] {
    return std::ranges::count_if(strangers, [](int fd) {
      std::array<char, 64> greeting{};
      ssize_t got = 1;
      while (got > 0) got = ::recv(fd, greeting.data(), greeting.size(), MSG_DONTWAIT);
      return got < 0 && errno == EAGAIN;
    });
  };
  for (int i = 0; i < 2000 && alive() > 64; ++i) site.pass();
  CHECK(alive() <= 64);
  for (int i = 0; i < 300; ++i) strangers.push_back(site.dial());
  for (int i = 0; i < 2000 && alive() > 64; ++i) site.pass();
  CHECK(alive() <= 64);
  site.isHeard(*agent, "still here");
  for (const int fd : strangers) ::close(fd);
}

TEST_CASE("an agent that was not read for long has all its messages read, and was not cut off") {
  Site site;
  const auto keys = wire::generateKeyPair();
  site.know(keys.publicKey);
  const auto agent = site.agent(keys);
  const std::string filling((256 << 10) - 16, 'x');
  std::size_t most = 100;
  for (std::size_t i = 0; i < most; ++i) site.say(*agent, filling + std::to_string(i));
  site.pass(1s);  // as much as fits is on its way
  for (std::size_t i = 0; i < most; ++i)
    REQUIRE(site.run(site.coordinator->receive()).bytes.substr(filling.size()) == std::to_string(i));
}

TEST_CASE("a stranger that is read is not cut off, however much it says") {
  Site site;
  site.know("nobody");
  const auto agent = site.agent(wire::generateKeyPair());
  const std::string filling(60000, 'x');
  for (int i = 0; i < 100; ++i) {
    site.say(*agent, filling + std::to_string(i));
    REQUIRE(site.run(site.coordinator->receive()).bytes.substr(filling.size()) == std::to_string(i));
  }
}

TEST_CASE("nobody is let in before it is known who may") {
  Site site(true);
  const auto keys = wire::generateKeyPair();
  const auto agent = site.agent(keys);
  const int waiting = site.dial();
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(agent->send("too early"));
    site.pass();
  }
  std::array<char, 64> greeting{};
  CHECK(::recv(waiting, greeting.data(), greeting.size(), MSG_DONTWAIT) == -1);
  site.coordinator->admit([&](const std::string& key) { return key == keys.publicKey; });
  site.isHeard(*agent, "hello");
  ::close(waiting);
}

TEST_CASE("who is admitted no more when the judge has gone") {
  Site site(true);
  int asked = 0;
  site.coordinator->admit([&](const std::string&) { return ++asked > 0; });
  const auto first = site.agent(wire::generateKeyPair());
  site.isHeard(*first, "hello");
  site.coordinator->admit(nullptr);
  const auto late = site.agent(wire::generateKeyPair());
  for (int i = 0; i < 50; ++i) {
    CHECK_FALSE(late->send("psst"));
    site.pass();
  }
  site.isHeard(*first, "still here");
}
