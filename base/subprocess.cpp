#include "base/subprocess.hpp"

#include "base/child.hpp"
#include "base/log.hpp"
#include "base/parking.hpp"
#include "base/process_limits.hpp"
#include "base/sync.hpp"

#include <boost/asio/redirect_error.hpp>

#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace asio = boost::asio;

namespace ingot::base {
namespace {

using asio::posix::stream_descriptor;

constexpr auto kKillAfter = std::chrono::seconds(1);  // between SIGTERM and SIGKILL

Task<void> readyFor(stream_descriptor& pipe, stream_descriptor::wait_type what) {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  boost::system::error_code error;
  co_await pipe.async_wait(what, asio::redirect_error(asio::use_awaitable, error));
  if (error) throw Cancelled();
}

enum class Pumped { blocked, finished, full };

// Takes what the pipe holds now.
Pumped pump(stream_descriptor& pipe, std::string& into, std::size_t limit) {
  char piece[16384];
  while (true) {
    const auto got = ::read(pipe.native_handle(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN ? Pumped::blocked : Pumped::finished;
    if (got == 0) return Pumped::finished;
    const auto room = limit - into.size();
    into.append(piece, std::min(room, static_cast<std::size_t>(got)));
    if (static_cast<std::size_t>(got) > room) return Pumped::full;
  }
}

struct Run {
  Run(const Executor& executor, ProcessSpec s) : spec(std::move(s)), child(executor, spec) {}
  ProcessSpec spec;
  Child child;
  ProcessResult result;
};

Task<void> collect(Run& run, stream_descriptor& pipe, std::string& into) {
  while (true) {
    switch (pump(pipe, into, run.spec.outputLimit)) {
      case Pumped::finished: co_return;
      case Pumped::full:
        run.result.outputTruncated = true;
        run.child.signalGroup(SIGKILL);
        co_return;
      case Pumped::blocked: break;
    }
    co_await readyFor(pipe, stream_descriptor::wait_read);
  }
}

Task<void> feed(Run& run) {
  std::string_view rest = run.spec.standardInput;
  auto& pipe = run.child.input;
  while (!rest.empty()) {
    const auto put = ::write(pipe.native_handle(), rest.data(), rest.size());
    if (put > 0) {
      rest.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN) {
      co_await readyFor(pipe, stream_descriptor::wait_write);
    } else if (errno != EINTR) {
      break;  // the child does not read its input: its business
    }
  }
  boost::system::error_code ignored;
  pipe.close(ignored);
}

// The child has ended in every case.
Task<void> stop(Clock& clock, Child& child) {
  child.signalGroup(SIGTERM);
  try {
    co_await withTimeout(clock, kKillAfter, "SIGTERM", child.ended());
    co_return;
  } catch (const TimedOut&) {
  }
  child.signalGroup(SIGKILL);
  co_await child.ended();
}

Task<void> waitOrStop(Clock& clock, Run& run) {
  bool late = false, cancelled = false;
  try {
    co_await withTimeout(clock, run.spec.deadline, "subprocess", run.child.ended());
  } catch (const TimedOut&) {
    late = true;
  } catch (const Cancelled&) {
    cancelled = true;
  }
  if (late) {
    run.result.timedOut = true;
    co_await shielded(stop(clock, run.child));
  } else if (cancelled) {
    run.child.signalGroup(SIGKILL);
    co_await shielded(run.child.ended());
    throw Cancelled();
  }
}

class SystemProcessRunner final : public ProcessRunner {
 public:
  SystemProcessRunner(Executor executor, Clock& clock) : executor_(std::move(executor)), clock_(clock) {
    ignoreBrokenPipes();
  }

  Task<ProcessResult> run(ProcessSpec spec) override {
    throwIfCancelled(co_await asio::this_coro::cancellation_state);
    Run run(executor_, std::move(spec));
    TaskGroup pumps(executor_, Log::silent());
    pumps.spawn("stdin", feed(run));
    pumps.spawn("stdout", collect(run, run.child.output, run.result.standardOutput));
    pumps.spawn("stderr", collect(run, run.child.errors, run.result.standardError));
    std::exception_ptr cancelled;
    try {
      co_await waitOrStop(clock_, run);
    } catch (const Cancelled&) {
      cancelled = std::current_exception();
    }
    co_await pumps.close();
    run.result.exitCode = run.child.reap();
    if (cancelled) std::rethrow_exception(cancelled);
    finishOutput(run);
    co_return std::move(run.result);
  }

 private:
  // What the child had still written when the pumps were stopped.
  static void finishOutput(Run& run) {
    const auto limit = run.spec.outputLimit;
    const bool full = run.result.outputTruncated ||
                      pump(run.child.output, run.result.standardOutput, limit) == Pumped::full ||
                      pump(run.child.errors, run.result.standardError, limit) == Pumped::full;
    run.result.outputTruncated = full;
  }

  Executor executor_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<ProcessRunner> systemProcessRunner(Executor executor, Clock& clock) {
  return std::make_unique<SystemProcessRunner>(std::move(executor), clock);
}

}  // namespace ingot::base
