#include "net/loopback_exchange.hpp"

namespace ingot::net {
namespace {

using base::Task;

constexpr std::size_t kUnread = 256u << 10;  // a writer waits past this, as it would on a socket

}  // namespace

class LoopbackExchange::Output final : public Responder {
 public:
  explicit Output(LoopbackExchange& exchange) : e_(exchange) {}

  Task<void> send(HttpResponse response) override {
    if (e_.begun_) throw std::logic_error("an answer was sent already");
    throwIfGone();
    response.headers.set("Content-Length", std::to_string(response.body.size()));
    e_.status = response.status;
    e_.headers = std::move(response.headers);
    if (!e_.head_) e_.body_ = std::move(response.body);
    e_.begun_ = e_.ended_ = true;
    e_.changed.notifyAll();
    co_return;
  }

  Task<void> begin(int status, Headers headers) override {
    if (e_.begun_) throw std::logic_error("an answer was begun already");
    throwIfGone();
    e_.status = status;
    e_.headers = std::move(headers);
    e_.begun_ = true;
    e_.changed.notifyAll();
    co_return;
  }

  Task<void> write(std::string chunk) override {
    if (!e_.begun_ || e_.ended_) throw std::logic_error("write() outside begin() and end()");
    throwIfGone();
    if (chunk.empty() || e_.head_) co_return;
    e_.body_ += chunk;
    e_.changed.notifyAll();
    while (e_.body_.size() >= kUnread && !e_.dropped_) co_await e_.taken_.wait();
    throwIfGone();
  }

  Task<void> end() override {
    if (!e_.begun_ || e_.ended_) throw std::logic_error("end() without begin()");
    throwIfGone();
    e_.ended_ = true;
    e_.changed.notifyAll();
    co_return;
  }

  void abort() override { e_.fail("the server broke the connection"); }

 private:
  void throwIfGone() const {
    if (e_.dropped_ || e_.failure_) throw HttpError(HttpError::Code::reset, "the client has gone");
  }
  LoopbackExchange& e_;
};

Task<void> LoopbackExchange::run(HttpHandler& handler, ServerRequest request) {
  head_ = request.method == "HEAD";
  Output out(*this);
  bool cancelled = false;
  try {
    co_await abort_.run(handler.handle(std::move(request), out));
  } catch (const base::Cancelled&) {
    cancelled = true;
  } catch (const std::exception&) {
  }
  if (cancelled || (begun_ && !ended_)) fail("the server closed the connection before its whole answer");
  if (over()) co_return;
  status = 500;
  headers = {{"Content-Type", "text/plain; charset=utf-8"}};
  body_ = "Internal server error";
  begun_ = ended_ = true;
  changed.notifyAll();
}

void LoopbackExchange::throwIfFailed(const std::string& name) const {
  if (failure_) throw HttpError(HttpError::Code::reset, name + ": " + *failure_);
}

std::string LoopbackExchange::takeBody() {
  auto taken = std::exchange(body_, {});
  taken_.notifyAll();
  return taken;
}

void LoopbackExchange::drop() {
  dropped_ = true;
  if (!over()) abort_.abort();
  taken_.notifyAll();
}

void LoopbackExchange::cut() {
  fail("the server closed the connection before its whole answer");
  abort_.abort();
}

void LoopbackExchange::fail(std::string why) {
  if (over()) return;
  failure_ = std::move(why);
  changed.notifyAll();
}

}  // namespace ingot::net
