// libcurl's multi-socket interface on the Asio loop. Knows sockets and timers, nothing of requests.
#pragma once

#include "base/runtime.hpp"

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <unordered_map>

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
  explicit Loop(const base::Executor& executor);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // `transfer` must stay until finished() or remove().
  void add(Easy easy, Transfer& transfer);
  // Stops a transfer; its connection is closed unless the transfer was complete.
  void remove(Easy easy);
  // Goes on with a transfer that paused itself.
  void resume(Easy easy);

  // The DNS and TLS-session cache that every easy handle of the process uses (a CURLSH).
  [[nodiscard]] void* share() const { return share_; }

 private:
  struct Socket;
  struct Callbacks;
  void watch(int fd, int what, Socket* known);
  void forget(int fd);
  void arm(const std::shared_ptr<Socket>& socket);
  void wait(const std::shared_ptr<Socket>& socket, bool reading);
  void setTimer(long milliseconds);
  void act(int fd, int events);
  void collectFinished();

  base::Executor executor_;
  boost::asio::steady_timer timer_;  // in libcurl's time, which is the system's
  std::unordered_map<int, std::shared_ptr<Socket>> sockets_;
  std::unordered_map<Easy, Transfer*> transfers_;
  Multi multi_ = nullptr;
  void* share_ = nullptr;
};

}  // namespace ingot::net::curl
