// `ingot-agent --check`: what an agent that starts with these options would stumble over. It takes part in nothing: no
// host is served, and nothing is sent to a BMC.
#pragma once

#include "agent/options.hpp"
#include "base/runtime.hpp"
#include "base/subprocess.hpp"
#include "wire/link.hpp"

#include <functional>
#include <vector>

namespace ingot::agent {

struct Finding {
  bool good = true;
  std::string text;  // one line for people

  friend bool operator==(const Finding&, const Finding&) = default;
};

struct CheckWorld {
  base::Runtime runtime;
  base::ProcessRunner& processes;
  std::function<std::unique_ptr<wire::AgentLink>(wire::AgentSocket)> connect;
};

// `isRunning`: a process serves with this data folder now; its link is not used beside it. As at a start, keys are
// made where there are none, and a damaged journal is copied aside.
[[nodiscard]] base::Task<std::vector<Finding>> check(CheckWorld world, Options options, bool isRunning);

// Line by line, and 0 where all is good, else 1.
[[nodiscard]] Exit reportOf(const std::vector<Finding>& findings);

}  // namespace ingot::agent
