#include "cli/show/machine_description.hpp"

#include "api/capm3/host_link.hpp"
#include "cli/decide/why.hpp"
#include "cli/show/sections.hpp"
#include "cli/show/why_text.hpp"
#include "cli/words/duration.hpp"

namespace ingot::cli {
namespace {

std::string ownerText(const MachinePicture& picture) {
  const std::string name = ownerMachineOf(picture.machine.metadata);
  if (name.empty() || picture.owner)
    return name + (picture.owner && !picture.owner->status.phase.empty()
                       ? fmt::format(" ({})", picture.owner->status.phase)
                       : "");
  return name + (isUnread(picture, "Machine") ? " (not read)" : " (not there)");
}

std::string hostText(const MachinePicture& picture, base::WallTime now) {
  const auto link = api::capm3::linkedHostOf(picture.machine.metadata);
  if (!link) return "none";
  if (!picture.host)
    return fmt::format("{} ({})", link->name, isUnread(picture, "BareMetalHost") ? "not read" : "not there");
  return fmt::format("{} ({})", link->name,
                     mayBeItsHost(picture) ? standing(*picture.host, now) : consumerText(picture));
}

std::string dataText(const MachinePicture& picture) {
  if (!picture.machine.spec.dataTemplate) return "";
  if (!picture.data && (isUnread(picture, "Metal3DataClaim") || isUnread(picture, "Metal3Data"))) return "not read";
  if (!picture.data) return fmt::format("none yet, of template {}", picture.machine.spec.dataTemplate->name);
  const auto index = picture.data->spec.index;
  return fmt::format("{}{}{}", picture.data->metadata.name, index ? fmt::format(", index {}", *index) : "",
                     picture.data->status.ready.value_or(false) ? "" : ", not ready");
}

std::string addressesText(const MachinePicture& picture) {
  std::string out;
  for (const auto& each : picture.machine.status.addresses)
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", each.address, each.type);
  return out;
}

std::string factsOf(const MachinePicture& picture, base::WallTime now) {
  const auto& machine = picture.machine;
  const auto& status = machine.status;
  Facts facts;
  facts.add("Name", machine.metadata.name);
  facts.add("Namespace", machine.metadata.namespace_);
  facts.add("Age", ageText(machine.metadata.creationTimestamp, now));
  facts.add("State", machineStanding(picture, obstacleOf(picture, now), now));
  facts.add("Cluster", clusterNameOf(machine.metadata));
  facts.add("Machine", ownerText(picture));
  facts.add("Host", hostText(picture, now));
  facts.add("Image", machine.spec.image.url);
  facts.add("Data", dataText(picture));
  facts.add("User data", status.userData ? "Secret " + status.userData->name : "");
  facts.add("Meta data", status.metaData ? "Secret " + status.metaData->name : "");
  facts.add("Network data", status.networkData ? "Secret " + status.networkData->name : "");
  facts.add("Addresses", addressesText(picture));
  facts.add("Provider ID", machine.spec.providerID);
  facts.add("Node", picture.owner ? picture.owner->status.nodeRef.name : "");
  return facts.text();
}

}  // namespace

std::string describeMachine(const MachinePicture& picture, std::optional<std::vector<kube::Event>> events,
                            base::WallTime now) {
  const auto obstacle = obstacleOf(picture, now);
  auto lines = obstacle ? obstacle->facts : std::vector<std::string>();
  if (obstacle && !obstacle->next.empty()) lines.push_back("next: " + obstacle->next);
  return trimmedLines(factsOf(picture, now) + waitingText(lines) +
                      conditionsText(picture.machine.status.conditions, now) + eventsText(std::move(events), now));
}

}  // namespace ingot::cli
