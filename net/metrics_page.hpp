// The text of /metrics. It is made once for all who ask within a second, and sent in pieces, so that many scrapers cost
// little more time and memory than one.
#pragma once

#include "base/metrics.hpp"
#include "base/runtime.hpp"
#include "net/server.hpp"

#include <memory>
#include <string>

namespace ingot::net {

class MetricsPage final : public HttpHandler {
 public:
  // `metrics` outlives this.
  MetricsPage(base::Runtime runtime, const base::Metrics& metrics) : runtime_(std::move(runtime)), metrics_(metrics) {}

  [[nodiscard]] base::Task<void> handle(ServerRequest request, Responder& out) override;

 private:
  [[nodiscard]] std::shared_ptr<const std::string> text();

  base::Runtime runtime_;
  const base::Metrics& metrics_;
  std::shared_ptr<const std::string> text_;
  base::MonoTime madeAt_;
};

}  // namespace ingot::net
