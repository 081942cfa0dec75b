#include "tests/coordinator/fleet_seeds/machine_room.hpp"

#include "api/bmh/annotations.hpp"
#include "wire/codec.hpp"

namespace ingot::tests {

using namespace std::chrono_literals;

namespace {

// PowerStateKnown is True for three minutes after the last reading; what was read is as old as the request.
constexpr base::Duration kMostAge = 3min + 30s;
constexpr base::Duration kMostBelief = 2min;
constexpr base::Duration kNotices = 15s;  // how old what it knows is, when a coordinator goes on
// From a wish that is taken back to the last reset for it: a command under way is carried out.
constexpr base::Duration kMostDelay = 3min;

bool isPowerKnown(const api::BareMetalHost& host) {
  return std::ranges::any_of(host.status.conditions, [](const auto& condition) {
    return condition.type == "PowerStateKnown" && condition.status == "True";
  });
}

bool isWrite(const net::HttpRequest& request) {
  return request.method != "GET" && request.target.find("/Sessions") == std::string::npos;
}

}  // namespace

MachineRoom::MachineRoom(std::uint64_t seed, std::size_t size) : random(base::seededRandom(seed)) {
  site.loop.random->reseed(seed);
  leadsSince_ = site.loop.clock.now();
  site.onCoordinatorSending = [this](const std::string& bytes) {
    if (bytes.find("\"end\"") == std::string::npos) return;
    const auto message = wire::decode(bytes);
    if (message && std::holds_alternative<wire::LogAcknowledge>(*message))
      logs_.acknowledged(std::get<wire::LogAcknowledge>(*message));
  };
  site.aroundCoordinator = [this](CoordinatorWorld& world) { surroundCoordinator(world); };
  killCoordinator();  // the next one is overheard
  startCoordinator();
  site.aroundAgent = [this](AgentBox& box, AgentWorld& world) { surround(box, world); };
  for (const auto* name : kAgents) site.serveAll(name);
  for (std::size_t i = 0; i < size; ++i) {
    const auto address = fmt::format("10.0.{}.{}", i / 250, i % 250 + 1);
    machines.push_back(std::make_unique<Machine>(
        fmt::format("h{}", i), address, site.addBmc(address), site.loop.clock, *random,
        [this](Machine& machine, const auto& process, const auto& type) { judgeReset(machine, process, type); }));
    if (i % 2 == 1) machines.back()->pushEvents(site.runtime.executor);
    site.addHost(machines.back()->host, address, false);
  }
  watch(8min);  // until their logs have been looked at: what is in them later is news
}

MachineRoom::~MachineRoom() {
  for (const auto* name : kAgents) killAgent(name);
  if (leads()) killCoordinator();
}

// --- processes ---

void MachineRoom::startCoordinator() {
  site.startCoordinator();
  leadsSince_ = site.loop.clock.now();
}

void MachineRoom::killCoordinator() {
  countNews();
  resumeCoordinator();
  site.killCoordinator();
  leadsSince_.reset();
  logs_.coordinatorDied();
}

void MachineRoom::pauseCoordinator(base::Duration time) {
  if (!leads()) return;
  leader_.pause->begin();
  leader_.pausedUntil = site.loop.clock.now() + time;
}

void MachineRoom::resumeCoordinator() {
  if (!leader_.pausedUntil) return;
  leader_.pausedUntil.reset();
  leader_.runsSince = site.loop.clock.now();
  leader_.pause->end();
}

void MachineRoom::surroundCoordinator(CoordinatorWorld& world) {
  leader_ = {.pause = std::make_shared<Pause>(site.runtime.executor), .clock = nullptr, .network = nullptr};
  leader_.clock = std::make_unique<PausableClock>(*world.clock, leader_.pause);
  leader_.network = std::make_unique<PausableTransport>(*world.network, leader_.pause, "coordinator",
                                                        [](const auto&, const auto&) {});
  world.clock = leader_.clock.get();
  world.network = leader_.network.get();
  world.link = [pause = leader_.pause](std::unique_ptr<wire::CoordinatorLink> link) {
    return std::make_unique<PausableCoordinatorLink>(std::move(link), pause);
  };
}

void MachineRoom::startAgent(const std::string& name) { site.startAgent(name); }

void MachineRoom::killAgent(const std::string& name) {
  if (!runs(name)) return;
  *site.box(name).life->alive = false;
  resume(name);
  logs_.agentDied(name, site.loop.clock.now());
  site.killAgent(name);
}

void MachineRoom::stopAgent(const std::string& name) {
  if (!runs(name)) return;
  resume(name);
  processes_.at(name).isStopping = true;
  site.stopAgent(name);
  processes_.at(name).isStopping = false;
}

void MachineRoom::pauseAgent(const std::string& name, base::Duration time, base::Duration timersLate) {
  if (!runs(name)) return;
  auto& process = processes_.at(name);
  process.pause->begin();
  const auto now = site.loop.clock.now();
  if (!process.restsSince) process.restsSince = now;
  process.pausedUntil = now + time;
  process.timersStandUntil.reset();
  process.timersLate = timersLate;
}

// Processes that have paused go on, and timers that have stood still.
void MachineRoom::resumePaused() {
  const auto now = site.loop.clock.now();
  if (leader_.pausedUntil && *leader_.pausedUntil <= now) resumeCoordinator();
  for (const auto* name : kAgents) {
    auto& process = processes_.at(name);
    if (process.timersStandUntil && *process.timersStandUntil <= now) resume(name);
    if (!process.pausedUntil || *process.pausedUntil > now) continue;
    if (process.timersLate == base::Duration{}) {
      resume(name);
      continue;
    }
    process.pausedUntil.reset();
    process.timersStandUntil = now + process.timersLate;
    process.pause->endOfSuspension();
  }
}

void MachineRoom::stepWall(const std::string& name, base::Duration by) {
  if (runs(name)) processes_.at(name).clock->stepWall(by);
}

void MachineRoom::resume(const std::string& name) {
  auto& process = processes_.at(name);
  if (process.restsSince) logs_.agentRested(name, *process.restsSince, site.loop.clock.now());
  process.restsSince.reset();
  process.pausedUntil.reset();
  process.timersStandUntil.reset();
  process.pause->end();
}

void MachineRoom::surround(AgentBox& box, AgentWorld& world) {
  const std::string name = box.name;
  auto pause = std::make_shared<Pause>(site.runtime.executor);
  auto clock = std::make_unique<PausableClock>(*world.clock, pause);
  auto network = std::make_unique<PausableTransport>(
      *world.network, pause, name,
      [this, name](const auto& origin, const auto& request) { judgeSending(name, origin, request); });
  const auto started = world.clock->now();
  world.clock = clock.get();
  world.network = network.get();
  world.link = std::make_unique<PausableLink>(
      std::move(world.link), pause,
      [this, name](const std::string& bytes) {
        const auto message = wire::decode(bytes);
        if (!message) return;
        processes_.at(name).leases.hear(*message);
        logs_.heard(name, *message, site.loop.clock.now());
      },
      [this, name](const std::string& bytes) {
        if (bytes.find("\"known\"") == std::string::npos && bytes.find("\"idle\"") == std::string::npos) return;
        const auto message = wire::decode(bytes);
        if (message)
          if (const auto* idle = std::get_if<wire::Idle>(&*message); idle != nullptr && processes_.at(name).isStopping)
            processes_.at(name).leases.said(*idle);
        if (message && std::holds_alternative<wire::LogFacts>(*message))
          logs_.told(name, std::get<wire::LogFacts>(*message));
      });
  processes_.erase(name);
  processes_.emplace(name, Process{.pause = std::move(pause),
                                   .clock = std::move(clock),
                                   .network = std::move(network),
                                   .leases = LeasesHeard(started, box.journal.loadTerm()),
                                   .pausedUntil = std::nullopt,
                                   .timersStandUntil = std::nullopt});
}

// --- rules ---

void MachineRoom::judgeSending(const std::string& process, const std::string& origin, const net::HttpRequest& request) {
  if (!isWrite(request)) return;
  const auto isAsked = [&origin](const auto& machine) { return origin.ends_with("//" + machine->address); };
  const auto machine = std::ranges::find_if(machines, isAsked);
  if (machine == machines.end()) return broken.push_back("a write to nobody's BMC: " + origin);
  ++writesJudged;
  if (!processes_.at(process).leases.mayWrite(uidOf(**machine), site.loop.clock.now()))
    breaks(**machine, process + " writes without a lease: " + request.method + " " + request.target);
}

void MachineRoom::judgeReset(Machine& machine, const std::string& process, const std::string& type) {
  const bool on = type == "On";
  const auto uid = uidOf(machine);
  machine.look(isWishedOn(machine));
  if (!on && isToRestart(machine) && site.host(machine.host)->spec.online) ++restartsJudged;
  auto& begun = site.box(process).journal.lastBegun;
  const auto command = begun.find(uid);
  if (command == begun.end())
    breaks(machine, fmt::format("{} does {} without a command of its own", process, type));
  else if (command->second == "hard-reboot" && !on)
    command->second = "on";
  else
    begun.erase(command);
  if (machine.sinceWished(on) > kMostDelay) breaks(machine, process + " does what nobody wishes: " + type);
  for (const auto& [name, other] : processes_)
    if (name != process && runs(name) && other.leases.mayWrite(uid, site.loop.clock.now()))
      breaks(machine, fmt::format("{} does {} while {} may write", process, type, name));
}

void MachineRoom::watch(base::Duration time) {
  constexpr base::Duration slice = 1s;
  for (auto left = time; left > base::Duration{}; left -= slice) {
    site.pass(std::min(left, slice));
    look();
  }
}

void MachineRoom::look() {
  resumePaused();
  judgeProcesses();
  for (const auto& machine : machines) {
    machine->look(isWishedOn(*machine));
    if (const auto holding = holders(*machine); holding > 1)
      breaks(*machine, fmt::format("{} agents may write", holding));
    judgeBeliefs(*machine);
    judgeFacts(*machine);
  }
}

// By the words that they were sent: an agent that stood still, or gave up a request, does not know yet that it is over.
std::ptrdiff_t MachineRoom::holders(const Machine& machine) {
  const auto uid = uidOf(machine);
  return std::ranges::count_if(processes_, [&](const auto& process) {
    return runs(process.first) && process.second.leases.mayWrite(uid, site.loop.clock.now());
  });
}

// An agent that takes itself for the holder without a word for it has a request of before under way, and not for long.
void MachineRoom::judgeBeliefs(const Machine& machine) {
  const auto now = site.loop.clock.now();
  const auto uid = uidOf(machine);
  for (const auto& [name, process] : processes_) {
    const bool isWrong = runs(name) && !process.pause->on() && site.box(name).life->agent.actsOn(uid) &&
                         !process.leases.mayWrite(uid, now);
    if (!isWrong)
      believesSince_.erase({name, machine.host});
    else if (now - believesSince_.try_emplace({name, machine.host}, now).first->second > kMostBelief)
      breaks(machine, name + " takes itself for its holder");
  }
}

// One that has ended by itself would be taken for one that has nothing to do.
void MachineRoom::judgeProcesses() {
  for (const auto* name : kAgents)
    if (runs(name) && site.box(name).life->tasks.running() == 0)
      broken.push_back(std::string(name) + " has ended by itself");
  if (leads() && !site.coordinatorRuns()) broken.push_back("the coordinator has ended by itself");
}

void MachineRoom::judgeFacts(const Machine& machine) {
  const auto* host = site.host(machine.host);
  if (host == nullptr || !leadsSince_ || site.loop.clock.now() - *leadsSince_ < kMostAge) return;
  // One that stands still cannot take back what it has told.
  const bool standsStill = leader_.pausedUntil || site.loop.clock.now() - leader_.runsSince < kNotices;
  if (!isPowerKnown(*host) || standsStill) return;
  wrongFactsJudged += host->status.poweredOn == machine.isOn() ? 0 : 1;
  if (const auto age = machine.sinceOn(host->status.poweredOn); age > kMostAge)
    breaks(machine, fmt::format("is shown {} as known, and has not been for {} s",
                                host->status.poweredOn ? "on" : "off", age / 1s));
}

void MachineRoom::breaks(const Machine& machine, const std::string& what) {
  if (broken.size() < 20)
    broken.push_back(fmt::format("{} s: {} {}", site.loop.clock.now().time_since_epoch() / 1s, machine.host, what));
}

// A restart is a wish to be off, and on again.
bool MachineRoom::isWishedOn(const Machine& machine) const {
  const auto* host = site.host(machine.host);
  return host != nullptr && host->spec.online && !isToRestart(machine);
}

bool MachineRoom::isToRestart(const Machine& machine) const {
  const auto* host = site.host(machine.host);
  return host != nullptr && host->metadata.annotations.contains("reboot.metal3.io");
}

std::string MachineRoom::uidOf(const Machine& machine) const {
  const auto* host = site.host(machine.host);
  return host == nullptr ? "" : host->metadata.uid;
}

// --- logs ---

int MachineRoom::newsOf(const Machine& machine, const std::string& page) const {
  const auto before = newsBefore_.find(machine.host);
  int count = before == newsBefore_.end() ? 0 : before->second;
  const std::string head = fmt::format("bmh_log_entries_total{{namespace=\"metal\",host=\"{}\",", machine.host);
  for (auto at = page.find(head); at != std::string::npos; at = page.find(head, at + 1))
    count += std::stoi(page.substr(page.find("} ", at) + 2, 20));
  return count;
}

void MachineRoom::countNews() {
  const std::string page = site.metrics();
  for (const auto& machine : machines) newsBefore_[machine->host] = newsOf(*machine, page);
}

void MachineRoom::judgeLogs() {
  const std::string page = leads() ? site.metrics() : "";
  for (const auto& machine : machines) {
    const auto log = logs_.of(uidOf(*machine));
    if (log.read < machine->logged)
      breaks(*machine, fmt::format("logged {} entries, and {} were read", machine->logged, log.read));
    if (const int news = newsOf(*machine, page); news < log.read - log.history)
      breaks(*machine, fmt::format("of {} entries that were read {} were history, and {} became news", log.read,
                                   log.history, news));
  }
}

// --- the end ---

std::string MachineRoom::standing(const Machine& machine) const {
  const auto* host = site.host(machine.host);
  return fmt::format("{} is {}, wished {}, shown {} (known {}), {} {}: {}", machine.host, machine.isOn() ? "on" : "off",
                     host->spec.online ? "on" : "off", host->status.poweredOn ? "on" : "off",
                     site.powerKnown(machine.host), site.state(machine.host), host->status.operationalStatus,
                     host->status.errorMessage);
}

bool MachineRoom::isWell(const Machine& machine) const {
  const auto* host = site.host(machine.host);
  return site.settled(machine.host) && host->status.poweredOn == machine.isOn();
}

bool MachineRoom::heal() {
  for (const auto& machine : machines) {
    machine->trouble = Trouble::none;
    machine->bmc.password = "s3cret";
    site.setPassword(machine->host, "s3cret");
    site.patchHost(machine->host, R"({"metadata":{"annotations":{"ingot.dev/agent":null}}})");
  }
  resumeCoordinator();
  if (!leads()) startCoordinator();
  for (const auto* name : kAgents) {
    fillDisk(name, false);
    if (!runs(name)) startAgent(name);
    resume(name);
    site.mend(name);
  }
  watch(30s);
  for (const auto* name : kAgents) site.approve(name, R"({"drain":false})");
  return becomesWell();
}

bool MachineRoom::becomesWell() {
  for (base::Duration passed{}; passed < 1h; passed += 10s) {
    if (std::ranges::all_of(machines, [this](const auto& machine) { return isWell(*machine); })) return true;
    watch(10s);
  }
  for (const auto& machine : machines)
    if (!isWell(*machine)) broken.push_back("does not become well: " + standing(*machine));
  return false;
}

}  // namespace ingot::tests
