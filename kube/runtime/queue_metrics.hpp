// What a queue counts, under client-go's names as controller-runtime shows them.
#pragma once

#include "base/clock.hpp"
#include "base/metrics.hpp"

#include <string>
#include <string_view>

namespace ingot::kube {

class QueueMetrics {
 public:
  // Registers the series of this queue at once. `page` outlives it.
  QueueMetrics(base::Metrics& page, const std::string& name);

  void added() { adds_->add(); }           // became due
  void retried() { retries_->add(); }      // is to be due again, but not now
  void waited(base::Duration sinceDue);    // was taken
  void worked(base::Duration sinceTaken);  // was given back
  void show(std::string_view priority, std::size_t due);
  void showHeld(base::Duration all, base::Duration longest);

 private:
  base::Metrics& page_;
  base::Labels labels_;
  base::Counter *adds_, *retries_;
  base::Histogram *waiting_, *working_;
  base::Gauge *unfinished_, *longest_;
};

}  // namespace ingot::kube
