// A host's health through the agent that serves it, through the backend where none does.
#pragma once

#include "coordinator/agents/service.hpp"
#include "coordinator/host/out_of_band.hpp"

namespace ingot::coordinator::agents {

class AgentHealth final : public host::OutOfBandHealth {
 public:
  // `agents` outlives it.
  explicit AgentHealth(const AgentService& agents) : agents_(agents) {}

  [[nodiscard]] std::string judge(const std::string& uid, std::string ofBackend) const override;

 private:
  const AgentService& agents_;
};

// The same of the parts: of the agent that serves the host or, where the backend says nothing, of the one that did.
[[nodiscard]] std::string healthToShow(const Facts& facts, bool isServed, const std::string& uid,
                                       std::string ofBackend);

}  // namespace ingot::coordinator::agents
