#include "coordinator/options.hpp"

#include "base/error.hpp"
#include "base/version.hpp"
#include "coordinator/flags/flag_values.hpp"
#include "coordinator/flags/manager_options.hpp"
#include "json/config.hpp"
#include "kube/client/config.hpp"
#include "kube/core/names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ingot::coordinator {
namespace {

const std::map<std::string, Backend> backends = {
    {"ironic", Backend::ironic}, {"agent", Backend::agent}, {"fixture", Backend::fixture}};
const std::map<std::string, WebhookCerts> certSources = {{"files", WebhookCerts::files}, {"self", WebhookCerts::self}};
// As the managers of Metal3 spell them, each in its way. What is older is not spoken.
const std::map<std::string, net::TlsVersion> tlsVersions = {
    {"TLS12", net::TlsVersion::tls12},        {"TLS13", net::TlsVersion::tls13},
    {"VersionTLS10", net::TlsVersion::tls12}, {"VersionTLS11", net::TlsVersion::tls12},
    {"VersionTLS12", net::TlsVersion::tls12}, {"VersionTLS13", net::TlsVersion::tls13}};
constexpr std::uint16_t usualWebhookPort = 9443;
constexpr double leastRate = 0.001;  // a request in a quarter of an hour

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

void addShadow(CLI::App& app, Options& o) {
  app.add_flag("--shadow", o.shadow,
               "Beside a running Metal3: look at everything, decide everything, write nothing, neither to Kubernetes "
               "nor to Ironic, and report what would be done otherwise");
  addDuration(
      app, "--shadow-grace", o.shadowGrace,
      "How long Metal3's managers have for what would be written, before it counts as not done by them; 1m unless "
      "told");
}

void addWork(CLI::App& app, Options& o) {
  addChoice(app, "--provisioner", o.provisioner, backends,
            "Who does the work: ironic; agent, which needs no Ironic and boots live ISOs only; or fixture, which only "
            "says so");
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
  app.add_flag("--beside-metal3", o.besideMetal3,
               "Work although Metal3's managers run in this cluster: they look at other namespaces than --namespace "
               "says");
  addShadow(app, o);
  app.add_flag("--retry-refused-claims", o.retryRefusedClaims,
               "Claims that were refused because no address was free are tried again when one comes free");
  app.add_flag("--enable-bmh-name-based-preallocation,--enableBMHNameBasedPreallocation", o.claimsNamedByHost,
               "Name the IPClaims of a machine by its host, so that preAllocations of a pool can give each host an "
               "address of its own");
  app.add_option("--agents-endpoint", o.agentsEndpoint,
                 "Where agents connect; port * picks a free one; empty: nowhere");
  app.add_option("--power-poll-seconds", o.powerPollSeconds, "How often agents read the power of a host")
      ->check(CLI::Range(0.2, 600.0));
  app.add_option("--health-poll-seconds", o.healthPollSeconds, "How often agents read the health of a host")
      ->check(CLI::Range(1.0, 3600.0));
  app.add_option("--sensor-poll-seconds", o.sensorPollSeconds,
                 "How often agents read the sensors of a host, with IPMI two and a half times as seldom; 0: never")
      ->check(CLI::Range(0.0, 86400.0));
  app.add_option("--log-poll-seconds", o.logPollSeconds,
                 "How often agents look for news in the log of a host's BMC, with IPMI two and a half times as seldom; "
                 "0: never")
      ->check(CLI::Range(0.0, 86400.0));
  app.add_option("--inventory-poll-seconds", o.inventoryPollSeconds,
                 "How often agents read the hardware of a host that is on, beside when there is a reason to; 0: "
                 "inspections only")
      ->check(CLI::Range(0.0, 604800.0));
  addDuration(app, "--shutdown-delay-duration", o.shutdownDelay,
              "Once told to stop, or no longer leading, leadership is given up at once, /readyz says no, and webhooks "
              "are answered for so long, 0s unless told: until everybody knows that they are not any more");
  app.add_option("--metrics-addr", o.metricsAddress, "Where /metrics is served; 0: nowhere");
  app.add_option("--health-addr", o.healthAddress,
                 "Where /healthz and /readyz are served, :9440 in a pod unless told; 0: nowhere");
}

void addWebhooks(CLI::App& app, Options& o) {
  app.add_option("--webhook-port", o.webhookPort,
                 "Where admission and conversion webhooks are served (HTTPS); 0: nowhere; 9443 unless --embedded");
  addChoice(app, "--webhook-certs", o.webhookCerts, certSources,
            "Where their certificate comes from: files; or self, made here, shared by the replicas in a Secret and "
            "written into the configurations and CRDs that name --webhook-service");
  app.add_option("--webhook-service", o.webhookService,
                 "The Service that webhooks are reached by, for --webhook-certs self")
      ->check([](const std::string& name) { return kube::subdomainProblem(name).value_or(""); });
  app.add_option("--webhook-cert-dir", o.webhookCertDir,
                 "Folder of their certificate and key, which may come later and be replaced");
  app.add_option("--webhook-cert-name", o.webhookCertName, "Name of the certificate's file, tls.crt unless told");
  app.add_option("--webhook-key-name", o.webhookKeyName, "Name of the key's file, tls.key unless told");
  addChoice(app, "--tls-min-version", o.tlsLowest, tlsVersions,
            "The oldest TLS that webhooks speak, TLS12 unless told");
  addChoice(app, "--tls-max-version", o.tlsHighest, tlsVersions, "The newest TLS that webhooks speak");
  app.add_option("--tls-cipher-suites", o.tlsCipherSuites,
                 "What webhooks may use with TLS 1.2, by IANA's names with commas between; told twice they add up; "
                 "empty: OpenSSL's choice")
      ->join(',');
  app.add_option(
      "--tls-curve-preferences", o.tlsKeyExchanges,
      "How webhooks may exchange keys, by Go's names or numbers (X25519,CurveP256); empty: OpenSSL's choice");
}

std::string goNameOf(const std::string& keyExchange) {
  static const std::map<std::string, std::string> byNumber = {
      {"23", "CurveP256"},           {"24", "CurveP384"},        {"25", "CurveP521"},           {"29", "X25519"},
      {"4587", "SecP256r1MLKEM768"}, {"4588", "X25519MLKEM768"}, {"4589", "SecP384r1MLKEM1024"}};
  const auto found = byNumber.find(keyExchange);
  return found == byNumber.end() ? keyExchange : found->second;
}

std::string wrongTls(const Options& o) {
  if (o.tlsLowest > o.tlsHighest) return "--tls-min-version is above --tls-max-version";
  for (const auto& suite : cipherSuitesOf(o))
    if (!net::isCipherSuite(suite)) return "--tls-cipher-suites: there is no cipher suite " + suite;
  for (const auto& name : namesIn(o.tlsKeyExchanges))
    if (net::keyExchangeCalled(goNameOf(name)) == net::KeyExchange::unknown)
      return "--tls-curve-preferences: there is no key exchange " + name;
  if (!namesIn(o.tlsKeyExchanges).empty() && keyExchangesOf(o).empty())
    return "--tls-curve-preferences: this OpenSSL has none of " + o.tlsKeyExchanges;
  return "";
}

// As client-go wants them; but others would take over before its end a lease that is told in whole seconds and is not.
std::string wrongElection(const ElectionTiming& timing) {
  if (timing.lease < std::chrono::seconds(1) || timing.lease % std::chrono::seconds(1) != base::Duration::zero())
    return "the lease of the leader must last whole seconds, one at least";
  if (timing.lease <= timing.renewDeadline) return "the lease of the leader must last longer than its renew deadline";
  if (timing.retryPeriod <= base::Duration::zero()) return "the retry period of the election must be above zero";
  if (timing.renewDeadline <= timing.retryPeriod * 6 / 5)
    return "the renew deadline must be longer than 1.2 times the retry period";
  return "";
}

// What of the flags that were told makes no sense for one that writes nothing, listens for nobody and makes no
// certificate.
std::string wrongShadow(const CLI::App& app, const Options& o) {
  if (!o.shadow) return app.count("--shadow-grace") == 0 ? "" : "--shadow-grace needs --shadow";
  for (const char* flag : {"--embedded", "--beside-metal3", "--webhook-certs", "--agents-endpoint"})
    if (app.count(flag) != 0) return fmt::format("--shadow excludes {}", flag);
  if (o.provisioner == Backend::agent) return "--shadow excludes --provisioner agent: Metal3's managers know no agents";
  if (o.webhookPort.value_or(0) != 0) return "--shadow excludes --webhook-port: it answers no webhooks";
  if (o.checksOnly) return "--shadow excludes check, which asks for the rights to write";
  if (o.shadowGrace && *o.shadowGrace < std::chrono::seconds(1)) return "--shadow-grace must be one second at least";
  return "";
}

std::string wrong(const Options& o) {
  if (o.embedded && o.checksOnly) return "check is for a cluster; --embedded has nothing to check";
  if (o.embedded && o.dataDir.empty()) return "--embedded needs --data-dir";
  if (o.embedded && o.webhookCerts == WebhookCerts::self)
    return "--webhook-certs self is for a cluster; --embedded needs no webhooks";
  if (o.besideMetal3 && namespacesOf(o).empty())
    return "--beside-metal3 needs --namespace: Metal3's managers and this would act on the same objects";
  if (o.provisioner == Backend::agent && o.agentsEndpoint.empty())
    return "--provisioner agent needs --agents-endpoint: agents do the work";
  const bool isServed = !o.diagnosticsAddress.empty() && o.diagnosticsAddress != "0";
  if (o.embedded && isServed && !o.insecureDiagnostics)
    return "--diagnostics-address needs --insecure-diagnostics with --embedded, whose API knows no tokens";
  if (const auto parts = partsIn(namesIn(o.controllers)); !parts) return "--controllers: " + parts.error();
  if (std::string problem = wrongTls(o); !problem.empty()) return problem;
  return wrongElection(electionTimingOf(o));
}

// In a pod a probe of the kubelet comes from outside, to where the managers' Deployments say.
void applyEnvironment(const CLI::App& app, Options& o) {
  const auto environment = kube::processEnvironment();
  const bool isPod = !environment("KUBERNETES_SERVICE_HOST").value_or("").empty();
  if (isPod && !o.embedded && app.count("--health-addr") == 0) o.healthAddress = ":9440";
  if (!o.concurrency.hosts) o.concurrency.hosts = workersIn(environment("BMO_CONCURRENCY").value_or(""));
}

// `told` and `options` outlive the app.
void addAll(CLI::App& app, Options& options, ToldLogging& told, std::string& config) {
  app.set_version_flag("--version", base::version);
  app.add_subcommand("check",
                     "Says what a coordinator with these options would stumble over, writes nothing, and exits")
      ->fallthrough()
      ->callback([&options] { options.checksOnly = true; });
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--config", config, "YAML file with options (listen: 127.0.0.1:6443); flags win");
  addApi(app, options);
  addWork(app, options);
  addWebhooks(app, options);
  addManagerOptions(app, options);
  addLogging(app, told);
}

}  // namespace

Parsed parseOptions(int argc, const char* const* argv) {
  Options options;
  ToldLogging told;
  std::string config;
  CLI::App app("Turns racks of servers into Kubernetes nodes: the coordinator.", "ingot-coordinator");
  addAll(app, options, told, config);
  try {
    auto arguments =
        json::withConfigFile(withTwoDashes({argv + 1, argv + argc}, app),
                             [&app](const std::string& option) { return app.get_option_no_throw(option) != nullptr; });
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const base::InvalidInput& problem) {
    return {std::nullopt, {2, fmt::format("ingot-coordinator: {}\n", problem.what())}};
  } catch (const base::Error& unreadable) {
    return {std::nullopt, {1, fmt::format("ingot-coordinator: {}\n", unreadable.what())}};
  } catch (const CLI::ExtrasError&) {
    return {std::nullopt, {2, fmt::format("ingot-coordinator: {}; see --help\n", unknownFlag(app))}};
  } catch (const CLI::ParseError& stop) {
    std::ostringstream out;
    const int code = app.exit(stop, out, out);
    return {std::nullopt, {code == 0 ? 0 : 2, out.str()}};
  }
  applyLogging(told, options);
  applyEnvironment(app, options);
  for (const std::string& problem : {wrong(options), wrongShadow(app, options)})
    if (!problem.empty()) return {std::nullopt, {2, problem + "\n"}};
  return {std::move(options), {}};
}

std::vector<std::string> flagNames() {
  Options options;
  ToldLogging told;
  std::string config;
  CLI::App app;
  addAll(app, options, told, config);
  return longNames(app);
}

std::vector<std::string> tlsNamesOf(const Options& options) { return namesIn(options.tlsNames); }
std::vector<std::string> namespacesOf(const Options& options) { return namesIn(options.namespace_); }

std::vector<std::string> cipherSuitesOf(const Options& options) {
  std::vector<std::string> suites = namesIn(options.tlsCipherSuites);
  // Go's names of before IANA had any.
  for (std::string& suite : suites)
    if (suite.ends_with("_WITH_CHACHA20_POLY1305")) suite += "_SHA256";
  return namesIn(fmt::format("{}", fmt::join(suites, ",")));
}

Parts partsOf(const Options& options) { return partsIn(namesIn(options.controllers)).value_or(Parts{}); }

bool migratesKinds(const Options& options) {
  return !options.embedded && !options.shadow && options.migration.any() && namespacesOf(options).empty() &&
         partsOf(options).contains(Part::machine);
}

std::vector<std::string> keyExchangesOf(const Options& options) {
  std::vector<std::string> usable;
  for (const auto& name : namesIn(options.tlsKeyExchanges))
    if (net::keyExchangeCalled(goNameOf(name)) == net::KeyExchange::usable) usable.push_back(goNameOf(name));
  return usable;
}

net::ServerTls tlsOf(const Options& options) {
  return {.lowest = options.tlsLowest,
          .highest = options.tlsHighest,
          .cipherSuites = cipherSuitesOf(options),
          .keyExchanges = keyExchangesOf(options)};
}

ElectionTiming electionTimingOf(const Options& options) {
  const ElectionTiming usual;
  const ToldElection& told = options.election;
  return {.lease = told.lease.value_or(told.leaseSeconds.value_or(usual.lease)),
          .renewDeadline = told.renewDeadline.value_or(told.renewDeadlineSeconds.value_or(usual.renewDeadline)),
          .retryPeriod = told.retryPeriod.value_or(told.retryPeriodSeconds.value_or(usual.retryPeriod))};
}

// A rate below zero is none, and of a zero client-go makes its own defaults.
std::optional<net::RequestRate> rateOf(const ToldRate& told) {
  constexpr net::RequestRate ofManagers, ofClientGo{.perSecond = 5, .burst = 10};
  if (!told.perSecond && !told.burst) return std::nullopt;
  const double perSecond = told.perSecond.value_or(ofManagers.perSecond);
  const unsigned burst = told.burst ? static_cast<unsigned>(*told.burst) : ofManagers.burst;
  if (perSecond < 0) return std::nullopt;
  return net::RequestRate{.perSecond = perSecond == 0 ? ofClientGo.perSecond : std::max(perSecond, leastRate),
                          .burst = burst == 0 ? ofClientGo.burst : burst};
}

std::uint16_t webhookPortOf(const Options& options) {
  if (options.shadow) return 0;
  return options.webhookPort.value_or(options.embedded ? 0 : usualWebhookPort);
}

}  // namespace ingot::coordinator
