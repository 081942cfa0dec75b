// Tells systemd (Type=notify) how the service is. Without $NOTIFY_SOCKET every call does nothing.
#pragma once

#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace ingot::base {

class ServiceNotifier {
 public:
  [[nodiscard]] static ServiceNotifier fromEnvironment();
  // `socket`: a path, or "@name" for the abstract namespace; watchdog 0: none wanted.
  ServiceNotifier(std::string socket, Duration watchdog);

  void ready(std::string_view status = {}) const;
  void stopping(std::string_view status = {}) const;
  void status(std::string_view text) const;

  // Reports to systemd's watchdog at half its interval until cancelled: spawn it on the loop it vouches for.
  // Returns at once when no watchdog is wanted.
  [[nodiscard]] Task<void> feedWatchdog(Clock& clock) const;

 private:
  void send(const std::string& text) const;
  std::string socket_;
  Duration watchdog_;
};

}  // namespace ingot::base
