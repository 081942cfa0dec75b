// ingot-coordinator: options, a loop, a coordinator on it, a signal to end it.
#include "base/json_log.hpp"
#include "base/process_limits.hpp"
#include "base/run.hpp"
#include "base/service_notify.hpp"
#include "base/signals.hpp"
#include "coordinator/check.hpp"
#include "coordinator/coordinator.hpp"

#include <cstdio>

namespace {

using namespace ingot;

struct Ending {
  explicit Ending(const base::Executor& executor) : happened(executor) {}
  base::Notifier happened;
  bool over = false;
  std::exception_ptr failure;

  void tell(std::exception_ptr why = nullptr) {
    over = true;
    if (!failure) failure = std::move(why);
    happened.notifyAll();
  }
};

base::Task<void> work(coordinator::Coordinator& coordinator, Ending& ending) {
  std::exception_ptr failure;
  try {
    co_await coordinator.run();
  } catch (const base::Cancelled&) {
  } catch (...) {
    failure = std::current_exception();
  }
  ending.tell(failure);
}

base::Task<void> awaitSignal(base::StopSignal& signal, Ending& ending) {
  co_await signal.wait();
  ending.tell();
}

base::Task<void> runUntilStopped(base::Runtime runtime, coordinator::Options options, net::HttpTransport& transport) {
  const auto service = base::ServiceNotifier::fromEnvironment();
  base::StopSignal signal(runtime.executor);
  coordinator::Coordinator coordinator(runtime, std::move(options),
                                       {.transport = transport,
                                        .environment = kube::processEnvironment(),
                                        .ready = [&service] { service.ready("reconciling"); }});
  Ending ending(runtime.executor);
  base::TaskGroup tasks(runtime.executor, runtime.log);
  tasks.spawn("coordinator", work(coordinator, ending));
  tasks.spawn("signal", awaitSignal(signal, ending));
  tasks.spawn("watchdog", service.feedWatchdog(runtime.clock));
  while (!ending.over) co_await ending.happened.wait();
  service.stopping("draining");
  runtime.log.info("stopping");
  co_await tasks.close();
  if (ending.failure) std::rethrow_exception(ending.failure);
}

base::Task<coordinator::Leave> checked(base::Runtime runtime, coordinator::Options options,
                                       net::HttpTransport& transport) {
  co_return coordinator::reportOf(
      co_await coordinator::check(runtime, std::move(options), transport, kube::processEnvironment()));
}

std::shared_ptr<base::LogSink> sinkFor(const coordinator::Options& options) {
  switch (options.logFormat) {
    case coordinator::LogFormat::text: return base::stderrSink(options.logLevel);
    case coordinator::LogFormat::json: return base::jsonStderrSink(options.logLevel);
  }
  std::unreachable();
}

}  // namespace

int main(int argc, char** argv) {
  auto parsed = coordinator::parseOptions(argc, argv);
  if (!parsed.options) {
    std::fputs(parsed.leave.text.c_str(), parsed.leave.code == 0 ? stdout : stderr);
    return parsed.leave.code;
  }
  boost::asio::io_context loop(1);
  base::SystemClock clock;
  const auto random = base::systemRandom();
  base::Runtime runtime{loop.get_executor(), clock, *random, base::Log(sinkFor(*parsed.options), "coordinator")};
  try {
    base::forbidCoreDumps();
    base::raiseOpenFileLimit();
    const auto transport = net::curlTransport(runtime);
    if (parsed.options->checksOnly) {
      const auto report = base::run(loop, checked(runtime, std::move(*parsed.options), *transport));
      std::fputs(report.text.c_str(), stdout);
      return report.code;
    }
    base::run(loop, runUntilStopped(runtime, std::move(*parsed.options), *transport));
  } catch (const std::exception& error) {
    runtime.log.error("stopped", {{"error", error.what()}});
    return 1;
  }
  return 0;
}
