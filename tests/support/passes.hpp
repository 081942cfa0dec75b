// How often a controller has reconciled, as its metrics tell.
#pragma once

#include "base/metrics.hpp"

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

}  // namespace ingot::tests
