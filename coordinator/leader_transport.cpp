#include "coordinator/leader_transport.hpp"

namespace ingot::coordinator {
namespace {

bool isRead(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

class LeaderClient final : public net::HttpClient {
 public:
  LeaderClient(std::unique_ptr<net::HttpClient> below, LeaderTransport::Question leading)
      : below_(std::move(below)), leading_(std::move(leading)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    return below_->send(guarded(std::move(request)));
  }
  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    return below_->open(guarded(std::move(request)));
  }

 private:
  [[nodiscard]] net::HttpRequest guarded(net::HttpRequest request) const {
    if (isRead(request.method)) return request;
    request.beforeSending = [leading = leading_, what = request.method + " " + request.target,
                             also = std::move(request.beforeSending)] {
      if (!leading())
        throw net::HttpError(net::HttpError::Code::unreachable, what + ": not sent, another coordinator may lead");
      if (also) also();
    };
    return request;
  }

  std::unique_ptr<net::HttpClient> below_;
  LeaderTransport::Question leading_;
};

}  // namespace

LeaderTransport::LeaderTransport(net::HttpTransport& below, Question leading)
    : below_(below), leading_(std::move(leading)) {}

std::unique_ptr<net::HttpClient> LeaderTransport::connect(net::ClientOptions options) {
  return std::make_unique<LeaderClient>(below_.connect(std::move(options)), leading_);
}

}  // namespace ingot::coordinator
