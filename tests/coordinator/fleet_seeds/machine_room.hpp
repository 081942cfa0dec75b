// Servers and three agents without Ironic, whose rules are watched all the time:
//  - who writes to a BMC holds its lease by the words that it was sent, and nobody else does;
//  - no command is begun twice, and a BMC takes no reset but for a command that was begun, once;
//  - a machine is switched only as its host was wished within the last minutes;
//  - a power that is told as known was that machine's within the last minutes.
#pragma once

#include "tests/coordinator/fleet_seeds/leases_heard.hpp"
#include "tests/coordinator/fleet_seeds/log_knowledge.hpp"
#include "tests/coordinator/fleet_seeds/machine.hpp"
#include "tests/coordinator/fleet_seeds/pausable.hpp"

#include <array>

namespace ingot::tests {

class MachineRoom {
  struct Process {
    std::shared_ptr<Pause> pause;
    std::unique_ptr<PausableClock> clock;
    std::unique_ptr<PausableTransport> network;
    LeasesHeard leases;
    std::optional<base::MonoTime> restsSince, pausedUntil, timersStandUntil;
    base::Duration timersLate{};
    bool isStopping = false;  // by SIGTERM
  };
  std::map<std::string, Process> processes_;  // of agents; they end with the site
  struct Leader {
    std::shared_ptr<Pause> pause;
    std::unique_ptr<PausableClock> clock;
    std::unique_ptr<PausableTransport> network;
    std::optional<base::MonoTime> pausedUntil;
    base::MonoTime runsSince{};
  };
  Leader leader_;  // the coordinator's process

 public:
  static constexpr std::array kAgents{"left", "middle", "right"};

  MachineRoom(std::uint64_t seed, std::size_t size);
  ~MachineRoom();

  void watch(base::Duration time);
  // Nothing is wrong any more; false: something stays so for an hour.
  [[nodiscard]] bool heal();
  // Each machine is as it is wished, and its power is known; a password that was refused is held back for a while.
  [[nodiscard]] bool becomesWell();

  void startCoordinator();
  void killCoordinator();
  void pauseCoordinator(base::Duration time);
  void startAgent(const std::string& name);
  void killAgent(const std::string& name);  // also while it stands still
  void stopAgent(const std::string& name);
  // Its timers are late by that much when it goes on: its machine was suspended.
  void pauseAgent(const std::string& name, base::Duration time, base::Duration timersLate = {});
  void stepWall(const std::string& name, base::Duration by);  // of the machine of an agent
  void fillDisk(const std::string& name, bool isFull) { site.box(name).journal.fill(isFull); }
  [[nodiscard]] bool leads() const { return leadsSince_.has_value(); }
  [[nodiscard]] bool runs(const std::string& agent) { return site.box(agent).life != nullptr; }

  [[nodiscard]] bool isWell(const Machine& machine) const;
  [[nodiscard]] std::string standing(const Machine& machine) const;  // for people
  // What was written into logs is read, and news but for what nobody could know to be.
  void judgeLogs();

  std::unique_ptr<base::Random> random;
  Site site{Site::With::agent};
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<std::string> broken;
  int writesJudged = 0, restartsJudged = 0;
  int wrongFactsJudged = 0;  // that showed another power than the machine has

 private:
  void surround(AgentBox& box, AgentWorld& world);
  void judgeSending(const std::string& process, const std::string& origin, const net::HttpRequest& request);
  void judgeReset(Machine& machine, const std::string& process, const std::string& type);
  void look();
  void judgeProcesses();
  void judgeBeliefs(const Machine& machine);
  [[nodiscard]] std::ptrdiff_t holders(const Machine& machine);  // agents that may write to its BMC now
  void judgeFacts(const Machine& machine);
  void surroundCoordinator(CoordinatorWorld& world);
  void resumeCoordinator();
  void resume(const std::string& name);
  void resumePaused();
  void breaks(const Machine& machine, const std::string& what);
  [[nodiscard]] bool isWishedOn(const Machine& machine) const;
  [[nodiscard]] bool isToRestart(const Machine& machine) const;
  [[nodiscard]] std::string uidOf(const Machine& machine) const;
  [[nodiscard]] int newsOf(const Machine& machine, const std::string& page) const;  // that coordinators have counted
  void countNews();

  LogKnowledge logs_;
  std::map<std::pair<std::string, std::string>, base::MonoTime> believesSince_;  // by agent and host
  std::optional<base::MonoTime> leadsSince_;
  std::map<std::string, int> newsBefore_;  // by host, of coordinators that are gone
};

}  // namespace ingot::tests
