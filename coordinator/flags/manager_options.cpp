#include "coordinator/flags/manager_options.hpp"

#include "coordinator/flags/flag_values.hpp"
#include "coordinator/flags/manager_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ingot::coordinator {
namespace {

constexpr int mostWorkers = 1000;
constexpr int debugVerbosity = 4;  // klog's level for it

const std::map<std::string, base::Level> levels = {{"debug", base::Level::debug},
                                                   {"info", base::Level::info},
                                                   {"warn", base::Level::warn},
                                                   {"error", base::Level::error}};
const std::map<std::string, LogFormat> formats = {{"text", LogFormat::text}, {"json", LogFormat::json}};

void addRate(CLI::App& app, const std::string& prefix, ToldRate& rate, const std::string& whose) {
  app.add_option("--" + prefix + "-qps", rate.perSecond,
                 "Requests a second to " + whose + "; below zero, or untold: no limit")
      ->check(CLI::Range(-1e6, 1e6));
  app.add_option("--" + prefix + "-burst", rate.burst, "How many of them at once, 30 unless told")
      ->check(CLI::Range(0, 1'000'000));
}

std::size_t clampWorkers(int told) { return static_cast<std::size_t>(std::clamp(told, 1, mostWorkers)); }

// Of zero and less upstream's library makes one.
void addWorkers(CLI::App& app, const std::string& kind, Concurrency::Workers& workers, const std::string& ofWhat) {
  app.add_option_function<int>(
      "--" + kind + "-concurrency", [&workers](int told) { workers = clampWorkers(told); },
      fmt::format("{} that are worked on at a time, {} at most", ofWhat, mostWorkers));
}

void addConcurrency(CLI::App& app, Concurrency& at) {
  addWorkers(app, "metal3machine", at.machines, "Metal3Machines");
  addWorkers(app, "metal3cluster", at.clusters, "Metal3Clusters");
  addWorkers(app, "metal3datatemplate", at.dataTemplates, "Metal3DataTemplates, and Metal3DataClaims,");
  addWorkers(app, "metal3data", at.data, "Metal3Data");
  addWorkers(app, "metal3labelsync", at.labelSync, "Hosts whose labels go to their Nodes, and");
  addWorkers(app, "metal3machinetemplate", at.machineTemplates, "Metal3MachineTemplates");
  addWorkers(app, "metal3remediation", at.remediations, "Metal3Remediations");
  addWorkers(app, "ippool", at.pools, "IPPools, and claims of each kind,");
  app.add_option_function<int>(
      "--controller-concurrency",
      [&at](int told) {
        if (told > 0) at.hosts = clampWorkers(told);
      },
      fmt::format("BareMetalHosts that are worked on at a time, {} at most; 0, or untold: $BMO_CONCURRENCY, else our "
                  "own choice",
                  mostWorkers));
}

void addElection(CLI::App& app, ToldElection& told) {
  addDuration(app, "--leader-elect-lease-duration", told.lease, "How long others wait for a leader that is silent");
  addDuration(app, "--leader-elect-renew-deadline", told.renewDeadline,
              "A leader that could not renew its Lease for so long gives up");
  addDuration(app, "--leader-elect-retry-period", told.retryPeriod, "Between two tries to take or renew the Lease");
  addSeconds(app, "--lease-duration-seconds", told.leaseSeconds, "--leader-elect-lease-duration in seconds")
      ->envname("LEASE_DURATION_SECONDS");
  addSeconds(app, "--renew-deadline-seconds", told.renewDeadlineSeconds, "--leader-elect-renew-deadline in seconds")
      ->envname("RENEW_DEADLINE_SECONDS");
  addSeconds(app, "--retry-period-seconds", told.retryPeriodSeconds, "--leader-elect-retry-period in seconds")
      ->envname("RETRY_PERIOD_SECONDS");
}

void addMigration(CLI::App& app, migration::Phases& phases) {
  static const std::map<std::string, migration::Phases> names = {
      {"All", {.storageVersion = false, .managedFields = false}},
      {"StorageVersionMigration", {.storageVersion = false}},
      {"CleanupManagedFields", {.managedFields = false}}};
  app.add_option_function<std::vector<std::string>>(
         "--skip-crd-migration-phases",
         [&phases](const std::vector<std::string>& told) {
           for (const auto& name : told) {
             const auto& without = names.at(name);
             phases = {.storageVersion = phases.storageVersion && without.storageVersion,
                       .managedFields = phases.managedFields && without.managedFields};
           }
         },
         "What is not done to objects that are stored in an old version of their kind; told twice they add up")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->delimiter(',')
      ->check(CLI::IsMember(names));
}

void addDiagnostics(CLI::App& app, Options& o) {
  app.add_option("--diagnostics-address", o.diagnosticsAddress,
                 "Where /metrics is served over HTTPS to whom Kubernetes knows and allows it; 0: nowhere");
  app.add_flag("--insecure-diagnostics", o.insecureDiagnostics, "There over HTTP, and to everybody");
}

const CLI::Validator truth(
    [](std::string& text) {
      constexpr std::string_view words[] = {"1", "t", "T", "true",  "TRUE",  "True",
                                            "0", "f", "F", "false", "FALSE", "False"};
      return std::ranges::find(words, text) == std::end(words) ? "\"" + text + "\" is neither true nor false"
                                                               : std::string();
    },
    "");

void addIdleFlag(CLI::App& app, const IdleFlag& idle, std::vector<IdleFlag>& told) {
  app.add_flag_function(
         "--" + idle.name,
         [&told, idle](std::int64_t isSet) {
           if (!idle.asksForMore || isSet > 0) told.push_back(idle);
         },
         "Changes nothing here: " + idle.why)
      ->check(truth);
}

void addIdleValue(CLI::App& app, const IdleFlag& idle, std::vector<IdleFlag>& told) {
  app.add_option_function<std::string>(
      "--" + idle.name, [&told, idle](const std::string&) { told.push_back(idle); },
      "Changes nothing here: " + idle.why);
}

void addIdle(CLI::App& app, std::vector<IdleFlag>& told) {
  for (const ManagerFlag& flag : managerFlags()) {
    if (flag.idle.empty()) continue;
    const auto add = flag.shape == Shape::boolean ? addIdleFlag : addIdleValue;
    add(app, {std::string(flag.name), std::string(flag.idle), flag.asksForMore}, told);
  }
}

}  // namespace

void addManagerOptions(CLI::App& app, Options& options) {
  addDuration(app, "--sync-period", options.syncPeriod,
              "Every object of the Cluster API provider and of address management is looked at again so often; 0, or "
              "untold: never");
  addConcurrency(app, options.concurrency);
  addRate(app, "kube-api", options.kubeApi, "Kubernetes");
  addRate(app, "clustercache-client", options.workloadClusters, "each workload cluster");
  addElection(app, options.election);
  addMigration(app, options.migration);
  addDiagnostics(app, options);
  addIdle(app, options.idle);
}

void addLogging(CLI::App& app, ToldLogging& told) {
  addChoice(app, "--log-level", told.level, levels, "From which level on lines are logged, info unless told");
  addChoice(app, "--logging-format", told.format, formats, "How lines are logged: text, or json, an object a line");
  app.add_option("-v,--v", told.verbosity, "From 4 on as --log-level debug, which wins");
  app.add_flag("--dev", told.dev, "As --log-level debug, which wins");
}

Concurrency::Workers workersIn(const std::string& text) {
  int told = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), told);
  if (bad != std::errc{} || end != text.data() + text.size() || told <= 0) return std::nullopt;
  return clampWorkers(told);
}

void applyLogging(const ToldLogging& told, Options& options) {
  const bool isVerbose = told.verbosity ? *told.verbosity >= debugVerbosity : told.dev;
  options.logLevel = told.level.value_or(isVerbose ? base::Level::debug : base::Level::info);
  options.logFormat = told.format;
}

}  // namespace ingot::coordinator
