// Streams of events that a BMC of ours pushes (FakeRedfish::pushes): what the test says, to whoever holds one open.
#pragma once

#include "base/sync.hpp"
#include "net/server.hpp"

#include <string>
#include <utility>

namespace ingot::tests {

class FakeEventStream {
 public:
  explicit FakeEventStream(const base::Executor& executor) : more_(executor) {}

  base::Task<void> push(net::Responder& out) {
    ++opened, ++open;
    const Leaving leaving(open);
    co_await out.begin(200, {{"Content-Type", "text/event-stream"}});
    while (lasts) {
      if (!text_.empty()) co_await out.write(std::exchange(text_, {}));
      co_await more_.wait();
    }
    co_await out.end();
  }
  void send(const std::string& bytes) {
    text_ += bytes;
    more_.notifyAll();
  }
  void end() {
    lasts = false;
    more_.notifyAll();
  }

  int opened = 0, open = 0;  // streams: so far, now
  bool lasts = true;         // false: they end

 private:
  class Leaving {
   public:
    explicit Leaving(int& open) : open_(open) {}
    ~Leaving() { --open_; }
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;

   private:
    int& open_;
  };

  std::string text_;
  base::Notifier more_;
};

}  // namespace ingot::tests
