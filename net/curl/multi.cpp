#include "net/curl/multi.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>

namespace asio = boost::asio;

namespace ingot::net::curl {
namespace {

// curl_global_init is not safe to race; it counts, so it is never undone here.
void initialiseLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

}  // namespace

// A file descriptor that belongs to libcurl: lent to Asio for waiting, always released, never closed here.
struct Loop::Socket {
  Socket(const base::Executor& executor, int number) : descriptor(executor, number), fd(number) {}
  ~Socket() {
    if (descriptor.is_open()) descriptor.release();
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  asio::posix::stream_descriptor descriptor;
  int fd;
  bool wantsRead = false, wantsWrite = false;  // what libcurl asked for
  bool reading = false, writing = false;       // waits under way
  bool hasWritten = false;                     // waited for room to write at least once
  bool alive = true;
};

struct Loop::Callbacks {
  static int socket(CURL*, curl_socket_t fd, int what, void* user, void*) {
    auto& loop = *static_cast<Loop*>(user);
    if (what == CURL_POLL_REMOVE) {
      loop.rest(fd);
    } else {
      loop.watch(fd, what);
    }
    return 0;
  }

  static int timer(CURLM*, long milliseconds, void* user) {
    static_cast<Loop*>(user)->setTimer(milliseconds);
    return 0;
  }

  static curl_socket_t open(void* user, curlsocktype, curl_sockaddr* address) {
    const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (fd >= 0) static_cast<Loop*>(user)->connections_.insert(fd);
    return fd;
  }

  static int close(void* user, curl_socket_t fd) {
    auto& loop = *static_cast<Loop*>(user);
    loop.connections_.erase(fd);
    loop.forget(fd);
    return ::close(fd);
  }
};

Loop::Loop(const base::Executor& executor, std::size_t keptConnections) : executor_(executor), timer_(executor) {
  initialiseLibrary();
  multi_ = curl_multi_init();
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, Callbacks::socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, Callbacks::timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(keptConnections));
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
}

Loop::~Loop() {
  for (const auto& [easy, transfer] : transfers_) curl_multi_remove_handle(multi_, easy);
  curl_multi_cleanup(multi_);
}

// libcurl asks for a timer of zero to begin a transfer: it begins at once instead.
void Loop::add(Easy easy, Transfer& transfer) {
  transfers_.emplace(easy, &transfer);
  adding_ = true;
  curl_multi_add_handle(multi_, easy);
  adding_ = false;
  runTimers();
}

void Loop::adopt(Easy easy) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, Callbacks::open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, Callbacks::close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
}

void Loop::remove(Easy easy) {
  if (transfers_.erase(easy) > 0) curl_multi_remove_handle(multi_, easy);
}

void Loop::resume(Easy easy) { curl_easy_pause(easy, CURLPAUSE_CONT); }

void Loop::watch(int fd, int what) {
  auto& socket = sockets_[fd];
  if (!socket) socket = std::make_shared<Socket>(executor_, fd);
  socket->wantsRead = what == CURL_POLL_IN || what == CURL_POLL_INOUT;
  socket->wantsWrite = what == CURL_POLL_OUT || what == CURL_POLL_INOUT;
  socket->hasWritten |= socket->wantsWrite;
  arm(socket);
}

// A kept connection stays registered with Asio, because removing and adding it again would cost each request three
// system calls. A connection that had to wait for room to write is removed once, because Asio would go on waking us for
// that.
void Loop::rest(int fd) {
  const auto found = sockets_.find(fd);
  if (found == sockets_.end()) return;
  auto& socket = *found->second;
  if (socket.hasWritten || !connections_.contains(fd)) return forget(fd);  // the resolver's close without a word
  socket.wantsRead = socket.wantsWrite = false;
}

void Loop::forget(int fd) {
  const auto found = sockets_.find(fd);
  if (found == sockets_.end()) return;
  found->second->alive = false;
  found->second->descriptor.release();  // waits end with operation_aborted and see that it is not alive
  sockets_.erase(found);
}

void Loop::arm(const std::shared_ptr<Socket>& socket) {
  if (socket->wantsRead && !socket->reading) wait(socket, true);
  if (socket->wantsWrite && !socket->writing) wait(socket, false);
}

void Loop::wait(const std::shared_ptr<Socket>& socket, bool reading) {
  (reading ? socket->reading : socket->writing) = true;
  const auto what = reading ? asio::posix::stream_descriptor::wait_read : asio::posix::stream_descriptor::wait_write;
  auto woken = [weak = weak_from_this(), socket, reading](const boost::system::error_code& error) {
    (reading ? socket->reading : socket->writing) = false;
    const auto loop = weak.lock();
    if (!loop || !socket->alive) return;
    const bool wanted = reading ? socket->wantsRead : socket->wantsWrite;
    if (error) {
      loop->act(socket->fd, CURL_CSELECT_ERR);
    } else if (wanted) {
      loop->act(socket->fd, reading ? CURL_CSELECT_IN : CURL_CSELECT_OUT);
    }
    if (socket->alive) loop->arm(socket);
  };
  socket->descriptor.async_wait(what, std::move(woken));
}

// This function is called from inside libcurl, so it must not call libcurl. Most of libcurl's deadlines are withdrawn
// or put off long before they come, so an alarm that is too early is left alone.
void Loop::setTimer(long milliseconds) {
  due_.reset();
  if (milliseconds < 0) return;
  due_ = Time::clock::now() + std::chrono::milliseconds(milliseconds);
  if (!adding_ && (!alarm_ || *due_ < *alarm_)) setAlarm();
}

void Loop::setAlarm() {
  alarm_ = due_;
  timer_.expires_at(*alarm_);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto loop = weak.lock();
    if (loop && !error) loop->alarmRang();
  });
}

void Loop::alarmRang() {
  alarm_.reset();
  if (!due_) return;
  if (Time::clock::now() < *due_) return setAlarm();
  runTimers();
}

void Loop::runTimers() {
  due_.reset();
  act(CURL_SOCKET_TIMEOUT, 0);
}

void Loop::act(int fd, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, fd, events, &running);
  collectFinished();
}

void Loop::collectFinished() {
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const int code = message->data.result;
    Easy const easy = message->easy_handle;  // `message` dies with the removal
    const auto found = transfers_.find(easy);
    if (found == transfers_.end()) continue;
    auto* transfer = found->second;
    transfers_.erase(found);
    curl_multi_remove_handle(multi_, easy);
    transfer->finished(code);
  }
}

}  // namespace ingot::net::curl
