// The command line of ingot-coordinator.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"
#include "coordinator/migration/plan.hpp"
#include "coordinator/parts.hpp"
#include "net/limited_transport.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator {

enum class Backend { ironic, agent, fixture };
enum class LogFormat { text, json };
enum class WebhookCerts { files, self };

// Objects of a kind that are worked on at a time; unset: the controller's own choice.
struct Concurrency {
  using Workers = std::optional<std::size_t>;
  Workers hosts, machines, clusters, dataTemplates, data, labelSync, machineTemplates, remediations, pools;
};

// Of the Lease, where several replicas run.
struct ElectionTiming {
  base::Duration lease = std::chrono::seconds(15);
  base::Duration renewDeadline = std::chrono::seconds(10);
  base::Duration retryPeriod = std::chrono::seconds(2);
  friend bool operator==(const ElectionTiming&, const ElectionTiming&) = default;
};

// As told, see electionTimingOf() and the rates below.
struct ToldElection {
  std::optional<base::Duration> lease, renewDeadline, retryPeriod;
  std::optional<base::Duration> leaseSeconds, renewDeadlineSeconds, retryPeriodSeconds;
};
struct ToldRate {
  std::optional<double> perSecond;
  std::optional<int> burst;
};

// A flag of Metal3's managers that was told and changes nothing here.
struct IdleFlag {
  std::string name, why;
  bool asksForMore = false;  // whoever told it does not get what he asks for
};

struct Options {
  bool checksOnly = false;  // the command is `check`

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
  bool besideMetal3 = false;  // Metal3's managers may act, they look at other objects
  bool shadow = false;        // decides and writes nothing: says what would be done otherwise than by Metal3
  std::optional<base::Duration> shadowGrace;  // until what Metal3's managers have not done counts as that
  bool retryRefusedClaims = false;            // for lack of addresses, once some come free
  bool claimsNamedByHost = false;             // IPClaims of machines are named by their hosts
  Backend provisioner = Backend::ironic;
  int maxProvisioningRetries = 5;                       // 0: no limit
  std::string agentsEndpoint = "tcp://127.0.0.1:7460";  // "": no agents
  // How often agents read a host.
  double powerPollSeconds = 5, healthPollSeconds = 60, sensorPollSeconds = 120, logPollSeconds = 120,
         inventoryPollSeconds = 6 * 3600;

  // How fast, and who leads.
  Concurrency concurrency;
  migration::Phases migration;               // of objects that are stored in an old version of their kind
  std::optional<base::Duration> syncPeriod;  // every object of the two providers anew so often; zero, unset: never
  ToldRate kubeApi, workloadClusters;        // requests to Kubernetes, to each workload cluster
  ToldElection election;

  // Webhooks for a kube-apiserver.
  std::optional<std::uint16_t> webhookPort;  // 0: none; untold: see webhookPortOf()
  WebhookCerts webhookCerts = WebhookCerts::files;
  std::string webhookService = "ingot-webhook-service";  // that a certificate of our own making is good for
  std::string webhookCertDir = "/tmp/k8s-webhook-server/serving-certs/";
  std::string webhookCertName = "tls.crt", webhookKeyName = "tls.key";
  net::TlsVersion tlsLowest = net::TlsVersion::tls12, tlsHighest = net::TlsVersion::tls13;
  std::string tlsCipherSuites;  // with commas between; "": OpenSSL's choice
  std::string tlsKeyExchanges;  // likewise

  // Webhooks are answered for so long after the work has ended.
  std::optional<base::Duration> shutdownDelay;
  std::string metricsAddress = "127.0.0.1:0", healthAddress = "127.0.0.1:0";  // "0": not served
  std::string diagnosticsAddress;    // of /metrics for whom Kubernetes knows and allows it; "", "0": not served
  bool insecureDiagnostics = false;  // over HTTP, for everybody
  base::Level logLevel = base::Level::info;
  LogFormat logFormat = LogFormat::text;

  std::vector<IdleFlag> idle;
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

// Whether objects of the provider's kinds are brought to their present version: by who works on them in all namespaces,
// in a cluster whose kinds are somebody else's.
[[nodiscard]] bool migratesKinds(const Options& options);

// Where webhooks are served: 0 for nowhere, as with the embedded API unless told otherwise, which needs none, and in
// shadow, which answers nobody.
[[nodiscard]] std::uint16_t webhookPortOf(const Options& options);
// By IANA's names.
[[nodiscard]] std::vector<std::string> cipherSuitesOf(const Options& options);
// Those of --tls-curve-preferences that this OpenSSL has.
[[nodiscard]] std::vector<std::string> keyExchangesOf(const Options& options);

// Versions, cipher suites and key exchanges, without a certificate.
[[nodiscard]] net::ServerTls tlsOf(const Options& options);

// The flags with a unit win over those in seconds, which win over the defaults.
[[nodiscard]] ElectionTiming electionTimingOf(const Options& options);
// As client-go reads QPS and burst; nullopt: no limit, as when neither was told.
[[nodiscard]] std::optional<net::RequestRate> rateOf(const ToldRate& told);

// The long names of all flags, without dashes.
[[nodiscard]] std::vector<std::string> flagNames();

}  // namespace ingot::coordinator
