// /healthz, /readyz, /metrics and what agents have read, over plain HTTP.
#pragma once

#include "coordinator/options.hpp"
#include "coordinator/readings/api.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "net/metrics_page.hpp"
#include "net/server.hpp"

#include <functional>
#include <list>
#include <memory>

namespace ingot::coordinator {

struct Readiness {
  std::string obstacle = {};  // why the process is not ready, "" when it is
  std::string remark = {};    // what whoever looks may want to know when it is
};

class Endpoints {
 public:
  // `readiness` is asked at each /readyz. `metrics` outlives this.
  // `readings` and the report of a shadow, which outlive this, go with metrics, at addresses of this machine only;
  // nullptr: it is not served.
  Endpoints(const base::Runtime& runtime, const base::Metrics& metrics, std::function<Readiness()> readiness,
            readings::Api* readings = nullptr, shadow::Shadow* shadow = nullptr);
  ~Endpoints();
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  // Health at the one address and metrics at the other, both at one when they are the same; "0" is left out. Throws
  // base::Error.
  void listen(const Options& options);
  [[nodiscard]] base::Task<void> stop();

  // For who serves it to fewer.
  [[nodiscard]] net::HttpHandler& metricsPage() { return metrics_; }

 private:
  class Listener;
  struct Served;
  void listen(const std::string& flag, const std::string& address, Served served);

  base::Runtime runtime_;
  net::MetricsPage metrics_;
  std::function<Readiness()> readiness_;
  readings::Api* readings_;
  shadow::Shadow* shadow_;
  std::list<std::unique_ptr<Listener>> listeners_;
};

}  // namespace ingot::coordinator
