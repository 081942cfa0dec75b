// How a command ends: an exit code that scripts switch on, and one line for people.
#pragma once

#include "base/error.hpp"

#include <string>

namespace ingot::kube {
class Error;
}  // namespace ingot::kube

namespace ingot::cli {

enum class ExitCode {
  done = 0,
  failed = 1,       // refused by the server, or by what was asked for
  usage = 2,        // the command line makes no sense
  notFound = 3,     // no such object or file
  timedOut = 4,     // --timeout passed before what was waited for
  unreachable = 5,  // no usable kubeconfig, no connection, not trusted, not let in
};

// `what()` is the whole line: what is wrong and what to do.
class Failure final : public base::Error {
 public:
  Failure(ExitCode code, const std::string& line) : Error(line), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Of a command on several objects: the code of what failed when all failures agree, else `failed`.
[[nodiscard]] constexpr ExitCode together(ExitCode a, ExitCode b) {
  if (a == ExitCode::done || a == b) return b;
  return b == ExitCode::done ? a : ExitCode::failed;
}

// A path that the server does not know at all, as opposed to an object that is not there.
[[nodiscard]] bool isPathUnknown(const kube::Error& error);

// The failure that an exception means to the user. `server` is named where the connection is at fault.
[[nodiscard]] Failure explain(const std::exception& error, const std::string& server);

}  // namespace ingot::cli
