// Limits that a process sets on itself before it holds secrets.
#pragma once

namespace ingot::base {

// No core file and no ptrace by other processes of the user: passwords live in memory. Throws base::Error.
void forbidCoreDumps();

// Raises the soft limit of open files to the hard one; returns what it is now.
long raiseOpenFileLimit();

}  // namespace ingot::base
