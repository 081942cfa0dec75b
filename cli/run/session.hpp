// What every command works with, lent by main (or by a test) for as long as the command runs.
#pragma once

#include "base/runtime.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"
#include "kube/client/client.hpp"

#include <string>

namespace ingot::cli {

struct Session {
  base::Runtime runtime;
  kube::Client& client;
  Terminal& terminal;
  std::string server;           // for messages
  std::string namespace_;       // hosts are looked for here
  bool namespaceGiven = false;  // by -n, not by the kubeconfig

  // Tells why one of several objects failed; its code for cli::together().
  [[nodiscard]] ExitCode report(const std::exception& error) const {
    const Failure failure = explain(error, server);
    terminal.error(failure.what());
    return failure.code();
  }
};

}  // namespace ingot::cli
