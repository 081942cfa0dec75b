// What agents have told of hosts, each fact with its age (docs/architecture.md). Past its limit a fact is unknown,
// never stale-as-fresh.
#pragma once

#include "base/clock.hpp"
#include "bmc/model/power.hpp"
#include "wire/messages.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::agents {

// What an agent looks for beside the power, and does not get.
struct UnreadFact {
  std::string what;         // sensors | logs | hardware
  std::string code, error;  // bounded
  base::MonoTime since{};   // on our clock
};

struct HostFacts {
  std::string agent;
  wire::Token grant;  // learnt under it (seq 0)
  bmc::Power power = bmc::Power::unknown;
  std::string rawPower, bootProgress;
  base::Duration powerLimit{};  // its power is believed for so long
  bmc::Health health = bmc::Health::unknown;
  std::optional<base::MonoTime> powerAt, healthAt;  // on our clock, by the age it had when it came
  std::string bmcErrorCode, bmcError;               // "" while the BMC answers
  std::string vendor, model, serialNumber, bmcFirmware;
  std::vector<UnreadFact> unread;
};

struct FactLimits {
  base::Duration power = std::chrono::seconds(20);  // four polls of 5 s; as many where there are fewer
  base::Duration health = std::chrono::seconds(180);
};

class FactStore {
 public:
  explicit FactStore(FactLimits limits) : limits_(limits) {}

  struct Learned {
    bool changed = false;  // power, health or the BMC's answer: worth a look at the host
    bool gap = false;      // facts were lost on the way: ask for a snapshot
    bool taken = false;    // they are what is known now
  };
  // `boot`: of the agent's process, with which its sequence numbers begin anew. Facts that come out of order are
  // dropped. An agent that lost the host while the link was down and was granted it again counts from one under the
  // later grant. That is a gap, because messages of the meantime may be lost. `saidAt`: on our clock; the ages of the
  // facts count from there. `polledEach`: how often the agent reads the power.
  Learned learn(const std::string& agent, const std::string& boot, const wire::Facts& facts, base::MonoTime saidAt,
                base::MonoTime now, base::Duration polledEach = {});

  // What was learnt last is still so. A gap: that is not what the agent said last.
  Learned refresh(const std::string& agent, const std::string& boot, const wire::FreshFacts& facts,
                  base::MonoTime saidAt, base::MonoTime now, base::Duration polledEach = {});

  void forget(const std::string& host) { hosts_.erase(host); }

  // nullptr: nobody has told anything yet.
  [[nodiscard]] const HostFacts* find(const std::string& host) const;
  // Unknown past the limit, which is longer, by a minute at most, for a BMC that takes its time to answer: the reading
  // after this one is not there sooner.
  [[nodiscard]] bmc::Power power(const std::string& host, base::MonoTime now) const;
  [[nodiscard]] bmc::Health health(const std::string& host, base::MonoTime now) const;

  // Hosts whose power or health has become unknown by age since the last call: worth a look.
  [[nodiscard]] std::vector<std::string> expired(base::MonoTime now);

 private:
  struct Entry {
    HostFacts facts;
    std::string boot;
    std::int64_t seq = 0;
    bool powerExpiryTold = false, healthExpiryTold = false;
  };
  [[nodiscard]] bool knowsPower(const HostFacts& facts, base::MonoTime now) const;
  [[nodiscard]] bool knowsHealth(const HostFacts& facts, base::MonoTime now) const;
  [[nodiscard]] base::Duration limitOf(std::int64_t tookMs, base::Duration polledEach) const;

  FactLimits limits_;
  std::map<std::string, Entry> hosts_;
};

}  // namespace ingot::coordinator::agents
