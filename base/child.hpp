// One running child process and its three pipes: the part of the process runner that talks to the kernel.
#pragma once

#include "base/subprocess.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <sys/types.h>
#include <string>

namespace ingot::base {

// Kills its whole process group and reaps it when it dies before the child has: never a zombie.
class Child {
 public:
  // Throws base::Error when the program cannot be started.
  Child(const Executor& executor, const ProcessSpec& spec);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signalGroup(int number) const;

  // Returns once the child has ended (it stays a zombie until reap()). Throws Cancelled.
  [[nodiscard]] Task<void> ended();
  // After ended(): kills what is left of its group, collects it; exit code, or 128 + signal.
  int reap();

  boost::asio::posix::stream_descriptor input, output, errors;  // our ends, non-blocking

 private:
  boost::asio::posix::stream_descriptor pidfd_;
  pid_t pid_ = -1;
};

}  // namespace ingot::base
