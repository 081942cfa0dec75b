// What a session has read of its host; private to its sources.
#pragma once

#include "agent/host_session.hpp"
#include "agent/raised_health.hpp"
#include "bmc/capability/identity.hpp"

namespace ingot::agent {

// What a BMC does not have, or takes longer for than there is time, is looked for again.
inline constexpr base::Duration whereThereIsNone = std::chrono::hours(1);

// Why something beside the power is not read.
struct NotRead {
  std::string code, error;
  base::MonoTime since{};
};

struct HostSession::Observed {
  bmc::PowerReading power;
  std::optional<base::MonoTime> powerAt, healthAt;
  base::Duration powerTook{};                 // the last poll, waiting for its turn included
  bmc::Health health = bmc::Health::unknown;  // by the BMC's judgement, and what its sensors raise
  bmc::Health ofBmc = bmc::Health::unknown;   // its judgement alone
  RaisedHealth raised;                        // by sensors that the BMC leaves out of its judgement
  std::string errorCode, error;
  std::string logUnread;                      // why one of the logs was not read the last time; "": all were
  bool clockIsOff = false;                    // that of the BMC
  bmc::Health judged = bmc::Health::unknown;  // its health, the last that was known
  std::string bootedTo;                       // its boot progress, the last that was told
  // The hardware is read again then, once the host has been on for a while.
  base::MonoTime hardwareDueAt{}, settlesSince{}, settledAt{};
  std::optional<base::MonoTime> hardwareAt;  // when it was asked for last
  int reasonsToRead = 0;                     // that have come up so far
  std::vector<std::string> hardwareUnread;
  std::map<std::string_view, NotRead> notRead;  // by what is read (Reading::what)
  std::optional<bmc::Identity> identity;
  base::MonoTime identifyAt{};  // not before
};

[[nodiscard]] inline bool isSilence(bmc::Error::Code code) {
  return code == bmc::Error::Code::unreachable || code == bmc::Error::Code::timeout;
}

}  // namespace ingot::agent
