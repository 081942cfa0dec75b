// How far which process knows the logs of the machines. What came into a log that neither the coordinator nor the agent
// that reads it had known was history by the time it was seen, and only that may be missing among the news.
#pragma once

#include "base/clock.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ingot::tests {

class LogKnowledge {
 public:
  void coordinatorDied() { coordinator_.clear(); }
  void agentDied(const std::string& agent, base::MonoTime now);
  // It has done nothing, and written nothing, from `since` until now.
  void agentRested(const std::string& agent, base::MonoTime since, base::MonoTime now);

  void told(const std::string& agent, const wire::LogFacts& facts);
  void acknowledged(const wire::LogAcknowledge& acknowledge);
  void heard(const std::string& agent, const wire::Message& message, base::MonoTime now);

  struct Log {
    int read = 0;     // up to this entry; they are numbered from 1
    int history = 0;  // so many of those that were read
  };
  [[nodiscard]] Log of(const std::string& host) const;

 private:
  using AgentsHost = std::pair<std::string, std::string>;
  // An agent heeds an acknowledgement of what it has told last, and in the term in which it has told it.
  struct Told {
    std::int64_t term = 0;
    bmc::LogPosition end;
  };
  std::set<std::string> coordinator_;            // knows these hosts' logs
  std::map<AgentsHost, base::MonoTime> agents_;  // likewise, since
  std::map<AgentsHost, Told> told_;
  std::map<AgentsHost, std::int64_t> terms_;  // in which the host was granted last
  struct Teller {
    std::string agent;
    std::pair<std::int64_t, std::int64_t> lease;  // term and lease
  };
  std::map<std::string, Teller> teller_;  // by host: who told its log last, of those that are heard
  std::map<std::string, Log> logs_;       // by host
};

}  // namespace ingot::tests
