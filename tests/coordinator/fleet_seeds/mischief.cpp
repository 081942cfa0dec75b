#include "tests/coordinator/fleet_seeds/mischief.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;

const std::vector<Mischief::Kind>& Mischief::table() {
  static const std::vector<Kind> all{
      {"cut", 4, &Mischief::cut},
      {"mend", 8, &Mischief::mend},
      {"kill", 3, &Mischief::kill},
      {"stop", 2, &Mischief::stop},
      {"start", 10, &Mischief::start},
      {"restart", 3, &Mischief::restart},
      {"pause", 8, &Mischief::pause},
      {"suspend", 4, &Mischief::suspend},
      {"pause coordinator", 4, &Mischief::pauseCoordinator},
      {"wall", 4, &Mischief::stepWall},
      {"full", 2, &Mischief::fillDisk},
      {"free", 4, &Mischief::freeDisk},
      {"coordinator", 5, &Mischief::flipCoordinator},
      {"leader", 4, &Mischief::changeLeader},
      {"drain", 2, &Mischief::drain},
      {"approval", 3, &Mischief::approval},
      {"remove", 1, &Mischief::removeAgent},
      {"pin", 4, &Mischief::pin},
      {"wish", 25, &Mischief::wish},
      {"reboot", 5, &Mischief::restartHost},
      {"button", 6, &Mischief::pressButton},
      {"trouble", 12, &Mischief::trouble},
      {"repair", 10, &Mischief::repair},
      {"password", 3, &Mischief::changePassword},
      {"log", 8, &Mischief::writeLog},
  };
  return all;
}

std::vector<std::string> Mischief::kinds() {
  std::vector<std::string> names;
  for (const auto& kind : table()) names.emplace_back(kind.name);
  return names;
}

void Mischief::run(base::Duration time) {
  const auto end = room_.site.loop.clock.now() + time;
  while (room_.site.loop.clock.now() < end && room_.broken.empty()) {
    step();
    room_.watch(untilNext());
  }
}

// Often the next thing happens while the work of the last one is under way.
base::Duration Mischief::untilNext() {
  constexpr std::array<std::uint64_t, 3> mostMs{2000, 15000, 90000};
  return std::chrono::milliseconds(random_.below(mostMs[random_.below(mostMs.size())]));
}

void Mischief::step() {
  int all = 0;
  for (const auto& kind : table()) all += kind.weight;
  auto drawn = static_cast<int>(random_.below(static_cast<std::uint64_t>(all)));
  for (const auto& kind : table()) {
    if ((drawn -= kind.weight) >= 0) continue;
    story += fmt::format(" {}@{}", kind.name, room_.site.loop.clock.now().time_since_epoch() / 1s);
    ++met[kind.name];
    return (this->*kind.happen)();
  }
}

std::string Mischief::agent() { return MachineRoom::kAgents[random_.below(MachineRoom::kAgents.size())]; }

Machine& Mischief::machine() { return *room_.machines[random_.below(room_.machines.size())]; }

void Mischief::start() {
  if (const auto name = agent(); !room_.runs(name)) room_.startAgent(name);
}

void Mischief::restart() {
  const auto name = agent();
  room_.killAgent(name);
  room_.startAgent(name);
}

void Mischief::flipCoordinator() {
  if (room_.leads())
    room_.killCoordinator();
  else
    room_.startCoordinator();
}

void Mischief::changeLeader() {
  if (room_.leads()) room_.killCoordinator();
  room_.startCoordinator();
}

// Of one agent, or of all.
void Mischief::pause() {
  const auto time = std::chrono::seconds(1 + random_.below(60));
  if (random_.below(2) == 0) return room_.pauseAgent(agent(), time);
  for (const auto* name : MachineRoom::kAgents) room_.pauseAgent(name, time);
}

// Of its machine: the process learns late what the time is, and what the network brings it learns sooner.
void Mischief::suspend() {
  const auto time = std::chrono::seconds(1 + random_.below(120));
  room_.pauseAgent(agent(), time, std::chrono::seconds(1 + random_.below(5)));
}

// Of the machine of an agent, or of all machines at once, the coordinator's too; by seconds, or by years.
void Mischief::stepWall() {
  constexpr std::array<std::uint64_t, 3> mostSeconds{90, 7200, 100'000'000};
  const auto by = std::chrono::seconds(1 + random_.below(mostSeconds[random_.below(mostSeconds.size())]));
  const base::Duration step = random_.below(2) == 0 ? by : -by;
  if (random_.below(2) == 0) return room_.stepWall(agent(), step);
  room_.site.loop.clock.stepWall(step);
}

// Rather of a machine whose BMC does not tell.
void Mischief::pressButton() {
  Machine* it = &machine();
  for (int tries = 0; tries < 20 && it->trouble == Trouble::none; ++tries) it = &machine();
  it->pressButton();
}

void Mischief::drain() { changeAgent(agent(), random_.below(2) == 0 ? R"({"drain":true})" : R"({"drain":false})"); }

void Mischief::approval() {
  changeAgent(agent(), random_.below(3) == 0 ? R"({"approved":false})" : R"({"approved":true})");
}

void Mischief::removeAgent() { room_.site.removeAgent(agent()); }

void Mischief::changeAgent(const std::string& name, const std::string& patch) {
  if (const auto object = room_.site.agentObject(name); object && !object->metadata.beingDeleted())
    room_.site.changeAgent(name, patch);
}

void Mischief::pin() {
  const auto to = random_.below(2) == 0 ? "null" : fmt::format("\"{}\"", agent());
  room_.site.patchHost(machine().host, fmt::format(R"({{"metadata":{{"annotations":{{"ingot.dev/agent":{}}}}}}})", to));
}

// Of one host, or of many at a time.
void Mischief::wish() {
  const bool on = random_.below(2) == 0;
  for (auto left = 1 + random_.below(random_.below(4) == 0 ? 10 : 2); left > 0; --left)
    room_.site.setOnline(machine().host, on);
}

// By force: nothing else restarts a host that nobody has provisioned.
void Mischief::restartHost() {
  room_.site.patchHost(machine().host,
                       R"({"metadata":{"annotations":{"reboot.metal3.io":"{\"mode\":\"hard\",\"force\":true}"}}})");
}

void Mischief::repair() {
  for (const auto& it : room_.machines)
    if (random_.below(2) == 0) it->trouble = Trouble::none;
}

// First at the BMC or first in the Secret; what is left out follows at another time, or when all heals.
void Mischief::changePassword() {
  Machine& it = machine();
  const std::string password = random_.below(2) == 0 ? "s3cret" : "an0ther";
  if (random_.below(3) > 0) it.bmc.password = password;
  if (random_.below(2) == 0) it.bmc.expireSessions();
  if (random_.below(3) > 0) room_.site.setPassword(it.host, password);
}

void Mischief::writeLog() { machine().writeLog(static_cast<int>(1 + random_.below(random_.below(4) == 0 ? 30 : 2))); }

}  // namespace ingot::tests
