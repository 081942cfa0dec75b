// Limits that a process sets on itself before it holds secrets.
#pragma once

namespace ingot::base {

// No core file and no ptrace by other processes of the user: passwords live in memory. Throws base::Error.
void forbidCoreDumps();

// Writing to a peer that has gone is an error to handle, not our death. Keeps a handler that somebody else has set.
// Whoever opens pipes or sockets here calls it (subprocess, HTTP client and server).
void ignoreBrokenPipes();

// Raises the soft limit of open files to the hard one; returns what it is now.
long raiseOpenFileLimit();

}  // namespace ingot::base
