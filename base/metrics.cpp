#include "base/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace ingot::base {
namespace {

using Series = std::variant<Counter, Gauge, Histogram>;
constexpr std::string_view kTypeNames[] = {"counter", "gauge", "histogram"};

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
  return out;
}

// `{a="1",b="2"}`; nothing at all when there is no label.
std::string textOf(const Labels& labels) {
  std::string inside;
  for (const auto& [name, value] : labels) {
    inside += fmt::format("{}{}=\"{}\"", inside.empty() ? "" : ",", name, escaped(value, true));
  }
  return inside.empty() ? "" : "{" + inside + "}";
}

// The same with le="…" last.
std::string withBound(std::string_view labels, std::string_view upperBound) {
  if (labels.empty()) return fmt::format("{{le=\"{}\"}}", upperBound);
  labels.remove_suffix(1);
  return fmt::format("{},le=\"{}\"}}", labels, upperBound);
}

void appendHistogram(std::string& out, std::string_view name, std::string_view labels, const Histogram& h) {
  for (std::size_t i = 0; i <= h.bounds().size(); ++i) {
    const auto bound = i < h.bounds().size() ? number(h.bounds()[i]) : std::string("+Inf");
    out += fmt::format("{}_bucket{} {}\n", name, withBound(labels, bound), h.below(i));
  }
  out += fmt::format("{}_sum{} {}\n", name, labels, number(h.sum()));
  out += fmt::format("{}_count{} {}\n", name, labels, h.count());
}

}  // namespace

Histogram::Histogram(std::vector<double> upperBounds)
    : Histogram(std::make_shared<const std::vector<double>>(std::move(upperBounds))) {}

Histogram::Histogram(std::shared_ptr<const std::vector<double>> upperBounds)
    : bounds_(std::move(upperBounds)), buckets_(bounds_->size() + 1, 0) {}

void Histogram::observe(double value) {
  const auto bucket = std::lower_bound(bounds_->begin(), bounds_->end(), value) - bounds_->begin();
  ++buckets_[static_cast<std::size_t>(bucket)];
  ++count_;
  sum_ += value;
}

std::uint64_t Histogram::below(std::size_t bound) const {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i <= bound; ++i) total += buckets_[i];
  return total;
}

// There may be several series for each of ten thousand hosts: labels are kept as the text that leaves, bounds once.
struct Metrics::Family {
  int type;
  std::string help;
  std::shared_ptr<const std::vector<double>> bounds;
  std::map<std::string, Series> series;  // by labels

  template <class T, class... Args>
  T& get(const Labels& labels, Args&&... args) {
    const auto place = series.try_emplace(textOf(labels), std::in_place_type<T>, std::forward<Args>(args)...).first;
    return std::get<T>(place->second);
  }
};

Metrics::Metrics() = default;
Metrics::~Metrics() = default;

Metrics::Family& Metrics::family(std::string_view name, std::string_view help, int type) {
  auto found = families_.find(name);
  if (found == families_.end()) {
    auto made = std::make_unique<Family>(Family{type, std::string(help), nullptr, {}});
    found = families_.emplace(std::string(name), std::move(made)).first;
  }
  if (found->second->type != type) throw std::logic_error(fmt::format("metric {} is used with two types", name));
  return *found->second;
}

Counter& Metrics::counter(std::string_view name, std::string_view help, const Labels& labels) {
  return family(name, help, 0).get<Counter>(labels);
}

Gauge& Metrics::gauge(std::string_view name, std::string_view help, const Labels& labels) {
  return family(name, help, 1).get<Gauge>(labels);
}

Histogram& Metrics::histogram(std::string_view name, std::string_view help, std::vector<double> upperBounds,
                              const Labels& labels) {
  Family& one = family(name, help, 2);
  if (!one.bounds || *one.bounds != upperBounds)
    one.bounds = std::make_shared<const std::vector<double>>(std::move(upperBounds));
  return one.get<Histogram>(labels, one.bounds);
}

void Metrics::remove(std::string_view name, const Labels& labels) {
  const auto found = families_.find(name);
  if (found != families_.end()) found->second->series.erase(textOf(labels));
}

void Metrics::beforeExpose(std::function<void()> collect) { collectors_.push_back(std::move(collect)); }

std::string Metrics::expose() const {
  for (const auto& collect : collectors_) collect();
  std::string out;
  for (const auto& [name, family] : families_) {
    if (family->series.empty()) continue;
    out +=
        fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(family->help, false), name, kTypeNames[family->type]);
    for (const auto& [labels, series] : family->series) {
      if (const auto* histogram = std::get_if<Histogram>(&series)) {
        appendHistogram(out, name, labels, *histogram);
        continue;
      }
      const auto* counter = std::get_if<Counter>(&series);
      const double value = counter ? counter->value() : std::get<Gauge>(series).value();
      out += fmt::format("{}{} {}\n", name, labels, number(value));
    }
  }
  for (const auto& write : writers_) write(out);
  return out;
}

void Metrics::exposeAlso(std::function<void(std::string& out)> write) { writers_.push_back(std::move(write)); }

std::string metricHead(std::string_view name, std::string_view help, std::string_view type) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, type);
}

std::string metricLine(std::string_view name, const Labels& labels, double value) {
  return fmt::format("{}{} {}\n", name, textOf(labels), number(value));
}

std::vector<double> secondsBuckets() { return {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}; }

}  // namespace ingot::base
