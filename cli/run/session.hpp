// What every command works with, lent by main (or by a test) for as long as the command runs.
#pragma once

#include "base/runtime.hpp"
#include "base/version.hpp"
#include "cli/outcome.hpp"
#include "cli/run/terminal.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"

#include <string>

namespace ingot::cli {

// A person waits for the answer, so a request is tried twice and not for a minute.
[[nodiscard]] inline kube::ApiOptions forPeople() {
  return {.retry = {.attempts = 2}, .userAgent = std::string("ingotctl/") + base::version};
}

struct Session {
  base::Runtime runtime;
  kube::Client& client;
  Terminal& terminal;
  net::HttpTransport& transport;
  const kube::Environment& environment;
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
