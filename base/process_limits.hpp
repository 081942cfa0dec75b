// Limits that a process sets on itself before it holds secrets.
#pragma once

namespace ingot::base {

// Forbids core files, and ptrace by other processes of the user, because passwords are in memory. Throws base::Error.
void forbidCoreDumps();

// Ignores SIGPIPE, so that writing to a peer that has gone is an error to handle and does not end the process. Keeps a
// handler that somebody else has set. Called by whatever opens pipes or sockets (subprocess, HTTP client and server).
void ignoreBrokenPipes();

// Raises the soft limit of open files to the hard one; returns what it is now.
long raiseOpenFileLimit();

}  // namespace ingot::base
