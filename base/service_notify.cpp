#include "base/service_notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace ingot::base {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

long long asNumber(const std::string& text) {
  long long value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// systemd keeps one line a status.
std::string withStatus(std::string text, std::string_view status) {
  if (status.empty()) return text;
  text += "\nSTATUS=";
  for (const char c : status) text += c == '\n' ? ' ' : c;
  return text;
}

}  // namespace

ServiceNotifier ServiceNotifier::fromEnvironment() {
  const auto forPid = variable("WATCHDOG_PID");
  const bool watched = forPid.empty() || asNumber(forPid) == ::getpid();
  return {variable("NOTIFY_SOCKET"), std::chrono::microseconds(watched ? asNumber(variable("WATCHDOG_USEC")) : 0)};
}

ServiceNotifier::ServiceNotifier(std::string socket, Duration watchdog)
    : socket_(std::move(socket)), watchdog_(watchdog) {}

void ServiceNotifier::ready(std::string_view status) const { send(withStatus("READY=1", status)); }
void ServiceNotifier::stopping(std::string_view status) const { send(withStatus("STOPPING=1", status)); }
void ServiceNotifier::status(std::string_view text) const { send(withStatus("", text)); }

Task<void> ServiceNotifier::feedWatchdog(Clock& clock) const {
  const auto self = *this;
  if (self.socket_.empty() || self.watchdog_ <= Duration::zero()) co_return;
  while (true) {
    self.send("WATCHDOG=1");
    co_await clock.sleepFor(self.watchdog_ / 2);
  }
}

// Best effort: a service must not fail because its supervisor does not listen.
void ServiceNotifier::send(const std::string& text) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  (void)::sendto(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&address),
                 length);
  ::close(fd);
}

}  // namespace ingot::base
