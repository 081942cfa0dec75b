// The agent's command line and configuration file.
#pragma once

#include "base/log.hpp"

#include <string>

namespace ingot::agent {

struct Options {
  std::string server = "tcp://127.0.0.1:7460";   // the coordinator's agents endpoint
  std::string serverKey;                         // file with its public key
  std::string dataDir = "/var/lib/ingot-agent";  // own key pair and journal
  std::string name;                              // default: the host name
  std::string caFile;                            // CA of the BMCs; empty: the system's roots
  base::Level logLevel = base::Level::info;
};

// Exits with 0 after --help and --version, 2 after a wrong command line, having said why on standard error.
[[nodiscard]] Options parseOptions(int argc, char** argv);

}  // namespace ingot::agent
