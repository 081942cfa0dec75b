// Counters, gauges and histograms in Prometheus' text form. Injected like the clock; one loop thread, no locks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::base {

using Labels = std::vector<std::pair<std::string, std::string>>;

class Counter {
 public:
  void add(double amount = 1) { value_ += amount; }  // amount >= 0
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0;
};

class Gauge {
 public:
  void set(double value) { value_ = value; }
  void add(double amount) { value_ += amount; }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0;
};

class Histogram {
 public:
  explicit Histogram(std::vector<double> upperBounds);  // ascending; +Inf is added
  explicit Histogram(std::shared_ptr<const std::vector<double>> upperBounds);
  void observe(double value);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] const std::vector<double>& bounds() const { return *bounds_; }
  [[nodiscard]] std::uint64_t below(std::size_t bound) const;  // cumulative; bounds().size() is +Inf

 private:
  std::shared_ptr<const std::vector<double>> bounds_;  // shared by the series of a name
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

// Asking twice for one name and set of labels gives the same series; references live as long as the registry or until
// remove(). A name used with two types throws std::logic_error: a programming error.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
  Gauge& gauge(std::string_view name, std::string_view help, const Labels& labels = {});
  Histogram& histogram(std::string_view name, std::string_view help, std::vector<double> upperBounds,
                       const Labels& labels = {});

  // Forgets one series, for things that went away (a deleted host).
  void remove(std::string_view name, const Labels& labels);

  // Called at the start of each expose(): fills gauges that are cheaper to read than to keep.
  void beforeExpose(std::function<void()> collect);

  // Called at the end of each expose(): writes whole families that are cheaper to write than to keep (metricHead(),
  // metricLine()). Their names are used for nothing else.
  void exposeAlso(std::function<void(std::string& out)> write);

  // Prometheus text exposition format 0.0.4, families and series in a stable order.
  [[nodiscard]] std::string expose() const;

 private:
  struct Family;
  Family& family(std::string_view name, std::string_view help, int type);
  std::map<std::string, std::unique_ptr<Family>, std::less<>> families_;
  std::vector<std::function<void()>> collectors_;
  std::vector<std::function<void(std::string&)>> writers_;
};

// The lines of a family. `type`: gauge or counter.
[[nodiscard]] std::string metricHead(std::string_view name, std::string_view help, std::string_view type = "gauge");
[[nodiscard]] std::string metricLine(std::string_view name, const Labels& labels, double value);

// 5 ms … 60 s, for durations of requests and reconciles.
[[nodiscard]] std::vector<double> secondsBuckets();

}  // namespace ingot::base
