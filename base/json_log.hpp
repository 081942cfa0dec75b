// Logs as one JSON object a line, as Kubernetes' component-base writes them with --logging-format=json:
//   {"ts":1769853600123.456,"logger":"coordinator","msg":"registered","v":0,"level":"info","host":"metal3/a"}
// `ts` is in milliseconds since 1970. Errors have no "v"; a field `error` of a warning or error is "err". Values are
// strings, so that a key has one type in whatever indexes it. A key that is there already gets "_" behind it.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"

#include <memory>
#include <string>

namespace ingot::base {

// Without a line end. Valid UTF-8, whatever came from outside.
[[nodiscard]] std::string formatJsonEntry(const LogEntry& entry, WallTime now);

// To standard error; safe from several threads.
[[nodiscard]] std::shared_ptr<LogSink> jsonStderrSink(Level least);

}  // namespace ingot::base
