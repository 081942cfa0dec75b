// Every state × every effect × every fault. The points are those of a fault-free life, so a
// new effect is covered from its first day. A failure names state, effect and fault.
#include "tests/matrix/life.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests::matrix {
namespace {

constexpr std::size_t together = 24;  // hosts of one plant that live their faults side by side

// Where hosts live: who serves them, what their BMCs speak.
struct Place {
  Agents agents;
  Protocol protocol = Protocol::redfish;
};

std::vector<Point> pointsOfALife(Place place, const Story& story = plainLife) {
  Plant plant(place.agents, place.protocol);
  std::vector<Life> lives{{plant, story, "a"}};
  live(plant, lives);
  std::string problem = lives.front().failure();
  if (problem.empty()) problem = audit(plant, story, "a", {});
  INFO(problem);
  REQUIRE(problem.empty());
  REQUIRE(plant.workBegun > 0);  // it was looked at who might act meanwhile
  return plant.tape.points("a");
}

struct Outcome {
  std::vector<std::string> bad;  // one line each
  std::vector<Case> missed;      // the point was never reached: in company a host may get by without it
};

// A command that got lost on its way is told after a while as one that did nothing.
std::vector<std::string_view> causesOf(const Case& one) {
  const bool lost = one.at.toAgent() && one.fault == Fault::brokenBefore;
  return lost ? std::vector<std::string_view>{"it was asked for"} : causes(one.fault);
}

// Runs these cases side by side in one plant, each on a host of its own.
Outcome run(Place place, const Story& story, std::span<const Case> cases) {
  Plant plant(place.agents, place.protocol);
  std::vector<Life> lives;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    lives.emplace_back(plant, story, fmt::format("h{}", i));
    plant.tape.arm(lives.back().name(), cases[i]);
  }
  live(plant, lives);
  Outcome outcome;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& name = lives[i].name();
    std::string problem = lives[i].failure();
    if (problem.empty()) problem = audit(plant, story, name, causesOf(cases[i]));
    if (!problem.empty()) outcome.bad.push_back(cases[i].text() + ": " + problem);
    if (problem.empty() && !plant.tape.struck(name)) outcome.missed.push_back(cases[i]);
  }
  if (plant.commandRepeated()) outcome.bad.emplace_back("a command was begun twice");
  return outcome;
}

std::vector<std::string> runInBatches(Place place, const Story& story, std::span<const Case> cases, std::size_t size) {
  std::vector<std::string> bad;
  const auto runSome = [&](std::span<const Case> some) {
    Outcome outcome = run(place, story, some);
    bad.insert(bad.end(), outcome.bad.begin(), outcome.bad.end());
    return std::move(outcome.missed);
  };
  for (std::size_t at = 0; at < cases.size(); at += size) {
    for (const Case& one : runSome(cases.subspan(at, std::min(size, cases.size() - at)))) {
      if (!runSome({&one, 1}).empty()) bad.push_back(one.text() + ": the point was never reached");
    }
  }
  return bad;
}

bool saves(const Point& point) { return point.what.starts_with("PATCH baremetalhosts"); }
bool toIronic(const Point& point) {
  constexpr std::string_view ofTheApi[] = {"baremetalhosts", "events", "secrets", "hardwaredata"};
  return !point.toAgent() &&
         std::ranges::none_of(ofTheApi, [&](auto resource) { return point.what.find(resource) != std::string::npos; });
}

// Comes in the same moment as the save beside it: a fault of the surroundings that begins here begins there.
bool beside(const Point& point) {
  constexpr std::string_view companions[] = {"events", "secrets", "hardwaredata"};
  return std::ranges::any_of(companions, [&](auto word) { return point.what.find(word) != std::string::npos; });
}

// Elsewhere it is Ironic's work that switches, and Ironic's double is not disobeyed.
bool switchedByUs(const Point& point) {
  constexpr std::string_view states[] = {"available", "provisioned", "deprovisioning", "powering off before delete"};
  return std::ranges::find(states, point.state) != std::end(states);
}

bool ofDeath(Fault fault) { return fault == Fault::killedBefore || fault == Fault::killedAfter; }
bool ofRequest(Fault fault) { return fault < Fault::agentLost; }

// A message to an agent is sent or lost, it has no answer that could be bad.
bool canHappen(Fault fault, const Point& point) {
  if (point.toAgent() && ofRequest(fault)) return ofDeath(fault) || fault == Fault::brokenBefore;
  return fault != Fault::bmcIgnoresResets || switchedByUs(point);
}

// Where a fault tells something that no other case tells. Death before anything but a save is death after the effect
// before it.
bool worthIt(Fault fault, const Point& point) {
  if (point.reads()) {  // changes nothing: only its answer can be missing
    const bool ofIronic = fault == Fault::answers500 || fault == Fault::answers503 || fault == Fault::late;
    return fault == Fault::brokenBefore || (ofIronic && toIronic(point));
  }
  switch (fault) {
    case Fault::killedBefore: return saves(point);
    case Fault::killedAfter: return !saves(point);
    case Fault::answers500:
    case Fault::answers503:
    case Fault::late: return toIronic(point);
    default: return ofRequest(fault) || !beside(point);
  }
}

// INGOT_MATRIX_WHOLE: also where another case tells the same (`./dev test long`).
bool isWhole() { return std::getenv("INGOT_MATRIX_WHOLE") != nullptr; }

// INGOT_MATRIX=TEXT: only cases whose name holds this; a matrix without one fails.
bool askedFor(const Case& one) {
  const char* only = std::getenv("INGOT_MATRIX");
  return only == nullptr || one.text().find(only) != std::string::npos;
}

std::vector<Case> casesOf(const std::vector<Point>& points, std::span<const Fault> faults) {
  std::vector<Case> cases;
  for (const Fault fault : faults)
    for (const Point& point : points)
      if (canHappen(fault, point) && (isWhole() || worthIt(fault, point)) && askedFor({point, fault}))
        cases.push_back({point, fault});
  return cases;
}

// What the second life has that the first has not.
std::vector<Point> without(const std::vector<Point>& first, std::vector<Point> second) {
  std::erase_if(second, [&](const Point& point) { return std::ranges::find(first, point) != first.end(); });
  return second;
}

std::string lines(const std::vector<std::string>& bad) { return fmt::format("\n{}\n", fmt::join(bad, "\n")); }

void check(Place place, std::span<const Fault> faults, std::size_t size, const std::vector<Point>& points,
           const Story& story = plainLife) {
  const auto cases = casesOf(points, faults);
  REQUIRE_FALSE(cases.empty());  // it would prove nothing
  const auto bad = runInBatches(place, story, cases, size);
  INFO(bad.size() << " of " << cases.size() << " failed:" << lines(bad));
  CHECK(bad.empty());
}

// To Ironic a BMC that cannot be used is one fault, whatever the reason.
std::span<const Fault> bmcFaultsFor(Agents agents) {
  static constexpr Fault asIronicSeesThem[] = {Fault::bmcAnswers500, Fault::bmcIgnoresResets};
  if (agents == Agents::none && !isWhole()) return asIronicSeesThem;
  return bmcFaults;
}

void check(Place place, std::span<const Fault> faults, std::size_t size) {
  check(place, faults, size, pointsOfALife(place));
}

}  // namespace

TEST_CASE("a coordinator killed at any effect comes back to the same end", "[matrix]") {
  const auto agents = GENERATE(Agents::none, Agents::oneForAll);
  check({agents}, deaths, 1);  // a death is everybody's
}

TEST_CASE("any request may fail in any way: a host is late, and nothing else", "[matrix]") {
  const auto alone = pointsOfALife({Agents::none});
  check({Agents::none}, stumbles, together, alone);
  check({Agents::oneForAll}, stumbles, together, without(alone, pointsOfALife({Agents::oneForAll})));
}

TEST_CASE("a life with everything that may happen to a host in use stands the same", "[matrix]") {
  const auto agents = GENERATE(Agents::none, Agents::oneForAll);
  const auto more = without(pointsOfALife({agents}), pointsOfALife({agents}, eventfulLife));
  REQUIRE_FALSE(more.empty());
  check({agents}, deaths, 1, more, eventfulLife);
  check({agents}, stumbles, together, more, eventfulLife);
}

TEST_CASE("an agent may be lost at any effect", "[matrix]") {
  constexpr Fault lost[] = {Fault::agentLost};
  check({Agents::oneEach}, lost, together);
}

TEST_CASE("the list of all nodes may fail from any effect on: single ones tell enough", "[matrix]") {
  constexpr Fault sweeps[] = {Fault::sweepsFail};
  check({GENERATE(Agents::none, Agents::oneForAll)}, sweeps, together);
}

TEST_CASE("hosts behind IPMI stand the same", "[matrix]") {
  const Place place{GENERATE(Agents::none, Agents::oneForAll), Protocol::ipmi};
  const auto points = pointsOfALife(place);
  constexpr Fault ofRequests[] = {Fault::answers503, Fault::brokenBefore, Fault::brokenAfter};
  if (isWhole()) check(place, deaths, 1, points);
  check(place, isWhole() ? std::span<const Fault>(stumbles) : ofRequests, together, points);
  check(place, bmcFaultsFor(place.agents), together, points);
}

TEST_CASE("a BMC may fall ill at any effect: the error names the cause, and is forgotten with it", "[matrix]") {
  const auto agents = GENERATE(Agents::oneForAll, Agents::none);
  check({agents}, bmcFaultsFor(agents), together);
}

}  // namespace ingot::tests::matrix
