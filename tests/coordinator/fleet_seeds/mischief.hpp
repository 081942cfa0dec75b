// What may happen to a fleet in an hour, drawn by its seed.
#pragma once

#include "tests/coordinator/fleet_seeds/machine_room.hpp"

#include <map>

namespace ingot::tests {

class Mischief {
 public:
  explicit Mischief(MachineRoom& room) : room_(room), random_(*room.random) {}

  void run(base::Duration time);

  std::string story;               // what happened, in order
  std::map<std::string, int> met;  // how often
  [[nodiscard]] static std::vector<std::string> kinds();

 private:
  struct Kind {
    const char* name;
    int weight;
    void (Mischief::*happen)();
  };
  static const std::vector<Kind>& table();
  void step();
  [[nodiscard]] base::Duration untilNext();

  void cut() { room_.site.cut(agent()); }
  void mend() { room_.site.mend(agent()); }
  void kill() { room_.killAgent(agent()); }
  void stop() { room_.stopAgent(agent()); }
  void start();
  void restart();
  void pause();
  void suspend();
  void pauseCoordinator() { room_.pauseCoordinator(std::chrono::seconds(1 + random_.below(60))); }
  void stepWall();
  void fillDisk() { room_.fillDisk(agent(), true); }
  void freeDisk() { room_.fillDisk(agent(), false); }
  void flipCoordinator();
  void changeLeader();
  void drain();
  void approval();
  void removeAgent();
  void pin();
  void wish();
  void restartHost();
  void pressButton();
  void trouble() { machine().trouble = static_cast<Trouble>(random_.below(kTroubles)); }
  void repair();
  void changePassword();
  void writeLog();

  [[nodiscard]] std::string agent();
  [[nodiscard]] Machine& machine();
  void changeAgent(const std::string& name, const std::string& patch);

  MachineRoom& room_;
  base::Random& random_;
};

}  // namespace ingot::tests
