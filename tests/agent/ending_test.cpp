// An agent ends when a task that it needs has ended: one that only sends heartbeats looks alive, and nothing restarts
// it.
#include "agent/agent.hpp"
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

class BreakingLink final : public wire::AgentLink {
 public:
  explicit BreakingLink(base::Clock& clock) : clock_(clock) {}
  base::Task<std::string> receive() override {
    co_await clock_.sleepFor(10s);
    throw std::runtime_error("the socket is gone");
  }
  bool send(std::string) override { return true; }

 private:
  base::Clock& clock_;
};

}  // namespace

TEST_CASE("an agent that can no longer listen ends with the reason") {
  Loop loop;
  net::Loopback network(loop.runtime);
  NoProcesses processes;
  agent::MemoryJournal journal;
  BreakingLink link(loop.clock);
  agent::Agent agent(loop.runtime, link, bmc::Transports{network, processes}, journal, {.name = "near", .boot = "b"});
  CHECK_THROWS_WITH(loop.run(agent.run()), "the socket is gone");
}
