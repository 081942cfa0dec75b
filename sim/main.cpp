// ingot-sim: a fleet of simulated servers.
#include "base/file.hpp"
#include "base/process_limits.hpp"
#include "base/run.hpp"
#include "base/signals.hpp"
#include "base/version.hpp"
#include "sim/control/client.hpp"
#include "sim/fleet/fleet.hpp"
#include "sim/nodes/hosts.hpp"
#include "sim/nodes/kubeconfig.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

namespace {

using namespace ingot;

struct RunFlags {
  std::string config;
  std::size_t machines = 0;
  bool plain = false, verbose = false;
  sim::FleetOptions options;
};

base::Task<void> serve(base::Runtime runtime, sim::Fleet& fleet) {
  base::StopSignal stop(runtime.executor);
  fleet.start();
  fmt::print("ready {}\n", fleet.url());
  std::fflush(stdout);
  (void)co_await stop.wait();
  co_await fleet.stop();
}

int run(RunFlags flags) {
  if (flags.config.empty() && flags.machines == 0)
    throw base::InvalidInput("run", "which machines? give --config FILE or --machines N");
  base::raiseOpenFileLimit();
  flags.options.machines =
      flags.config.empty() ? sim::uniformFleet(flags.machines, !flags.plain) : sim::readFleet(flags.config);
  flags.options.program = std::filesystem::read_symlink("/proc/self/exe");
  flags.options.dataFolder = std::filesystem::absolute(flags.options.dataFolder);

  boost::asio::io_context loop(1);
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{
      loop.get_executor(), clock, *random,
      base::Log(base::stderrSink(flags.verbose ? base::Level::debug : base::Level::info), "sim")};
  const auto transport = net::curlTransport(runtime.named("http"));
  const auto runner = base::systemProcessRunner(runtime.executor, runtime.clock);
  base::makeFolder(flags.options.dataFolder);
  sim::Fleet fleet(runtime, *transport, *runner, std::move(flags.options));
  base::run(loop, serve(runtime, fleet));
  return 0;
}

void addHeartbeat(CLI::App& app, sim::kubelet::KubeletOptions& options) {
  app.add_option_function<double>(
         "--heartbeat",
         [&options](double seconds) {
           options.beat = std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
         },
         "Seconds between two renewals of a Node's Lease; 2 unless said")
      ->check(CLI::Range(0.1, 3600.0));
}

struct NodesFlags {
  std::string kubeconfig;
  bool verbose = false;
  sim::nodes::HostsOptions options;
};

base::Task<void> playMachines(base::Runtime runtime, net::HttpTransport& transport, NodesFlags flags) {
  base::StopSignal stop(runtime.executor);
  base::TaskGroup tasks(runtime.executor, runtime.log);
  flags.options.onReady = [told = false]() mutable {
    if (!std::exchange(told, true)) fmt::print("ready\n");
    std::fflush(stdout);
  };
  sim::nodes::Hosts hosts(runtime, transport, tasks, sim::nodes::readKubeconfig(flags.kubeconfig), flags.options);
  tasks.spawn("hosts", hosts.run());
  (void)co_await stop.wait();
  co_await tasks.close();
}

int runNodes(NodesFlags flags) {
  if (!flags.options.dataFolder.empty()) base::makeFolder(flags.options.dataFolder);
  base::raiseOpenFileLimit();
  boost::asio::io_context loop(1);
  base::SystemClock clock;
  const auto random = base::systemRandom();
  const base::Runtime runtime{
      loop.get_executor(), clock, *random,
      base::Log(base::stderrSink(flags.verbose ? base::Level::debug : base::Level::info), "nodes")};
  const auto transport = net::curlTransport(runtime.named("http"));
  base::run(loop, playMachines(runtime, *transport, std::move(flags)));
  return 0;
}

void addNodes(CLI::App& app, NodesFlags& flags) {
  app.add_option("--kubeconfig", flags.kubeconfig, "Of the cluster with the BareMetalHosts; only reads")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--namespace", flags.options.ns, "Only hosts of this namespace");
  app.add_option("--cluster", flags.options.cluster, "Only hosts of this Cluster, by its label");
  app.add_option("--data-dir", flags.options.dataFolder, "Where workers' certificates outlive this program");
  addHeartbeat(app, flags.options.kubelet);
  app.add_flag("--verbose", flags.verbose, "Log every detail");
}

void addRun(CLI::App& app, RunFlags& flags) {
  auto* config =
      app.add_option("--config", flags.config, "Fleet file (YAML): machines: [...]")->check(CLI::ExistingFile);
  app.add_option("--machines", flags.machines, "That many machines, every setting at its default")->excludes(config);
  app.add_flag("--http", flags.plain, "With --machines: BMCs without TLS");
  app.add_option("--data-dir", flags.options.dataFolder, "Disks, certificates, state")->required();
  app.add_option("--http-root", flags.options.httpRoot, "Ironic's http_root, served at the front's URL");
  app.add_option("--address", flags.options.address, "Of the front: files, ramdisk commands, control")
      ->capture_default_str();
  app.add_option("--port", flags.options.port, "Of the front; 0 picks a free one")->check(CLI::Range(0, 65535));
  addHeartbeat(app, flags.options.kubelet);
  app.add_option("--ready-file", flags.options.readyFile, "Written once everything listens: JSON with all addresses");
  app.add_option("--access-log", flags.options.accessLog, "Every request to a Redfish BMC, one JSON object a line");
  app.add_flag("--verbose", flags.verbose, "Log every detail");
}

struct Commands {
  RunFlags run;
  NodesFlags nodes;
  sim::control::ControlEndpoint where;
  std::string machine, fault, onOff, severity, message;
  std::int64_t since = 0;
  int seconds = 0;
  bool json = false;
  std::vector<std::string> words;
};

int execute(const CLI::App& app, Commands& c) {
  if (app.got_subcommand("run")) return run(std::move(c.run));
  if (app.got_subcommand("nodes")) return runNodes(std::move(c.nodes));
  if (c.where.url.empty())
    throw base::InvalidInput("--control", "which simulator? give the URL that it printed, or set INGOT_SIM_CONTROL");
  if (app.got_subcommand("machines")) return sim::control::showMachines(c.where, c.json);
  if (app.got_subcommand("journal")) return sim::control::showJournal(c.where, c.since, c.machine, c.json);
  if (app.got_subcommand("fault"))
    return sim::control::setFault(c.where, c.machine, c.fault, c.onOff == "on", c.seconds);
  if (app.got_subcommand("log")) return sim::control::logEvent(c.where, c.machine, c.severity, c.message);
  return sim::control::chassis(c.where, c.machine, c.words);
}

void describe(CLI::App& app, Commands& c) {
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", base::version);
  app.add_option("--control", c.where.url, "URL of the running simulator's front, printed when it is ready")
      ->envname("INGOT_SIM_CONTROL");
  addRun(*app.add_subcommand("run", "Run a fleet until SIGTERM"), c.run);
  addNodes(
      *app.add_subcommand("nodes", "Boot the machines of provisioned hosts that no fleet simulates, until SIGTERM"),
      c.nodes);

  auto* machines = app.add_subcommand("machines", "Show the machines of a running fleet");
  machines->add_flag("--json", c.json, "Everything, as JSON");

  auto* journal = app.add_subcommand("journal", "Show who changed what");
  journal->add_option("--machine", c.machine, "Only of this machine");
  journal->add_option("--since", c.since, "Only after this sequence number");
  journal->add_flag("--json", c.json, "One JSON object a line");

  auto* fault = app.add_subcommand("fault", "Break or mend a BMC or its server");
  fault->add_option("machine", c.machine)->required();
  fault
      ->add_option("fault", c.fault,
                   "refuse-password | 500 | hang | slow | drop | ignore-reset | lie-power | "
                   "expire-sessions | session-limit | cord-out | fragile | oversize | drip | garbage | leak | os-hang")
      ->required();
  fault->add_option("state", c.onOff)->required()->check(CLI::IsMember({"on", "off"}));
  fault->add_option("--seconds", c.seconds, "How slow 'slow' is");

  auto* log = app.add_subcommand("log", "Put an entry into the event log of a machine's BMC");
  log->add_option("machine", c.machine)->required();
  log->add_option("severity", c.severity)->required()->check(CLI::IsMember({"OK", "Warning", "Critical"}));
  log->add_option("message", c.message)->required();

  auto* chassis = app.add_subcommand("chassis", "ipmi_sim's chassis control: get power boot | set power 0|1 | …");
  chassis->add_option("--machine", c.machine)->required();
  chassis->add_option("words", c.words)->required();
  for (auto* sub : {machines, journal, fault, log, chassis}) sub->fallthrough();  // --control may stand behind them
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"A fleet of simulated servers: BMCs, the machines behind them, and Ironic's ramdisk on them."};
  Commands commands;
  describe(app, commands);
  try {
    app.parse(argc, argv);
    return execute(app, commands);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "ingot-sim: {}; see ingot-sim --help\n", error.what());
    return 2;
  } catch (const base::InvalidInput& error) {
    fmt::print(stderr, "ingot-sim: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ingot-sim: {}\n", error.what());
    return 1;
  }
}
