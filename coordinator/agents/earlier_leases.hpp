// What coordinators before us may have left behind: rights to act that we did not grant. Pure.
//
// The agents that could hold such a right are recorded in the API before it is granted (lease_record.hpp). An agent
// that has heard of our term refuses everything of earlier ones, for good, and reports the hosts on which something of
// an earlier term is still under way. Once all of these agents have reported, nobody else can act; until then only the
// passing of time ends the rights.
#pragma once

#include "base/clock.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace ingot::coordinator::agents {

class EarlierLeases {
 public:
  // By `until` every lease of an earlier coordinator has run out.
  explicit EarlierLeases(base::MonoTime until) : until_(until) {}

  // The agents that may hold such a lease, by public key. Before the first call anybody may.
  void onRecord(std::set<std::string> keys);

  // This agent obeys nobody before us any more; on the hosts in `acting` something may still be under way. True when
  // that is news.
  bool settled(const std::string& key, std::set<std::string> acting);

  // Nothing of an earlier coordinator can reach this host any more.
  [[nodiscard]] bool over(const std::string& host, base::MonoTime now) const;

  // … or any host through this agent.
  [[nodiscard]] bool overFor(const std::string& key, base::MonoTime now) const;

 private:
  void weigh();

  base::MonoTime until_;
  std::optional<std::set<std::string>> onRecord_;
  std::map<std::string, std::set<std::string>> settled_;  // key → hosts on which it may still act
  bool all_ = false;                                      // that are on record have settled …
  std::set<std::string> acting_;                          // … but for these hosts
};

}  // namespace ingot::coordinator::agents
