#include "coordinator/agents/agent_health.hpp"

#include "bmc/model/power.hpp"

namespace ingot::coordinator::agents {

std::string healthToShow(const Facts& facts, bool isServed, const std::string& uid, std::string ofBackend) {
  const auto knowledge = facts.knowledgeOfHealth(uid);
  const bool backendKnows = bmc::parseHealth(ofBackend).value_or(bmc::Health::unknown) != bmc::Health::unknown;
  const bool isOfAgents = knowledge != Facts::Knowledge::none && (isServed || !backendKnows);
  return isOfAgents ? std::string(toText(facts.health(uid))) : ofBackend;
}

std::string AgentHealth::judge(const std::string& uid, std::string ofBackend) const {
  return healthToShow(agents_.facts(), agents_.grants().serves(uid), uid, std::move(ofBackend));
}

}  // namespace ingot::coordinator::agents
