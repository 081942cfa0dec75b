#include "coordinator/options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "json/config.hpp"
#include "kube/core/names.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <sstream>

namespace ingot::coordinator {
namespace {

const std::map<std::string, Backend> backends = {{"ironic", Backend::ironic}, {"fixture", Backend::fixture}};
const std::map<std::string, base::Level> levels = {{"debug", base::Level::debug},
                                                   {"info", base::Level::info},
                                                   {"warn", base::Level::warn},
                                                   {"error", base::Level::error}};

// As the managers of Metal3 spell them, each in its way.
const std::map<std::string, net::TlsVersion> tlsVersions = {{"TLS12", net::TlsVersion::tls12},
                                                            {"TLS13", net::TlsVersion::tls13},
                                                            {"VersionTLS12", net::TlsVersion::tls12},
                                                            {"VersionTLS13", net::TlsVersion::tls13}};
constexpr std::uint16_t usualWebhookPort = 9443;

// One of the names, which the help lists alone: CLI11's transformers add what they stand for.
template <class Value>
void addChoice(CLI::App& app, const std::string& flag, Value& value, const std::map<std::string, Value>& names,
               const std::string& about) {
  app.add_option_function<std::string>(
         flag, [&value, &names](const std::string& name) { value = names.at(name); }, about)
      ->check(CLI::IsMember(names));
}

void addApi(CLI::App& app, Options& o) {
  auto* embedded = app.add_flag("--embedded", o.embedded, "Serve the Kubernetes API in this process");
  app.add_option("--data-dir", o.dataDir, "Where the embedded API keeps its objects and keys")->needs(embedded);
  app.add_option("--listen", o.listen, "Address of the embedded API; port 0 picks a free one")->needs(embedded);
  app.add_option("--tls-san", o.tlsNames,
                 "More DNS names and addresses that the embedded API's certificate is good for, with commas between")
      ->needs(embedded);
  app.add_option("--kubeconfig-out", o.kubeconfigOut, "Where to write a kubeconfig for the embedded API")
      ->needs(embedded);
  app.add_option("--kubeconfig", o.kubeconfig,
                 "Cluster to work in; else $KUBECONFIG, ~/.kube/config, the pod's account")
      ->excludes(embedded);
  app.add_option("--namespace", o.namespace_, "Look at these namespaces only, with commas between")
      ->envname("WATCH_NAMESPACE");
}

void addWork(CLI::App& app, Options& o) {
  addChoice(app, "--provisioner", o.provisioner, backends, "Who does the work: ironic, or fixture, which only says so");
  app.add_option("--max-provisioning-retries", o.maxProvisioningRetries,
                 "Failed provisionings of one image before a host waits for a change; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--watch-filter", o.watchFilter,
                 "Look at objects of the Cluster API provider, IPPools and claims with this value of label "
                 "cluster.x-k8s.io/watch-filter only");
  app.add_option(
      "--controllers", o.controllers,
      "What works in this process, with commas between: * for all, NAME for one, -NAME for all of * but one; "
      "the rest is somebody else's. Names: " +
          knownParts());
  app.add_option("--leader-elect-resource-name", o.leaseName,
                 "The Lease by which the replicas of these controllers elect a leader")
      ->check([](const std::string& name) { return kube::subdomainProblem(name).value_or(""); });
  app.add_flag("--retry-refused-claims", o.retryRefusedClaims,
               "Claims that were refused because no address was free are tried again when one comes free");
  app.add_flag("--enable-bmh-name-based-preallocation", o.claimsNamedByHost,
               "Name the IPClaims of a machine by its host, so that preAllocations of a pool can give each host an "
               "address of its own");
  app.add_option("--agents-endpoint", o.agentsEndpoint,
                 "Where agents connect; port * picks a free one; empty: nowhere");
  app.add_option("--power-poll-seconds", o.powerPollSeconds, "How often agents read the power of a host")
      ->check(CLI::Range(0.2, 600.0));
  app.add_option("--health-poll-seconds", o.healthPollSeconds, "How often agents read the health of a host")
      ->check(CLI::Range(1.0, 3600.0));
  app.add_option("--metrics-addr", o.metricsAddress, "Where /metrics is served; 0: nowhere");
  app.add_option("--health-addr", o.healthAddress, "Where /healthz and /readyz are served; 0: nowhere");
  addChoice(app, "--log-level", o.logLevel, levels, "From which level on lines are logged");
}

void addWebhooks(CLI::App& app, Options& o) {
  app.add_option("--webhook-port", o.webhookPort,
                 "Where admission and conversion webhooks are served (HTTPS); 0: nowhere; 9443 unless --embedded");
  app.add_option("--webhook-cert-dir", o.webhookCertDir,
                 "Folder of their certificate and key, which may come later and be replaced");
  app.add_option("--webhook-cert-name", o.webhookCertName, "Name of the certificate's file, tls.crt unless told");
  app.add_option("--webhook-key-name", o.webhookKeyName, "Name of the key's file, tls.key unless told");
  addChoice(app, "--tls-min-version", o.tlsLowest, tlsVersions,
            "The oldest TLS that webhooks speak, TLS12 unless told");
  addChoice(app, "--tls-max-version", o.tlsHighest, tlsVersions, "The newest TLS that webhooks speak");
  app.add_option("--tls-cipher-suites", o.tlsCipherSuites,
                 "What webhooks may use with TLS 1.2, by IANA's names with commas between; empty: OpenSSL's choice");
}

// "a, b,c", each once.
std::vector<std::string> namesIn(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream rest(list);
  for (std::string name; std::getline(rest, name, ',');) {
    name = std::string(base::trimmed(name));
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string wrong(const Options& o) {
  if (o.embedded && o.dataDir.empty()) return "--embedded needs --data-dir";
  if (o.tlsLowest > o.tlsHighest) return "--tls-min-version is above --tls-max-version";
  if (const auto parts = partsIn(namesIn(o.controllers)); !parts) return "--controllers: " + parts.error();
  for (const auto& suite : cipherSuitesOf(o))
    if (!net::isCipherSuite(suite)) return "--tls-cipher-suites: there is no cipher suite " + suite;
  return "";
}

}  // namespace

Parsed parseOptions(int argc, const char* const* argv) {
  Options options;
  CLI::App app("Turns racks of servers into Kubernetes nodes: the coordinator.", "ingot-coordinator");
  app.set_version_flag("--version", INGOT_VERSION);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  std::string config;
  app.add_option("--config", config, "YAML file with options (listen: 127.0.0.1:6443); flags win");
  addApi(app, options);
  addWork(app, options);
  addWebhooks(app, options);
  try {
    auto arguments = json::withConfigFile({argv + 1, argv + argc}, [&app](const std::string& option) {
      return app.get_option_no_throw(option) != nullptr;
    });
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const base::InvalidInput& problem) {
    return {std::nullopt, {2, fmt::format("ingot-coordinator: {}\n", problem.what())}};
  } catch (const base::Error& unreadable) {
    return {std::nullopt, {1, fmt::format("ingot-coordinator: {}\n", unreadable.what())}};
  } catch (const CLI::ParseError& stop) {
    std::ostringstream out;
    const int code = app.exit(stop, out, out);
    return {std::nullopt, {code == 0 ? 0 : 2, out.str()}};
  }
  if (const std::string problem = wrong(options); !problem.empty()) return {std::nullopt, {2, problem + "\n"}};
  return {std::move(options), {}};
}

std::vector<std::string> tlsNamesOf(const Options& options) { return namesIn(options.tlsNames); }
std::vector<std::string> namespacesOf(const Options& options) { return namesIn(options.namespace_); }
std::vector<std::string> cipherSuitesOf(const Options& options) { return namesIn(options.tlsCipherSuites); }

Parts partsOf(const Options& options) { return partsIn(namesIn(options.controllers)).value_or(Parts{}); }

std::uint16_t webhookPortOf(const Options& options) {
  return options.webhookPort.value_or(options.embedded ? 0 : usualWebhookPort);
}

HostPort parseHostPort(const std::string& flag, const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) throw base::InvalidInput(flag, "\"" + text + "\" is not host:port");
  HostPort address{.host = text.substr(0, colon)};
  if (address.host.empty()) address.host = "0.0.0.0";
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const char* first = text.data() + colon + 1;
  const char* last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(first, last, address.port);
  if (failed != std::errc{} || end != last) throw base::InvalidInput(flag, "\"" + text + "\" has no usable port");
  return address;
}

}  // namespace ingot::coordinator
