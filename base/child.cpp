#include "base/child.hpp"

#include "base/parking.hpp"

#include <boost/asio/redirect_error.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>

namespace asio = boost::asio;

namespace ingot::base {
namespace {

[[noreturn]] void fail(const std::string& what, int why) { throw Error(what + ": " + std::strerror(why)); }

// Both ends close-on-exec; ours is non-blocking.
struct Pipe {
  int ours = -1, theirs = -1;

  explicit Pipe(bool weWrite) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
    ours = ends[weWrite ? 1 : 0];
    theirs = ends[weWrite ? 0 : 1];
    ::fcntl(ours, F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (ours >= 0) ::close(ours);
    if (theirs >= 0) ::close(theirs);
  }
  int take() { return std::exchange(ours, -1); }
};

// PATH, LC_ALL and what was asked for; secrets are wiped with it.
class Environment {
 public:
  explicit Environment(const ProcessSpec& spec) {
    const char* path = std::getenv("PATH");
    add("PATH", path ? path : "/usr/sbin:/usr/bin:/sbin:/bin");
    add("LC_ALL", "C");
    for (const auto& [name, value] : spec.environment) add(name, value);
    for (const auto& [name, value] : spec.secretEnvironment) add(name, value.reveal());
    for (auto& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (auto& text : texts_) wipe(text);
  }
  [[nodiscard]] char* const* get() const { return pointers_.data(); }

 private:
  void add(const std::string& name, const std::string& value) {
    std::string text;
    text.reserve(name.size() + value.size() + 1);  // no reallocation: it would leave a copy of a secret behind
    text.append(name).append("=").append(value);
    texts_.push_back(std::move(text));
  }
  std::list<std::string> texts_;
  std::vector<char*> pointers_;
};

struct SpawnSettings {
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_t files{};

  SpawnSettings(int input, int output, int errors) {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&files);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&files, 3);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
};

pid_t start(const ProcessSpec& spec, const Pipe& input, const Pipe& output, const Pipe& errors) {
  if (spec.argv.empty()) throw Error("cannot start a program without a name");
  const Environment environment(spec);
  const SpawnSettings settings(input.theirs, output.theirs, errors.theirs);
  std::vector<char*> argv;
  argv.reserve(spec.argv.size() + 1);
  for (const auto& word : spec.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, argv[0], &settings.files, &settings.attributes, argv.data(), environment.get());
  if (error != 0) fail("cannot start " + spec.argv[0], error);
  return pid;
}

void killAndReap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Child::Child(const Executor& executor, const ProcessSpec& spec)
    : input(executor), output(executor), errors(executor), pidfd_(executor) {
  Pipe in(true), out(false), err(false);
  pid_ = start(spec, in, out, err);
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));  // close-on-exec by itself
  if (pidfd < 0) {
    const int why = errno;
    killAndReap(pid_);
    fail("pidfd_open", why);
  }
  pidfd_.assign(pidfd);
  input.assign(in.take());
  output.assign(out.take());
  errors.assign(err.take());
}

Child::~Child() {
  if (pid_ > 0) killAndReap(pid_);
}

void Child::signalGroup(int number) const {
  if (pid_ > 0) ::kill(-pid_, number);
}

Task<void> Child::ended() {
  throwIfCancelled(co_await asio::this_coro::cancellation_state);
  boost::system::error_code error;
  co_await pidfd_.async_wait(asio::posix::stream_descriptor::wait_read,
                             asio::redirect_error(asio::use_awaitable, error));
  if (error) throw Cancelled();
}

int Child::reap() {
  ::kill(-pid_, SIGKILL);  // the zombie keeps the group's number from being used again until here
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace ingot::base
