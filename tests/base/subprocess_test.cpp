// Real child processes under the real clock: short ones.
#include "base/subprocess.hpp"
#include "base/run.hpp"
#include "base/runtime.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <cerrno>

using namespace ingot;
using namespace std::chrono_literals;
using base::ProcessSpec;

namespace {

// A busy machine's, until a shell has run its first words.
constexpr base::Duration kTimeToStart = 3s;

struct SubprocessFixture {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::ProcessRunner> runner = base::systemProcessRunner(io.get_executor(), clock);

  base::ProcessResult run(ProcessSpec spec) { return base::run(io, runner->run(std::move(spec))); }
  base::ProcessResult shell(std::string script) { return run({.argv = {"sh", "-c", std::move(script)}}); }

  // Neither a zombie nor a child that still runs.
  static bool noChildLeft() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }
};

}  // namespace

TEST_CASE_METHOD(SubprocessFixture, "a child's output, errors and exit code come back", "[subprocess]") {
  const auto result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.exitCode == 3);
  CHECK(result.standardOutput == "out\n");
  CHECK(result.standardError == "err\n");
  CHECK_FALSE(result.timedOut);
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(SubprocessFixture, "a child reads its standard input to the end, and more than a pipe holds",
                 "[subprocess]") {
  const std::string input(300'000, 'x');
  const auto result = run({.argv = {"cat"}, .standardInput = input});
  CHECK(result.standardOutput == input);
  CHECK(run({.argv = {"true"}, .standardInput = input}).exitCode == 0);  // a child that does not read is no failure
}

TEST_CASE_METHOD(SubprocessFixture, "a child gets a minimal environment and secrets only there", "[subprocess]") {
  ::setenv("INGOT_TEST_LEAK", "leaked", 1);
  const auto result = run({.argv = {"sh", "-c", "echo $LC_ALL $A $PASSWORD $INGOT_TEST_LEAK"},
                           .environment = {{"A", "a"}},
                           .secretEnvironment = {{"PASSWORD", base::Secret("hunter2")}}});
  CHECK(result.standardOutput == "C a hunter2\n");
}

TEST_CASE_METHOD(SubprocessFixture, "a child inherits no file descriptor of ours", "[subprocess]") {
  CHECK(shell("ls /proc/self/fd | wc -l").standardOutput == "4\n");  // 0, 1, 2 and the folder itself
}

TEST_CASE_METHOD(SubprocessFixture, "a program that does not exist is an error that names it", "[subprocess]") {
  CHECK_THROWS_WITH(run({.argv = {"/no/such/program"}}), Catch::Contains("/no/such/program"));
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(SubprocessFixture, "past its deadline a child is asked to end", "[subprocess]") {
  const auto before = clock.now();
  const auto result = run({.argv = {"sh", "-c", "echo started; exec sleep 600"}, .deadline = kTimeToStart});
  CHECK(result.timedOut);
  CHECK(result.exitCode == 128 + SIGTERM);
  CHECK(result.standardOutput == "started\n");
  CHECK(clock.now() - before < 300s);  // long before its own end
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(SubprocessFixture, "a child that ignores SIGTERM is killed, with what it started", "[subprocess]") {
  const auto result =
      run({.argv = {"sh", "-c", "trap '' TERM; sleep 60 & sleep 60; sleep 60"}, .deadline = kTimeToStart});
  CHECK(result.timedOut);
  CHECK(result.exitCode == 128 + SIGKILL);
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(SubprocessFixture, "a grandchild that keeps the pipe open does not keep us waiting", "[subprocess]") {
  const auto before = clock.now();
  const auto result = shell("sleep 60 & echo done");
  CHECK(result.standardOutput == "done\n");
  CHECK(clock.now() - before < 50s);
}

TEST_CASE_METHOD(SubprocessFixture, "output past its limit ends the child", "[subprocess]") {
  const auto result = run({.argv = {"sh", "-c", "while :; do echo flood; done"}, .outputLimit = 10'000});
  CHECK(result.outputTruncated);
  CHECK(result.standardOutput.size() == 10'000);
  CHECK(result.exitCode == 128 + SIGKILL);
}

TEST_CASE_METHOD(SubprocessFixture, "a cancelled run kills its child and reaps it", "[subprocess]") {
  auto task = runner->run({.argv = {"sleep", "60"}});
  CHECK_THROWS_AS(base::run(io, base::withTimeout(clock, 100ms, "run", std::move(task))), base::TimedOut);
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(SubprocessFixture, "many children run beside each other", "[subprocess]") {
  base::TaskGroup group(io.get_executor(), base::Log::silent());
  int succeeded = 0;
  auto one = [](base::ProcessRunner& r, int& count) -> base::Task<void> {
    const auto result = co_await r.run({.argv = {"sh", "-c", "echo x"}});
    if (result.standardOutput == "x\n") ++count;
  };
  for (int i = 0; i < 20; ++i) group.spawn("child", one(*runner, succeeded));
  base::run(io, group.join());
  CHECK(succeeded == 20);
  CHECK(noChildLeft());
}
