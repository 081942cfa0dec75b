#include "tests/coordinator/fleet_seeds/life.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;

namespace {

void judgeEnd(MachineRoom& room, Met& met) {
  room.watch(5min);  // logs are read every two
  for (const auto* name : MachineRoom::kAgents)
    if (room.site.box(name).journal.repeated > 0) room.broken.push_back("a command was begun twice");
  for (const auto& machine : room.machines) met["reset"] += machine->taken;
  if (room.becomesWell()) room.judgeLogs();
}

}  // namespace

std::vector<std::string> liveFor(std::uint64_t seed, std::size_t machines, base::Duration time, Met& met) {
  MachineRoom room(seed, machines);
  Mischief mischief(room);
  try {
    mischief.run(time);
    if (room.broken.empty() && room.heal()) judgeEnd(room, met);
  } catch (const std::exception& error) {
    room.broken.push_back(error.what());
  }
  for (const auto& [kind, times] : mischief.met) met[kind] += times;
  met["write judged"] += room.writesJudged;
  met["restart judged"] += room.restartsJudged;
  met["wrong fact judged"] += room.wrongFactsJudged;
  if (!room.broken.empty()) room.broken.push_back(fmt::format("seed {}: {}", seed, mischief.story));
  return room.broken;
}

}  // namespace ingot::tests
