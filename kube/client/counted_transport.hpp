// Counts the requests to Kubernetes under client-go's name, rest_client_requests_total{code,host,method}. A request
// without an answer has the code "<error>"; a watch counts when it is opened.
#pragma once

#include "base/metrics.hpp"
#include "net/client.hpp"

namespace ingot::kube {

class CountedTransport final : public net::HttpTransport {
 public:
  // Both outlive this and all its clients.
  CountedTransport(net::HttpTransport& below, base::Metrics& page) : below_(below), page_(page) {}

  [[nodiscard]] std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override;

 private:
  net::HttpTransport& below_;
  base::Metrics& page_;
};

}  // namespace ingot::kube
