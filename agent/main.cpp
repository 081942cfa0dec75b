// ingot-agent: reads its options, opens link and journal, serves until SIGTERM.
#include "agent/agent.hpp"
#include "agent/agent_metrics.hpp"
#include "agent/boots.hpp"
#include "agent/check.hpp"
#include "agent/disk_journal.hpp"
#include "agent/endpoint.hpp"
#include "agent/event_inbox.hpp"
#include "agent/options.hpp"
#include "base/file.hpp"
#include "base/process_limits.hpp"
#include "base/run.hpp"
#include "base/service_notify.hpp"
#include "base/signals.hpp"
#include "bmc/ipmi/home.hpp"

#include <sys/stat.h>
#include <unistd.h>

#ifdef INGOT_MIMALLOC
#include <mimalloc.h>
#endif

namespace {

using namespace ingot;

std::string firstLine(std::string text) { return text.substr(0, text.find_first_of("\r\n")); }

// "" where neither systemd nor the kernel tells.
std::string machineBoot() {
  if (const char* told = std::getenv("INGOT_MACHINE_BOOT"); told != nullptr) return told;
  return firstLine(base::readFileIfExists("/proc/sys/kernel/random/boot_id").value_or(""));
}

std::string lockPath(const std::string& dataDir) { return dataDir + "/lock"; }

// Two processes with one identity would both act on what was granted to one of them.
base::FileLock lockOrExplain(const std::string& dataDir) {
  auto lock = base::FileLock::tryLock(lockPath(dataDir));
  if (!lock) throw base::Error(dataDir + " is in use by another ingot-agent; give each agent a --data-dir of its own");
  return std::move(*lock);
}

base::Task<void> stopOnSignal(const base::Log& log, const base::ServiceNotifier& notifier, base::AbortSource& work,
                              const base::Executor& executor) {
  base::StopSignal signal(executor);
  co_await signal.wait();
  log.info("agent stops");
  notifier.stopping();
  work.abort();
}

base::Task<agent::Exit> checked(base::Runtime runtime, agent::Options options, bool isRunning) {
  const auto processes = base::systemProcessRunner(runtime.executor, runtime.clock);
  const agent::CheckWorld world{
      .runtime = runtime, .processes = *processes, .connect = [runtime](wire::AgentSocket socket) {
        return wire::connectLink(runtime, std::move(socket));
      }};
  co_return agent::reportOf(co_await agent::check(world, std::move(options), isRunning));
}

base::Task<void> serve(base::Runtime runtime, agent::Options options) {
  const auto keys = wire::loadOrCreateKeyPair(options.dataDir + "/agent");
  const auto boot = runtime.random.uuid();
  const auto serverKey = firstLine(base::readFile(options.serverKey));
  if (!options.caFile.empty()) static_cast<void>(base::readFile(options.caFile));  // said now, not at the first BMC
  const auto link = wire::connectLink(runtime, {options.server, serverKey, keys});
  const auto journal =
      agent::diskJournal(runtime.executor, options.dataDir + "/journal", base::threadOffload(runtime.executor));
  const std::shared_ptr<base::Offload> disk = base::threadOffload(runtime.executor);  // of all other files
  const auto http = agent::redfishTransport(runtime, options.redfishTransport, options.keepConnections);
  const auto processes = base::systemProcessRunner(runtime.executor, runtime.clock);

  const auto ipmitoolHome = options.dataDir + "/ipmitool";
  bmc::ipmi::makeHome(ipmitoolHome);

  runtime.log.info("agent starts", {{"name", options.name},
                                    {"server", options.server},
                                    {"key", keys.publicKey},
                                    {"fingerprint", wire::fingerprint(keys.publicKey)}});
  std::optional<agent::EventInbox> inbox;
  if (!options.eventsUrl.empty())
    inbox.emplace(runtime, agent::EventInboxOptions{.url = options.eventsUrl,
                                                    .listenAddress = options.eventsListen,
                                                    .certificateFile = options.eventsCertFile,
                                                    .keyFile = options.eventsKeyFile,
                                                    .secretFile = options.dataDir + "/events.key"});
  agent::Agent agent(
      runtime, *link, {*http, *processes, ipmitoolHome, inbox ? &*inbox : nullptr}, *journal,
      {.name = options.name,
       .boot = boot,
       .ended = agent::beginBoot(runtime.log, options.dataDir, lockPath(options.dataDir), machineBoot(), boot),
       .session = {.caFile = options.caFile,
                   .governor = {.minInterval = options.leastInterval()},
                   .followsEvents = options.followsEvents,
                   .machineBoot = machineBoot()},
       .remembered = {.refusedLogins = options.dataDir + "/refused-logins.json",
                      .sessions = options.dataDir + "/sessions.json"},
       .logPositions = options.dataDir + "/logs.json",
       .erasures = options.dataDir + "/erasures",
       .disk = disk});

  base::Metrics metrics;
  const agent::AgentMetrics counts(metrics, agent);
  std::optional<agent::Endpoint> endpoint;
  if (!options.metricsAddress.empty()) endpoint.emplace(runtime, metrics, options.metricsAddress);

  const auto notifier = base::ServiceNotifier::fromEnvironment();
  base::AbortSource work;
  base::TaskGroup tasks(runtime.executor, runtime.log);
  tasks.spawn("signal", stopOnSignal(runtime.log, notifier, work, runtime.executor));
  tasks.spawn("watchdog", notifier.feedWatchdog(runtime.clock));
  notifier.ready("connecting to " + options.server);
  std::exception_ptr failure;
  try {
    co_await work.run(agent.run());
  } catch (const base::Cancelled&) {
  } catch (...) {
    failure = std::current_exception();
  }
  co_await tasks.close();
  if (endpoint) co_await endpoint->stop();
  if (inbox) co_await inbox->stop();
  if (failure) std::rethrow_exception(failure);
}

// What root makes in the folder of the service, keys and journal, the service could not open.
void requireOwner(const std::string& folder) {
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0 || found.st_uid == ::geteuid()) return;
  throw base::Error(fmt::format("{} belongs to another user (uid {}): run ingot-agent as that one, with sudo -u",
                                folder, found.st_uid));
}

// All BMCs are logged in to at the start, and most of what that takes is never needed again.
void giveFreeMemoryBackAtOnce() {
#if defined(INGOT_MIMALLOC) && MI_MALLOC_VERSION >= 210
  mi_option_set(mi_option_purge_delay, 0);
#elif defined(INGOT_MIMALLOC)
  mi_option_set(mi_option_decommit_delay, 0);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto parsed = agent::parseOptions(argc, argv);
    if (!parsed.options) {
      std::fputs(parsed.exit.text.c_str(), parsed.exit.code == 0 ? stdout : stderr);
      return parsed.exit.code;
    }
    const auto& options = *parsed.options;
    giveFreeMemoryBackAtOnce();
    base::forbidCoreDumps();
    base::ignoreBrokenPipes();
    base::raiseOpenFileLimit();
    base::makeFolder(options.dataDir, 0700);
    requireOwner(options.dataDir);

    boost::asio::io_context loop(1);
    base::SystemClock clock;
    const auto random = base::systemRandom();
    const base::Runtime runtime{loop.get_executor(), clock, *random,
                                base::Log(base::stderrSink(options.logLevel), "agent")};
    if (options.check) {
      const auto lock = base::FileLock::tryLock(lockPath(options.dataDir));
      const auto report = base::run(loop, checked(runtime, options, !lock));
      std::fputs(report.text.c_str(), stdout);
      return report.code;
    }
    const auto lock = lockOrExplain(options.dataDir);
    base::run(loop, serve(runtime, options));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ingot-agent: {}\n", error.what());
    return 1;
  }
}
