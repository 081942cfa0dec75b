#include "sim/kubelet/wire.hpp"

namespace ingot::sim::kubelet {

namespace {

class WireClient final : public net::HttpClient {
 public:
  WireClient(base::Clock& clock, std::unique_ptr<net::HttpClient> client, std::function<bool()> hangs)
      : clock_(clock), client_(std::move(client)), hangs_(std::move(hangs)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    co_await awake();
    co_return co_await client_->send(std::move(request));
  }
  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    co_await awake();
    co_return co_await client_->open(std::move(request));
  }

 private:
  base::Task<void> awake() {
    while (hangs_()) co_await clock_.sleepFor(std::chrono::seconds(1));
  }

  base::Clock& clock_;
  std::unique_ptr<net::HttpClient> client_;
  std::function<bool()> hangs_;
};

}  // namespace

std::unique_ptr<net::HttpClient> Wire::connect(net::ClientOptions options) {
  return std::make_unique<WireClient>(clock_, network_.connect(std::move(options)), hangs_);
}

}  // namespace ingot::sim::kubelet
