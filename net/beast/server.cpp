// Accepting, deadlines and the graceful end.
#include "base/process_limits.hpp"
#include "net/beast/connection.hpp"
#include "net/beast/eviction.hpp"
#include "net/beast/listener.hpp"

#include <cstring>
#include <list>

namespace ingot::net {
namespace {

using base::Duration;
using base::Task;

constexpr auto kAcceptPause = std::chrono::milliseconds(100);  // after EMFILE and the like

class BeastServer final : public Server {
 public:
  BeastServer(base::Runtime runtime, ServerOptions options, HttpHandler& handler)
      : runtime_(std::move(runtime)),
        options_(std::move(options)),
        handler_(handler),
        tls_(options_.tls ? serverContext(*options_.tls) : nullptr),
        listener_(runtime_.executor, options_.address, options_.port),
        free_(runtime_.executor, options_.maxConnections),
        changed_(runtime_.executor),
        tasks_(runtime_.executor, runtime_.log) {
    base::ignoreBrokenPipes();
    tasks_.spawn("accept", acceptAll());
    tasks_.spawn("deadlines", watchDeadlines());
  }

  [[nodiscard]] std::uint16_t port() const override { return listener_.port(); }
  [[nodiscard]] std::size_t connections() const override { return connections_.size(); }

  void renew(const ServerTls& tls) override { tls_ = serverContext(tls); }

  void closeAfterAnswers() override {
    closesAfterAnswers_ = true;
    for (const auto& connection : connections_) connection->closeAfterAnswer();
  }

  Task<void> stop(Duration grace) override {
    stopAccepting_.abort();
    listener_.close();
    for (const auto& connection : std::list(connections_)) connection->drain();
    const auto deadline = runtime_.clock.now() + grace;
    try {
      while (!connections_.empty() && co_await changed_.waitUntil(runtime_.clock, deadline)) {
      }
    } catch (const base::Cancelled&) {
      runtime_.log.debug("stopping without grace");
    }
    for (const auto& connection : std::list(connections_)) connection->abort();
    co_await tasks_.close();
    connections_.clear();
  }

 private:
  Task<void> acceptAll() { co_await stopAccepting_.run(acceptLoop()); }

  Task<void> acceptLoop() {
    bool complained = false;
    while (true) {
      auto unit = co_await free_.acquire();
      auto accepted = co_await listener_.accept();
      const auto trouble =
          accepted.fd < 0 ? std::string(std::strerror(accepted.error)) : take(std::move(accepted), std::move(unit));
      if (!trouble.empty()) {
        if (!std::exchange(complained, true))
          runtime_.log.warn("cannot accept connections for now", {{"error", trouble}});
        co_await runtime_.clock.sleepFor(kAcceptPause);
        continue;
      }
      complained = false;
    }
  }

  // Why not, or "".
  std::string take(Accepted accepted, base::Semaphore::Units unit) {
    try {
      evictFor(accepted.network);
      auto connection = std::make_shared<Connection>(
          runtime_, options_, handler_, accepted.fd, tls_.get(),
          Connection::Addresses{std::move(accepted.remote), std::move(accepted.local), std::move(accepted.network)});
      if (closesAfterAnswers_) connection->closeAfterAnswer();
      connections_.push_back(connection);
      changed_.notifyAll();
      tasks_.spawn("connection", serve(std::move(connection), std::move(unit)));
      return {};
    } catch (const std::exception& error) {  // the kernel or the heap has no room for one more
      return error.what();
    }
  }

  void evictFor(const std::string& network) {
    const UnauthenticatedLimits limits{options_.maxUnauthenticated, options_.maxUnauthenticatedPerNetwork};
    if (limits.total == 0 && limits.fromOneNetwork == 0) return;
    const auto now = runtime_.clock.now();
    const bool scarce = free_.available() < options_.maxConnections / 4;
    std::vector<Connection*> unauthenticated;
    std::vector<std::string> networks;
    for (const auto& connection : connections_) {
      if (!connection->isEvictable(now, scarce)) continue;
      unauthenticated.push_back(connection.get());
      networks.push_back(connection->network());
    }
    if (const auto evicted = connectionToEvict(networks, network, limits)) unauthenticated[*evicted]->abort();
  }

  Task<void> serve(std::shared_ptr<Connection> connection, base::Semaphore::Units unit) {
    const auto place = std::find(connections_.begin(), connections_.end(), connection);
    std::exception_ptr why;
    try {
      co_await connection->run();
    } catch (...) {
      why = std::current_exception();
    }
    connections_.erase(place);
    unit.release();
    changed_.notifyAll();
    if (why) std::rethrow_exception(why);
  }

  // One sleeper for all connections instead of a timer for each read and write.
  Task<void> watchDeadlines() {
    const auto shortest = std::min({options_.idleTimeout, options_.requestTimeout, options_.handshakeTimeout});
    const auto tick = std::clamp<Duration>(shortest / 4, std::chrono::milliseconds(10), std::chrono::seconds(1));
    while (true) {
      while (connections_.empty()) co_await changed_.wait();
      co_await runtime_.clock.sleepFor(tick);
      const auto now = runtime_.clock.now();
      for (const auto& connection : connections_) connection->abortIfLate(now);
    }
  }

  base::Runtime runtime_;
  ServerOptions options_;
  HttpHandler& handler_;
  openssl::Context tls_;
  Listener listener_;
  base::Semaphore free_;
  base::Notifier changed_;
  base::AbortSource stopAccepting_;
  bool closesAfterAnswers_ = false;
  std::list<std::shared_ptr<Connection>> connections_;
  base::TaskGroup tasks_;
};

}  // namespace

std::unique_ptr<Server> listen(base::Runtime runtime, ServerOptions options, HttpHandler& handler) {
  return std::make_unique<BeastServer>(std::move(runtime), std::move(options), handler);
}

}  // namespace ingot::net
