// The flags that Metal3's managers have and Ingot alone would not need.
#pragma once

#include "coordinator/options.hpp"

#include <CLI/CLI.hpp>

namespace ingot::coordinator {

// Three ways to say how much is logged: our own wins, then -v, then --dev.
struct ToldLogging {
  std::optional<base::Level> level;
  std::optional<int> verbosity;
  bool dev = false;
  LogFormat format = LogFormat::text;
};

// What they are given outlives the app.
void addManagerOptions(CLI::App& app, Options& options);
void addLogging(CLI::App& app, ToldLogging& told);

// What a variable says; nullopt: no number above zero.
[[nodiscard]] Concurrency::Workers workersIn(const std::string& text);

void applyLogging(const ToldLogging& told, Options& options);

}  // namespace ingot::coordinator
