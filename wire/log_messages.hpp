// The logs of BMCs, as coordinator and agents speak of them. Part of messages.hpp.
#pragma once

#include "bmc/model/log.hpp"
#include "json/describe.hpp"

#include <string>
#include <vector>

namespace ingot::wire {

// agent → coordinator: the end of a log of a host's BMC: whenever there is more of it, and to each new coordinator;
// again until it is acknowledged.
struct LogFacts {
  std::string host;
  std::int64_t term = 0;  // learnt under this grant
  std::int64_t lease = 0;
  std::int64_t ageMs = 0;
  std::string log;
  std::int64_t known = 0;              // so many of them a coordinator has acknowledged before, or nobody asked for
  std::vector<bmc::LogEntry> entries;  // oldest first, at most bmc::mostLogEntries
  static void describe(auto& v) {
    v.field("host", &LogFacts::host).required();
    v.field("term", &LogFacts::term).always();
    v.field("lease", &LogFacts::lease).always();
    v.field("ageMs", &LogFacts::ageMs).always();
    v.field("log", &LogFacts::log).required();
    v.field("known", &LogFacts::known).always();
    v.field("entries", &LogFacts::entries);
  }
};

// coordinator → agent: what was told of a log, up to this entry, is recorded: it is news no more.
struct LogAcknowledge {
  std::string host;
  std::string log;
  bmc::LogPosition end;
  static void describe(auto& v) {
    v.field("host", &LogAcknowledge::host).required();
    v.field("log", &LogAcknowledge::log).required();
    v.field("end", &LogAcknowledge::end).always();
  }
};

}  // namespace ingot::wire
