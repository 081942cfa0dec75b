// A process that stands still for a while, as one that was sent SIGSTOP or that gets no CPU: its time passes, what it
// waits for happens, and it learns of all that only when it goes on. Between two awaits it cannot be stopped. On a
// machine that was suspended its timers stood still as well: they are late, while what the network brings is there at
// once.
#pragma once

#include "base/sync.hpp"
#include "net/client.hpp"
#include "wire/link.hpp"

#include <boost/asio/post.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace ingot::tests {

class Pause {
 public:
  explicit Pause(const base::Executor& executor) : executor_(executor), resumed_(executor) {}

  void begin() { on_ = timersStand_ = true; }
  void end() {
    on_ = false;
    resumed_.notifyAll();
    timersGoOn();
  }
  // Timers go on later, by timersGoOn().
  void endOfSuspension() {
    on_ = false;
    resumed_.notifyAll();
  }
  void timersGoOn() {
    timersStand_ = on_;
    resumed_.notifyAll();
    for (auto& call : std::exchange(held_, {})) boost::asio::post(executor_, std::move(call));
  }
  [[nodiscard]] bool on() const { return on_; }

  [[nodiscard]] base::Task<void> over() {
    while (on_) co_await resumed_.wait();
  }
  [[nodiscard]] base::Task<void> timersOver() {
    while (timersStand_) co_await resumed_.wait();
  }
  // What `task` comes to, which the process learns when it goes on.
  template <class T>
  [[nodiscard]] base::Task<T> learnt(base::Task<T> task) {
    std::exception_ptr failure;
    std::optional<T> result;
    try {
      result.emplace(co_await std::move(task));
    } catch (...) {
      failure = std::current_exception();
    }
    co_await over();
    if (failure) std::rethrow_exception(failure);
    co_return std::move(*result);
  }
  // What a timer calls: at once where there is none, else from the loop, behind what the end of the pause has woken.
  void afterwards(std::function<void()> call) {
    if (timersStand_) return held_.push_back(std::move(call));
    call();
  }

 private:
  base::Executor executor_;
  bool on_ = false, timersStand_ = false;
  base::Notifier resumed_;
  std::vector<std::function<void()>> held_;
};

class PausableClock final : public base::Clock {
 public:
  PausableClock(base::Clock& inner, std::shared_ptr<Pause> pause) : inner_(inner), pause_(std::move(pause)) {}

  [[nodiscard]] base::MonoTime now() const override { return inner_.now(); }
  [[nodiscard]] base::WallTime wall() const override { return inner_.wall() + wallOffset_; }
  // Somebody sets the time of its machine.
  void stepWall(base::Duration by) { wallOffset_ += std::chrono::duration_cast<base::WallTime::duration>(by); }
  [[nodiscard]] base::Task<void> sleepUntil(base::MonoTime when) override {
    co_await inner_.sleepUntil(when);
    co_await pause_->timersOver();
  }
  [[nodiscard]] std::unique_ptr<base::Alarm> alarm(const base::Executor& executor, base::MonoTime when,
                                                   std::function<void()> ring) override {
    auto bell = std::make_unique<Bell>(std::move(ring));
    bell->inner = inner_.alarm(executor, when, [pause = pause_, ring = std::weak_ptr(bell->ring)] {
      pause->afterwards([ring] {
        if (const auto call = ring.lock()) (*call)();
      });
    });
    return bell;
  }

 private:
  struct Bell final : base::Alarm {
    explicit Bell(std::function<void()> call) : ring(std::make_shared<std::function<void()>>(std::move(call))) {}
    std::shared_ptr<std::function<void()>> ring;
    std::unique_ptr<base::Alarm> inner;
  };
  base::Clock& inner_;
  std::shared_ptr<Pause> pause_;
  base::WallTime::duration wallOffset_{};
};

// `onSending`: of each request, when its first byte leaves.
class PausableTransport final : public net::HttpTransport {
 public:
  using OnSending = std::function<void(const std::string& origin, const net::HttpRequest&)>;
  PausableTransport(net::HttpTransport& inner, std::shared_ptr<Pause> pause, std::string process, OnSending onSending)
      : inner_(inner), pause_(std::move(pause)), process_(std::move(process)), onSending_(std::move(onSending)) {}

  // Each request names its process in this header.
  static constexpr const char* kProcess = "Test-Process";

  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override {
    std::string origin = options.baseUrl;
    return std::make_unique<Client>(*this, inner_.connect(std::move(options)), std::move(origin));
  }

 private:
  class Stream final : public net::HttpStream {
   public:
    Stream(std::unique_ptr<net::HttpStream> inner, std::shared_ptr<Pause> pause)
        : inner_(std::move(inner)), pause_(std::move(pause)) {}
    [[nodiscard]] int status() const override { return inner_->status(); }
    [[nodiscard]] const net::Headers& headers() const override { return inner_->headers(); }
    [[nodiscard]] base::Task<std::optional<std::string>> next(base::Duration idle) override {
      return pause_->learnt(inner_->next(idle));
    }

   private:
    std::unique_ptr<net::HttpStream> inner_;
    std::shared_ptr<Pause> pause_;
  };

  class Client final : public net::HttpClient {
   public:
    Client(PausableTransport& owner, std::unique_ptr<net::HttpClient> inner, std::string origin)
        : pause_(owner.pause_),
          process_(owner.process_),
          onSending_(owner.onSending_),
          inner_(std::move(inner)),
          origin_(std::move(origin)) {}

    base::Task<net::HttpResponse> send(net::HttpRequest request) override {
      return pause_->learnt(inner_->send(marked(std::move(request))));
    }
    base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
      auto stream = co_await pause_->learnt(inner_->open(marked(std::move(request))));
      co_return std::make_unique<Stream>(std::move(stream), pause_);
    }

   private:
    net::HttpRequest marked(net::HttpRequest request) {
      request.headers.set(kProcess, process_);
      auto copy = request;
      copy.beforeSending = nullptr;
      request.beforeSending = [this, before = std::move(request.beforeSending), copy = std::move(copy)] {
        if (before) before();
        onSending_(origin_, copy);
      };
      return request;
    }
    std::shared_ptr<Pause> pause_;
    std::string process_;
    OnSending onSending_;
    std::unique_ptr<net::HttpClient> inner_;
    std::string origin_;
  };

  net::HttpTransport& inner_;
  std::shared_ptr<Pause> pause_;
  std::string process_;
  OnSending onSending_;
};

class PausableCoordinatorLink final : public wire::CoordinatorLink {
 public:
  PausableCoordinatorLink(std::unique_ptr<wire::CoordinatorLink> inner, std::shared_ptr<Pause> pause)
      : inner_(std::move(inner)), pause_(std::move(pause)) {}
  base::Task<wire::Incoming> receive() override { return pause_->learnt(inner_->receive()); }
  bool send(const std::string& peer, std::string bytes) override { return inner_->send(peer, std::move(bytes)); }
  std::string endpoint() const override { return inner_->endpoint(); }
  void admit(std::function<bool(const std::string& publicKey)> judge) override { inner_->admit(std::move(judge)); }
  void setKnown(std::function<bool(const std::string& publicKey)> known) override {
    inner_->setKnown(std::move(known));
  }

 private:
  std::unique_ptr<wire::CoordinatorLink> inner_;
  std::shared_ptr<Pause> pause_;
};

class PausableLink final : public wire::AgentLink {
 public:
  using See = std::function<void(const std::string& bytes)>;
  // `onReceiving`: of each message, when the process takes it.
  PausableLink(std::unique_ptr<wire::AgentLink> inner, std::shared_ptr<Pause> pause, See onReceiving, See onSending)
      : inner_(std::move(inner)),
        pause_(std::move(pause)),
        onReceiving_(std::move(onReceiving)),
        onSending_(std::move(onSending)) {}
  base::Task<std::string> receive() override {
    auto bytes = co_await inner_->receive();
    co_await pause_->over();
    onReceiving_(bytes);
    co_return bytes;
  }
  bool send(std::string bytes) override {
    onSending_(bytes);
    return inner_->send(std::move(bytes));
  }

 private:
  std::unique_ptr<wire::AgentLink> inner_;
  std::shared_ptr<Pause> pause_;
  See onReceiving_, onSending_;
};

}  // namespace ingot::tests
