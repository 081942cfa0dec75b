#include "kube/client/counted_transport.hpp"

#include "net/url.hpp"

#include <fmt/format.h>

#include <map>

namespace ingot::kube {
namespace {

std::string hostOf(const std::string& baseUrl) {
  const auto url = net::parseUrl(baseUrl);
  if (!url) return baseUrl;
  const std::string origin = url->origin();
  return origin.substr(origin.find("://") + 3);
}

class CountedClient final : public net::HttpClient {
 public:
  CountedClient(std::unique_ptr<net::HttpClient> below, base::Metrics& page, std::string host)
      : below_(std::move(below)), page_(page), host_(std::move(host)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    const std::string method = request.method;
    std::optional<net::HttpResponse> response;
    std::exception_ptr failure;
    try {
      response = co_await below_->send(std::move(request));
    } catch (...) {
      failure = std::current_exception();
    }
    count(method, response ? response->status : 0);
    if (failure) std::rethrow_exception(failure);
    co_return std::move(*response);
  }

  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    const std::string method = request.method;
    std::unique_ptr<net::HttpStream> stream;
    std::exception_ptr failure;
    try {
      stream = co_await below_->open(std::move(request));
    } catch (...) {
      failure = std::current_exception();
    }
    count(method, stream ? stream->status() : 0);
    if (failure) std::rethrow_exception(failure);
    co_return stream;
  }

 private:
  void count(const std::string& method, int status) {
    auto& counter = counters_[{method, status}];
    if (counter == nullptr)
      counter = &page_.counter(
          "rest_client_requests_total", "Number of HTTP requests, partitioned by status code, method, and host",
          {{"code", status == 0 ? "<error>" : fmt::format("{}", status)}, {"host", host_}, {"method", method}});
    counter->add();
  }

  std::unique_ptr<net::HttpClient> below_;
  base::Metrics& page_;
  std::string host_;
  std::map<std::pair<std::string, int>, base::Counter*> counters_;
};

}  // namespace

std::unique_ptr<net::HttpClient> CountedTransport::connect(net::ClientOptions options) {
  std::string host = hostOf(options.baseUrl);
  return std::make_unique<CountedClient>(below_.connect(std::move(options)), page_, std::move(host));
}

}  // namespace ingot::kube
