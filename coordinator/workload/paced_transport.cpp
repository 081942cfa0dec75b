#include "coordinator/workload/paced_transport.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ingot::coordinator::workload {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr base::Duration kLookAtRate = std::chrono::seconds(1);  // while somebody waits: others come and go

}  // namespace

// What was granted and not taken is kept as time, of `atOnce` bytes at the full pace at most, so that it is less where
// more share the pace. What an answer takes is known afterwards only: what is owed is paid at the rate of each moment.
class PacedTransport::Allowance {
 public:
  Allowance(base::Clock& clock, Pace pace, std::unique_ptr<PaceShares::Share> share)
      : clock_(clock),
        pace_(pace),
        share_(std::move(share)),
        most_(static_cast<double>(pace.atOnce) / static_cast<double>(pace.perSecond)),
        kept_(most_),
        settledAt_(clock.now()) {}

  base::Task<void> wait() {
    for (settle(); owed_ > 0; settle()) {
      const auto left = base::Duration(static_cast<std::int64_t>(std::ceil(owed_ / rate() * 1e9 - 1e-3)));
      co_await clock_.sleepFor(std::clamp(left, base::Duration(1), kLookAtRate));
    }
  }
  void take(std::size_t bytes) {
    settle();
    if (share_) share_->use(clock_.now());
    charge(bytes);
  }
  // A server that answers none takes nothing from the others.
  void takeRequest() {
    settle();
    charge(pace_.eachRequest);
  }

 private:
  [[nodiscard]] double rate() const {
    const std::size_t shared = share_ ? share_->rate(clock_.now()) : pace_.perSecond;
    return static_cast<double>(std::min(pace_.perSecond, shared));
  }
  void settle() {
    const auto now = clock_.now();
    const Seconds passed = now - std::exchange(settledAt_, now);
    const double paid = rate() * passed.count();
    if (paid + 1e-6 < owed_) {
      owed_ -= paid;
      return;
    }
    kept_ = std::min(most_, kept_ + passed - Seconds(owed_ / rate()));
    owed_ = 0;
  }
  void charge(std::size_t bytes) {
    const Seconds needed(static_cast<double>(bytes) / rate());
    if (needed > kept_) owed_ += static_cast<double>(bytes) - rate() * kept_.count();
    kept_ = std::max(Seconds{}, kept_ - needed);
  }

  base::Clock& clock_;
  Pace pace_;
  std::unique_ptr<PaceShares::Share> share_;  // nullptr: alone
  Seconds most_, kept_;
  double owed_ = 0;  // bytes; nothing is kept meanwhile
  base::MonoTime settledAt_;
};

class PacedTransport::PacedStream final : public net::HttpStream {
 public:
  PacedStream(std::shared_ptr<Allowance> allowance, std::unique_ptr<net::HttpStream> stream, Unfinished unfinished)
      : allowance_(std::move(allowance)), stream_(std::move(stream)), unfinished_(std::move(unfinished)) {}
  ~PacedStream() override { tell(0); }
  PacedStream(const PacedStream&) = delete;
  PacedStream& operator=(const PacedStream&) = delete;

  [[nodiscard]] int status() const override { return stream_->status(); }
  [[nodiscard]] const net::Headers& headers() const override { return stream_->headers(); }

  base::Task<std::optional<std::string>> next(base::Duration idle) override {
    co_await allowance_->wait();
    auto piece = co_await stream_->next(idle);
    if (!piece) co_return piece;
    allowance_->take(piece->size());
    const auto end = piece->rfind('\n');
    tell(end == std::string::npos ? bytes_ + piece->size() : piece->size() - end - 1);
    co_return piece;
  }

 private:
  void tell(std::size_t bytes) {
    const std::size_t before = std::exchange(bytes_, bytes);
    if (unfinished_ && before != bytes) unfinished_(before, bytes);
  }

  std::shared_ptr<Allowance> allowance_;
  std::unique_ptr<net::HttpStream> stream_;
  Unfinished unfinished_;
  std::size_t bytes_ = 0;  // since the last line end
};

class PacedTransport::PacedClient final : public net::HttpClient {
 public:
  PacedClient(std::shared_ptr<Allowance> allowance, std::unique_ptr<net::HttpClient> client, Unfinished unfinished)
      : allowance_(std::move(allowance)), client_(std::move(client)), unfinished_(std::move(unfinished)) {}

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
    co_return std::make_unique<PacedStream>(allowance_, std::move(stream), unfinished_);
  }

 private:
  std::shared_ptr<Allowance> allowance_;
  std::unique_ptr<net::HttpClient> client_;
  Unfinished unfinished_;
};

PacedTransport::PacedTransport(base::Clock& clock, net::HttpTransport& transport, Pace pace,
                               std::unique_ptr<PaceShares::Share> share, Unfinished unfinished)
    : transport_(transport),
      allowance_(std::make_shared<Allowance>(clock, pace, std::move(share))),
      unfinished_(std::move(unfinished)) {}

PacedTransport::~PacedTransport() = default;

std::unique_ptr<net::HttpClient> PacedTransport::connect(net::ClientOptions options) {
  return std::make_unique<PacedClient>(allowance_, transport_.connect(std::move(options)), unfinished_);
}

}  // namespace ingot::coordinator::workload
