// libcurl's multi-socket interface on the Asio loop. Knows sockets and timers, nothing of requests.
#pragma once

#include "base/runtime.hpp"

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace ingot::net::curl {

// CURL and CURLM are void in curl.h, which stays out of headers.
using Easy = void*;
using Multi = void*;

// Told, through the loop, how a transfer ended (a CURLcode). It has been taken off the loop by then.
class Transfer {
 public:
  virtual ~Transfer() = default;
  virtual void finished(int code) = 0;
};

class Loop : public std::enable_shared_from_this<Loop> {
 public:
  Loop(const base::Executor& executor, std::size_t keptConnections);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // `transfer` must stay until finished() or remove(); finished() may come before this returns. Not from inside
  // libcurl's callbacks.
  void add(Easy easy, Transfer& transfer);
  // Stops a transfer; its connection is closed unless the transfer was complete.
  void remove(Easy easy);
  // Goes on with a transfer that paused itself.
  void resume(Easy easy);

  // Once for each new handle, before its first add(): the loop learns when its connections open and close.
  void adopt(Easy easy);

 private:
  struct Socket;
  struct Callbacks;
  using Time = std::chrono::steady_clock::time_point;
  void watch(int fd, int what);
  void rest(int fd);
  void forget(int fd);
  void arm(const std::shared_ptr<Socket>& socket);
  void wait(const std::shared_ptr<Socket>& socket, bool reading);
  void setTimer(long milliseconds);
  void setAlarm();
  void alarmRang();
  void runTimers();
  void act(int fd, int events);
  void collectFinished();

  base::Executor executor_;
  boost::asio::steady_timer timer_;  // in libcurl's time, which is the system's
  std::optional<Time> due_;          // when libcurl wants to be called
  std::optional<Time> alarm_;        // what the timer is set to: never after due_, often long before
  bool adding_ = false;
  std::unordered_map<int, std::shared_ptr<Socket>> sockets_;
  std::unordered_set<int> connections_;  // opened by libcurl, closed through us
  std::unordered_map<Easy, Transfer*> transfers_;
  Multi multi_ = nullptr;
};

}  // namespace ingot::net::curl
