// What ties a process to its supervisor: signals and notifications.
#include "base/run.hpp"
#include "base/service_notify.hpp"
#include "base/signals.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstring>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

// Plays systemd: a datagram socket in the abstract namespace.
class Supervisor {
 public:
  Supervisor() : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data() + 1, name.size() - 1);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
  }
  ~Supervisor() { ::close(fd_); }
  std::string next() {
    char text[512];
    const auto got = ::recv(fd_, text, sizeof text, 0);
    return got < 0 ? "" : std::string(text, static_cast<std::size_t>(got));
  }
  std::string name = "@ingot-test-" + std::to_string(::getpid());

 private:
  int fd_;
};

}  // namespace

TEST_CASE("a service tells its supervisor that it is ready, how it is, and that it stops", "[notify]") {
  Supervisor supervisor;
  const base::ServiceNotifier notifier(supervisor.name, 0s);
  notifier.ready("serving\n4 hosts");
  notifier.status("busy");
  notifier.stopping();
  CHECK(supervisor.next() == "READY=1\nSTATUS=serving 4 hosts");
  CHECK(supervisor.next() == "\nSTATUS=busy");
  CHECK(supervisor.next() == "STOPPING=1");
}

TEST_CASE("the watchdog is fed at half its interval", "[notify]") {
  Supervisor supervisor;
  tests::Loop loop;
  const base::ServiceNotifier notifier(supervisor.name, 10s);
  base::TaskGroup group(loop.io.get_executor(), base::Log::silent());
  group.spawn("watchdog", notifier.feedWatchdog(loop.clock));
  loop.clock.advance(11s);
  int fed = 0;
  while (supervisor.next() == "WATCHDOG=1") ++fed;
  CHECK(fed == 3);  // at 0, 5 and 10 s
  loop.run(group.close());
}

TEST_CASE("without a supervisor nothing is sent and nothing fails", "[notify]") {
  tests::Loop loop;
  const base::ServiceNotifier notifier("", 10s);
  notifier.ready();
  loop.run(notifier.feedWatchdog(loop.clock));
}

TEST_CASE("SIGTERM is an event to wait for, also when it came before", "[signals]") {
  boost::asio::io_context io;
  base::StopSignal stop(io.get_executor());
  ::raise(SIGTERM);
  CHECK(base::run(io, stop.wait()) == SIGTERM);
  CHECK(base::run(io, stop.wait()) == SIGTERM);
}

TEST_CASE("SIGINT stops, unless whoever started the program has it ignored", "[signals]") {
  struct sigaction before{};
  struct sigaction ignored{};
  ignored.sa_handler = GENERATE(SIG_IGN, SIG_DFL);
  const int first = ignored.sa_handler == SIG_IGN ? SIGTERM : SIGINT;
  REQUIRE(::sigaction(SIGINT, &ignored, &before) == 0);
  {
    boost::asio::io_context io;
    base::StopSignal stop(io.get_executor());
    ::raise(SIGINT);
    if (first == SIGTERM) ::raise(SIGTERM);
    CHECK(base::run(io, stop.wait()) == first);
  }
  struct sigaction after{};
  REQUIRE(::sigaction(SIGINT, &before, &after) == 0);
  CHECK(after.sa_handler == ignored.sa_handler);
}
