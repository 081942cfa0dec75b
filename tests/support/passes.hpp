// How often a controller has reconciled, and looked again at what is not new, as its metrics tell.
#pragma once

#include "base/metrics.hpp"
#include "tests/support/exposition.hpp"

#include <string>

namespace ingot::tests {

inline int passesOf(const base::Metrics& metrics, const std::string& controller) {
  const std::string page = metrics.expose();
  const std::string line = "controller_runtime_reconcile_total{controller=\"" + controller + "\"";
  int all = 0;
  for (std::size_t at = 0; (at = page.find(line, at)) != std::string::npos;) {
    at = page.find(' ', at);
    all += std::stoi(page.substr(at + 1));
  }
  return all;
}

inline int retriesOf(const base::Metrics& metrics, const std::string& controller) {
  const auto name = [&](const char* label) { return std::string(label) + "=\"" + controller + "\""; };
  const auto labels = name("name") + "," + name("controller");
  return static_cast<int>(Exposition(metrics.expose()).value("workqueue_retries_total", labels));
}

}  // namespace ingot::tests
