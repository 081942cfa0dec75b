// The command line of ingot-coordinator.
#pragma once

#include "base/log.hpp"
#include "coordinator/parts.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator {

enum class Backend { ironic, fixture };

struct Options {
  // The API: our own in this process …
  bool embedded = false;
  std::string dataDir;                    // embedded: objects and keys
  std::string listen = "127.0.0.1:6443";  // embedded; port 0: a free one
  std::string tlsNames;                   // embedded: more names of its certificate, with commas between
  std::string kubeconfigOut;              // embedded: for kubectl
  // … or somebody else's.
  std::string kubeconfig;  // "": the usual places, then the pod's account

  std::string namespace_;  // "": all; else the one, or several with commas between, that is looked at
  // Of Metal3Clusters, data templates, data, IPPools and claims only those with this value of label
  // cluster.x-k8s.io/watch-filter; "": all.
  std::string watchFilter;
  std::string controllers = "*";  // with commas between: partsIn()
  std::string leaseName = "ingot-coordinator";
  bool retryRefusedClaims = false;  // for lack of addresses, once some come free
  bool claimsNamedByHost = false;   // IPClaims of machines are named by their hosts
  Backend provisioner = Backend::ironic;
  int maxProvisioningRetries = 5;                       // 0: no limit
  std::string agentsEndpoint = "tcp://127.0.0.1:7460";  // "": no agents
  double powerPollSeconds = 5, healthPollSeconds = 60;  // how often agents read a host

  // Webhooks for a kube-apiserver.
  std::optional<std::uint16_t> webhookPort;  // 0: none; untold: see webhookPortOf()
  std::string webhookCertDir = "/tmp/k8s-webhook-server/serving-certs/";
  std::string webhookCertName = "tls.crt", webhookKeyName = "tls.key";
  net::TlsVersion tlsLowest = net::TlsVersion::tls12, tlsHighest = net::TlsVersion::tls13;
  std::string tlsCipherSuites;  // with commas between; "": OpenSSL's choice

  std::string metricsAddress = "127.0.0.1:0", healthAddress = "127.0.0.1:0";  // "0": not served
  base::Level logLevel = base::Level::info;
};

// What to do instead of running: print `text` and exit with `code`.
struct Leave {
  int code = 0;
  std::string text;
};

// Exactly one of the two. Never exits, never prints.
struct Parsed {
  std::optional<Options> options;
  Leave leave;
};
[[nodiscard]] Parsed parseOptions(int argc, const char* const* argv);

// The further names of the embedded API's certificate.
[[nodiscard]] std::vector<std::string> tlsNamesOf(const Options& options);

// The namespaces to look at; empty: all.
[[nodiscard]] std::vector<std::string> namespacesOf(const Options& options);

// Of options that parseOptions() made.
[[nodiscard]] Parts partsOf(const Options& options);

// Where webhooks are served: 0 for nowhere, as with the embedded API unless told otherwise, which needs none.
[[nodiscard]] std::uint16_t webhookPortOf(const Options& options);
[[nodiscard]] std::vector<std::string> cipherSuitesOf(const Options& options);

struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

// "127.0.0.1:80", "[::1]:0", ":8080" (all addresses). Throws base::InvalidInput naming `flag`.
[[nodiscard]] HostPort parseHostPort(const std::string& flag, const std::string& text);

}  // namespace ingot::coordinator
