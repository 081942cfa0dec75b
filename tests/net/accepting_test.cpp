// What must not end a server, nor fill its log.
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>

using namespace ingot;
using tests::World;

namespace {

int unwatchable = 0;  // so many of the next connections are descriptors that epoll refuses

// An epoll that watches another one, and so on: the kernel lets no further one watch it.
int deepest() {
  int inner = ::epoll_create1(EPOLL_CLOEXEC);
  while (true) {
    const int outer = ::epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{.events = EPOLLIN, .data = {}};
    if (::epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event) != 0) {
      ::close(outer);
      return inner;
    }
    inner = outer;  // those within stay open
  }
}

auto openDescriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

}  // namespace

// In place of the C library's, of all that is linked here.
extern "C" int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  const auto accepted = static_cast<int>(::syscall(SYS_accept4, fd, address, size, flags));
  if (accepted < 0 || unwatchable == 0) return accepted;
  --unwatchable;
  ::close(accepted);
  static const int refused = deepest();
  return ::dup(refused);
}

TEST_CASE_METHOD(World, "a connection that the kernel does not watch does not end the server, nor is it kept open",
                 "[server]") {
  listenPlain();
  constexpr auto ask = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  unwatchable = 3;
  for (int i = 0; i < 3; ++i) CHECK(speak(ask).empty());
  CHECK(unwatchable == 0);
  CHECK_THAT(speak(ask), Catch::StartsWith("HTTP/1.1 200 "));
  CHECK(log->contains("cannot accept connections for now"));
  CHECK(server->connections() <= 1);
  const auto before = openDescriptors();
  unwatchable = 3;
  for (int i = 0; i < 3; ++i) CHECK(speak(ask).empty());
  CHECK(openDescriptors() <= before);
}

TEST_CASE_METHOD(World, "a trailer that is too long for a field ends its connection, without a line in the log",
                 "[server]") {
  listenPlain();
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n";
  const auto answer = speak(head + "Long: " + std::string(65'600, 'a') + "\r\n\r\n");
  CHECK_FALSE(answer.contains(" 200 "));
  CHECK_FALSE(log->contains("connection failed"));
  CHECK_THAT(speak("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), Catch::StartsWith("HTTP/1.1 200 "));
}
