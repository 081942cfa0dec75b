// /healthz, /readyz and /metrics over plain HTTP.
#pragma once

#include "base/metrics.hpp"
#include "coordinator/options.hpp"
#include "net/server.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace ingot::coordinator {

struct Readiness {
  std::string obstacle = {};  // why the process is not ready, "" when it is
  std::string remark = {};    // what whoever looks may want to know when it is
};

class Endpoints final : public net::HttpHandler {
 public:
  // `readiness` is asked at each /readyz.
  Endpoints(const base::Metrics& page, std::function<Readiness()> readiness)
      : page_(page), readiness_(std::move(readiness)) {}

  // Listens on both addresses, on one when they are the same; "0" is left out. Throws base::Error.
  void listen(const base::Runtime& runtime, const Options& options);
  [[nodiscard]] base::Task<void> stop();

  [[nodiscard]] base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

 private:
  [[nodiscard]] net::HttpResponse answer(std::string_view path) const;

  const base::Metrics& page_;
  std::function<Readiness()> readiness_;
  std::vector<std::unique_ptr<net::Server>> servers_;
};

}  // namespace ingot::coordinator
