#include "net/limited_transport.hpp"

#include "base/pace.hpp"

namespace ingot::net {

// Each request takes the next turn. Turns are `interval_` apart, and those of the past are kept for a burst.
class LimitedTransport::Turns {
 public:
  Turns(base::Clock& clock, RequestRate rate) : clock_(clock), pace_(base::intervalOf(rate.perSecond), rate.burst) {}

  base::Task<void> take() {
    const base::MonoTime mine = pace_.take(clock_.now());
    if (mine > clock_.now()) co_await clock_.sleepUntil(mine);
  }

 private:
  base::Clock& clock_;
  base::Pace pace_;
};

class LimitedTransport::LimitedClient final : public HttpClient {
 public:
  LimitedClient(std::shared_ptr<Turns> turns, std::unique_ptr<HttpClient> below)
      : turns_(std::move(turns)), below_(std::move(below)) {}

  base::Task<HttpResponse> send(HttpRequest request) override {
    co_await turns_->take();
    co_return co_await below_->send(std::move(request));
  }
  base::Task<std::unique_ptr<HttpStream>> open(HttpRequest request) override {
    co_await turns_->take();
    co_return co_await below_->open(std::move(request));
  }

 private:
  std::shared_ptr<Turns> turns_;
  std::unique_ptr<HttpClient> below_;
};

LimitedTransport::LimitedTransport(base::Clock& clock, HttpTransport& below, std::optional<RequestRate> rate)
    : below_(below), turns_(rate ? std::make_shared<Turns>(clock, *rate) : nullptr) {}

LimitedTransport::~LimitedTransport() = default;

std::unique_ptr<HttpClient> LimitedTransport::connect(ClientOptions options) {
  if (!turns_) return below_.connect(std::move(options));
  return std::make_unique<LimitedClient>(turns_, below_.connect(std::move(options)));
}

}  // namespace ingot::net
