// A peer of the coordinator that sends arbitrary messages and is no agent.
#pragma once

#include "tests/coordinator/agents/site.hpp"
#include "wire/codec.hpp"

namespace ingot::tests {

struct Talker {
  Talker(Site& site, std::string agentName, const std::string& key)
      : loop(site.loop), name(std::move(agentName)), link(site.wires.agent(key)) {}
  void hello() { say(wire::Hello{.name = name, .software = "0", .boot = "boot"}); }
  void say(const wire::Message& message) { link->send(wire::encode(message)); }
  // The next Welcome; the coordinator must have sent it, or be about to.
  wire::Welcome welcome() { return std::get<wire::Welcome>(wire::decode(loop.run(link->receive())).value()); }

  Loop& loop;
  std::string name;
  std::unique_ptr<wire::AgentLink> link;
};

}  // namespace ingot::tests
