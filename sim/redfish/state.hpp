// What a Redfish service remembers besides the machine: accounts, sessions and tasks. Made at the first use, so that an
// idle BMC of a large fleet costs nothing.
#pragma once

#include "base/clock.hpp"
#include "base/random.hpp"
#include "sim/machine/spec.hpp"
#include "sim/redfish/accounts.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::sim::redfish {

constexpr base::Duration sessionIdleLimit = std::chrono::minutes(30);
constexpr std::size_t maxSessions = 8;
constexpr std::size_t maxSubscriptions = 20;

struct Session {
  std::string id, token, user;
  base::MonoTime lastUsed;
};

class Sessions {
 public:
  // nullptr when every slot is taken.
  const Session* open(const std::string& user, base::Random& random, base::MonoTime now);
  // Counts as use. nullptr for an unknown or expired token.
  const Session* use(std::string_view token, base::MonoTime now);
  [[nodiscard]] const Session* find(std::string_view id) const;
  void close(std::string_view id);
  void closeOf(std::string_view user);
  void clear() { all_.clear(); }
  [[nodiscard]] const std::vector<Session>& all() const { return all_; }

 private:
  void expire(base::MonoTime now);
  std::vector<Session> all_;
  unsigned last_ = 0;
};

struct TaskRecord {
  std::string id, name;
  base::MonoTime started, ends;
  std::function<void()> finish;  // run once, when the task is first seen to have ended
};

// Tasks end by the clock: whoever looks after that finds them completed.
class Tasks {
 public:
  const TaskRecord& start(std::string name, base::MonoTime now, base::Duration takes, std::function<void()> finish);
  void settle(base::MonoTime now);
  [[nodiscard]] const TaskRecord* find(std::string_view id) const;
  [[nodiscard]] const std::vector<TaskRecord>& all() const { return all_; }

 private:
  std::vector<TaskRecord> all_;  // the newest few
  unsigned last_ = 0;
};

// By which the BMC pushes its events.
struct Subscription {
  std::string id, destination, context;
  bool verifies = true;  // the certificate of its destination
  int failures = 0;      // in a row
  bool isServed = false;
};

class Subscriptions {
 public:
  // nullptr when there is no room.
  Subscription* add(Subscription wanted);
  [[nodiscard]] Subscription* find(std::string_view id);
  void remove(std::string_view id);
  void clear() { all_.clear(); }
  [[nodiscard]] std::vector<Subscription>& all() { return all_; }

 private:
  std::vector<Subscription> all_;
  unsigned last_ = 0;
};

struct State {
  explicit State(const MachineSpec& spec) : accounts(spec.username, spec.password) {}

  Accounts accounts;
  Sessions sessions;
  Tasks tasks;
  Subscriptions subscriptions;
  unsigned streams = 0;  // of events, that are open
};

}  // namespace ingot::sim::redfish
