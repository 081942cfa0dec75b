#include "coordinator/workload/paced_transport.hpp"

#include <algorithm>

namespace ingot::coordinator::workload {

// Bytes as the time that is granted for them: what is taken moves a mark, which may be so far behind the clock as time
// for `atOnce` bytes is. What an answer takes is known afterwards only, so the mark may be ahead for a while.
class PacedTransport::Allowance {
 public:
  Allowance(base::Clock& clock, Pace pace, std::unique_ptr<PaceShares::Share> share)
      : clock_(clock),
        pace_(pace),
        share_(std::move(share)),
        most_(timeFor(pace.atOnce, pace.perSecond)),
        mark_(clock.now() - most_) {}

  base::Task<void> wait() {
    while (clock_.now() < mark_) co_await clock_.sleepUntil(mark_);
  }
  void take(std::size_t bytes) {
    if (share_) share_->use(clock_.now());
    charge(bytes);
  }
  // A server that answers none takes nothing from the others.
  void takeRequest() { charge(pace_.eachRequest); }

 private:
  void charge(std::size_t bytes) {
    const auto now = clock_.now();
    const std::size_t rate = share_ ? std::min(pace_.perSecond, share_->rate(now)) : pace_.perSecond;
    mark_ = std::max(mark_, now - most_) + timeFor(bytes, rate);
  }
  [[nodiscard]] static base::Duration timeFor(std::size_t bytes, std::size_t perSecond) {
    return base::Duration(std::chrono::seconds(1)) * static_cast<std::int64_t>(bytes) /
           static_cast<std::int64_t>(perSecond);
  }

  base::Clock& clock_;
  Pace pace_;
  std::unique_ptr<PaceShares::Share> share_;  // nullptr: alone
  base::Duration most_;
  base::MonoTime mark_;
};

class PacedTransport::PacedStream final : public net::HttpStream {
 public:
  PacedStream(std::shared_ptr<Allowance> allowance, std::unique_ptr<net::HttpStream> stream)
      : allowance_(std::move(allowance)), stream_(std::move(stream)) {}

  [[nodiscard]] int status() const override { return stream_->status(); }
  [[nodiscard]] const net::Headers& headers() const override { return stream_->headers(); }

  base::Task<std::optional<std::string>> next(base::Duration idle) override {
    co_await allowance_->wait();
    auto piece = co_await stream_->next(idle);
    if (piece) allowance_->take(piece->size());
    co_return piece;
  }

 private:
  std::shared_ptr<Allowance> allowance_;
  std::unique_ptr<net::HttpStream> stream_;
};

class PacedTransport::PacedClient final : public net::HttpClient {
 public:
  PacedClient(std::shared_ptr<Allowance> allowance, std::unique_ptr<net::HttpClient> client)
      : allowance_(std::move(allowance)), client_(std::move(client)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    co_await allowance_->wait();
    allowance_->takeRequest();
    auto response = co_await client_->send(std::move(request));
    allowance_->take(response.body.size());
    co_return response;
  }

  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    co_await allowance_->wait();
    allowance_->takeRequest();
    auto stream = co_await client_->open(std::move(request));
    co_return std::make_unique<PacedStream>(allowance_, std::move(stream));
  }

 private:
  std::shared_ptr<Allowance> allowance_;
  std::unique_ptr<net::HttpClient> client_;
};

PacedTransport::PacedTransport(base::Clock& clock, net::HttpTransport& transport, Pace pace,
                               std::unique_ptr<PaceShares::Share> share)
    : transport_(transport), allowance_(std::make_shared<Allowance>(clock, pace, std::move(share))) {}

PacedTransport::~PacedTransport() = default;

std::unique_ptr<net::HttpClient> PacedTransport::connect(net::ClientOptions options) {
  return std::make_unique<PacedClient>(allowance_, transport_.connect(std::move(options)));
}

}  // namespace ingot::coordinator::workload
