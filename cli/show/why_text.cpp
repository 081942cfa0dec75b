#include "cli/show/why_text.hpp"

#include "cli/decide/host_next.hpp"
#include "cli/decide/why.hpp"
#include "cli/decide/why_ready.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/plain_text.hpp"

namespace ingot::cli {
namespace {

struct Answer {
  std::string head;
  std::vector<std::string> facts;
  std::optional<base::WallTime> since, lastChange;
  std::string next;
};

// A status is written when something changes: its time tells for how long nothing has, not when it was last looked at.
std::string text(const Answer& answer, base::WallTime now) {
  std::string out = plainText(answer.head) + "\n";
  for (const auto& fact : answer.facts) out += "  " + plainText(fact) + "\n";
  if (answer.since) out += fmt::format("  since: {} ago\n", ageText(answer.since, now));
  if (answer.lastChange) out += fmt::format("  unchanged for: {}\n", ageText(answer.lastChange, now));
  if (!answer.next.empty()) out += "  next: " + plainText(answer.next) + "\n";
  return out;
}

}  // namespace

std::string machineStanding(const MachinePicture& picture, const std::optional<Obstacle>& obstacle,
                            base::WallTime now) {
  if (!obstacle) {
    const std::string node = picture.owner ? picture.owner->status.nodeRef.name : "";
    return node.empty() ? "ready, providerID " + picture.machine.spec.providerID : "ready, Node " + node;
  }
  return "waits for " + obstacle->waitsFor +
         (obstacle->since ? fmt::format(", for {}", ageText(obstacle->since, now)) : "");
}

std::string whyMachine(const MachinePicture& picture, base::WallTime now) {
  const auto obstacle = obstacleOf(picture, now);
  const std::string head =
      fmt::format("machine {}: {}", picture.machine.metadata.name, machineStanding(picture, obstacle, now));
  if (!obstacle)
    return text({.head = head, .facts = whyReady(picture, now), .lastChange = picture.machine.status.lastUpdated}, now);
  const auto& lastChange =
      obstacle->isOfHost && picture.host ? picture.host->status.lastUpdated : picture.machine.status.lastUpdated;
  return text({.head = head, .facts = obstacle->facts, .lastChange = lastChange, .next = obstacle->next}, now);
}

std::string whyHost(const api::BareMetalHost& host, base::WallTime now) {
  return text({.head = fmt::format("host {}: {}", host.metadata.name, stateAndPower(host, now)),
               .facts = whyWaiting(host, now),
               .since = waitsSince(host),
               .lastChange = host.status.lastUpdated,
               .next = nextOf(host)},
              now);
}

}  // namespace ingot::cli
