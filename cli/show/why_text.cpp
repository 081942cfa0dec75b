#include "cli/show/why_text.hpp"

#include "cli/decide/why.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/plain_text.hpp"

namespace ingot::cli {
namespace {

std::string text(const std::string& head, const std::vector<std::string>& facts,
                 const std::optional<base::WallTime>& asOf, const std::string& next, base::WallTime now) {
  std::string out = plainText(head) + "\n";
  for (const auto& fact : facts) out += "  " + plainText(fact) + "\n";
  if (asOf) out += fmt::format("  as of: {} ago\n", ageText(asOf, now));
  if (!next.empty()) out += "  next: " + plainText(next) + "\n";
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
  if (!obstacle) return text(head, {}, picture.machine.status.lastUpdated, "", now);
  const auto& asOf =
      obstacle->isOfHost && picture.host ? picture.host->status.lastUpdated : picture.machine.status.lastUpdated;
  return text(head, obstacle->facts, asOf, obstacle->next, now);
}

std::string whyHost(const api::BareMetalHost& host, base::WallTime now) {
  const auto lines = whyWaiting(host, now);
  return text(fmt::format("host {}: {}", host.metadata.name, standing(host, now)), lines, host.status.lastUpdated,
              lines.empty() ? "nothing: it is what it should be" : "", now);
}

}  // namespace ingot::cli
