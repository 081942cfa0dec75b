// What a session has read of its host; private to its sources.
#pragma once

#include "agent/host_session.hpp"

namespace ingot::agent {

struct HostSession::Observed {
  bmc::PowerReading power;
  std::optional<base::MonoTime> powerAt, healthAt;
  bmc::Health health = bmc::Health::unknown;
  std::string errorCode, error;
  std::optional<bmc::Identity> identity;
  base::MonoTime identifyAt{};  // not before
};

}  // namespace ingot::agent
