// The agent's command line and configuration file.
#pragma once

#include "agent/redfish_transport.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"

#include <optional>
#include <string>

namespace ingot::agent {

struct Options {
  std::string server = "tcp://127.0.0.1:7460";   // the coordinator's agents endpoint
  std::string serverKey;                         // file with its public key
  std::string dataDir = "/var/lib/ingot-agent";  // own key pair and journal
  std::string name;                              // default: the host name
  std::string caFile;                            // CA of the BMCs; empty: the system's roots
  RedfishTransport redfishTransport = RedfishTransport::curl;
  std::size_t keepConnections = 16384;  // to BMCs, while nobody uses them
  bool followsEvents = true;            // that BMCs push
  // Where BMCs push their events to (event_inbox.hpp); "": nowhere.
  std::string eventsUrl, eventsListen, eventsCertFile, eventsKeyFile;
  double bmcMaxRate = 0;       // requests a second to one BMC; 0: as fast as it answers
  std::string metricsAddress;  // host:port of /metrics and /healthz; "": not served
  base::Level logLevel = base::Level::info;
  // Between the end of a request to a BMC and the start of the next: then no more reach it than --bmc-max-rate says.
  [[nodiscard]] base::Duration leastInterval() const;
  bool check = false;  // tell what is amiss (check.hpp) instead of serving
};

// What to do instead of running: print `text` and exit with `code`, 2 for a command line or file that makes no sense.
struct Exit {
  int code = 0;
  std::string text;
};

// Exactly one of the two is set. Parsing never exits and never prints. Throws base::Error for a file that is not there:
// that may pass.
struct Parsed {
  std::optional<Options> options;
  Exit exit;
};
[[nodiscard]] Parsed parseOptions(int argc, const char* const* argv);

}  // namespace ingot::agent
