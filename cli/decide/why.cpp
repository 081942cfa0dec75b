#include "cli/decide/why.hpp"

#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "cli/decide/host_facts.hpp"
#include "cli/words/duration.hpp"
#include "cli/words/power.hpp"

namespace ingot::cli {
namespace {

using Lines = std::vector<std::string>;

void addHolds(Lines& lines, const api::BareMetalHost& host) {
  for (const auto& hold : api::kHolds)
    if (isAnnotated(host, hold.annotation)) lines.push_back(holdText(hold, host));
  for (const auto& [name, value] : host.metadata.annotations)
    if (name.starts_with(api::annotation::rebootPrefix))
      lines.push_back("kept off until annotation " + name + " is removed");
  if (const auto mark = unhealthyMarkOf(host); !mark.empty())
    lines.push_back(
        fmt::format("marked unhealthy by annotation {}: no machine gets it until ingotctl retry host {} takes it off",
                    mark, host.metadata.name));
}

void addRequests(Lines& lines, const api::BareMetalHost& host) {
  if (isAnnotated(host, api::annotation::reboot))
    lines.push_back(fmt::format("a reboot is asked for by annotation {}", api::annotation::reboot));
  if (isInspectionAsked(host))
    lines.push_back(fmt::format("an inspection is asked for by annotation {}", api::annotation::inspect));
  if (runsWithdrawn(host))
    lines.emplace_back(hasDeployment(host) ? "spec names another image than it runs" : "spec names no image any more");
}

void addError(Lines& lines, const api::BareMetalHost& host) {
  const auto& s = host.status;
  if (s.operationalStatus == api::operational_status::delayed)
    lines.emplace_back("waiting for a provisioning slot: as many hosts as allowed are being inspected or provisioned");
  if (s.errorType.empty()) return;
  lines.push_back(fmt::format("{}{}: {}", s.errorType,
                              s.errorCount > 1 ? fmt::format(" (failed {} times in a row)", s.errorCount) : "",
                              s.errorMessage.empty() ? "no message" : s.errorMessage));
}

// What a state works on, and which of the history's times tells since when.
struct Work {
  api::ProvisioningState state;
  std::string_view words;
  api::OperationMetric api::OperationHistory::* times = nullptr;
};
using enum api::ProvisioningState;
constexpr std::string_view imageIsDeployed = "the image is being deployed";
constexpr std::string_view imageIsBootedByAgent = "an agent boots its live ISO (annotation ingot.dev/boot-by)";
constexpr Work works[] = {
    {registering, "its BMC is being reached and its credentials tried", &api::OperationHistory::register_},
    {inspecting, "its hardware is being inspected", &api::OperationHistory::inspect},
    {matchProfile, "its hardware profile is being chosen"},
    {preparing, "it is being prepared: cleaning, RAID, firmware settings"},
    {provisioning, imageIsDeployed, &api::OperationHistory::provision},
    {deprovisioning, "it is being deprovisioned and cleaned", &api::OperationHistory::deprovision},
    {poweringOffBeforeDelete, "it is being powered off before it is deleted"},
    {deleting, "it is being removed from the backend"},
};

void addWork(Lines& lines, const api::BareMetalHost& host, base::WallTime now) {
  const auto state = stateOf(host);
  const auto* work = state ? std::ranges::find(works, *state, &Work::state) : std::end(works);
  if (work == std::end(works)) return;
  const bool byAgent = work->state == provisioning && booterOf(host) == Booter::agent;
  std::string line(byAgent ? imageIsBootedByAgent : work->words);
  if (work->times) {
    const auto& times = host.status.operationHistory.*work->times;
    if (times.start && !times.end) line += fmt::format(", for {}", ageText(times.start, now));
  }
  lines.push_back(std::move(line));
  // What the work waits for; what has failed is told as an error.
  if (host.status.errorType.empty() && !host.status.errorMessage.empty()) lines.push_back(host.status.errorMessage);
}

std::string claimed(const api::ObjectReference& consumer) {
  const bool isMachine = consumer.kind == api::capm3::v1beta2::Metal3Machine::info.kind;
  return fmt::format("available: claimed by {} {}, which has not told it what to run yet{}", consumer.kind,
                     consumer.name, isMachine ? "; see ingotctl why machine " + consumer.name : "");
}

std::string kept(const api::BareMetalHost& host, const std::string& owner) {
  return fmt::format(
      "available: kept for machines of {} by label {}, and no other one gets it; if there will be none, "
      "remove the label{}",
      owner, api::capm3::label::nodeReuse, host.spec.consumerRef ? " and spec.consumerRef" : "");
}

void addMissing(Lines& lines, const api::BareMetalHost& host) {
  const bool isNew = stateOf(host) == none || stateOf(host) == unmanaged;
  if (isNew && !host.hasBmcDetails())
    lines.emplace_back("not managed: set spec.bmc.address and spec.bmc.credentialsName");
  if (stateOf(host) == none && host.hasBmcDetails())
    lines.emplace_back("nobody has looked at it yet: is the coordinator running?");
  const auto state = stateOf(host);
  if (!state || !isAvailable(*state)) return;
  if (hasDeployment(host))
    lines.emplace_back(host.spec.online
                           ? "has an image, and is about to be provisioned"
                           : "has an image, but only a host that should be on is provisioned: set spec.online: true");
  else if (const std::string owner = keptFor(host); !owner.empty())
    lines.push_back(kept(host, owner));
  else if (host.spec.consumerRef)
    lines.push_back(claimed(*host.spec.consumerRef));
  else if (unhealthyMarkOf(host).empty())
    lines.emplace_back("available: set spec.image, or let a machine claim it, and it will be provisioned");
}

void addPower(Lines& lines, const api::BareMetalHost& host, base::WallTime now) {
  const auto power = powerOf(host);
  using State = PowerKnowledge::State;
  if (power.state == State::never) return;
  const bool isOn = power.state == State::on;
  const auto state = stateOf(host);
  const bool atRest = state && rests(*state);
  if (power.state == State::unknown)
    lines.push_back("power " + powerSentence(host, now) + "; its BMC or its agent does not answer");
  else if (isOn != host.spec.online && atRest)
    lines.push_back("power is " + powerSentence(host, now));
}

}  // namespace

std::vector<std::string> whyWaiting(const api::BareMetalHost& host, base::WallTime now) {
  Lines lines;
  addHolds(lines, host);
  addError(lines, host);
  if (host.metadata.beingDeleted())
    lines.push_back(fmt::format("being deleted for {}", ageText(host.metadata.deletionTimestamp, now)));
  addMissing(lines, host);
  addRequests(lines, host);
  addWork(lines, host, now);
  addPower(lines, host, now);
  return lines;
}

std::string stateAndPower(const api::BareMetalHost& host, base::WallTime now) {
  const std::string& state = host.status.provisioning.state;
  return fmt::format("{}, power {}", state.empty() ? "new" : state, powerWord(host, now));
}

std::string standing(const api::BareMetalHost& host, base::WallTime now) {
  std::string line = stateAndPower(host, now);
  if (!host.status.errorType.empty()) line += fmt::format("; {}: {}", host.status.errorType, host.status.errorMessage);
  return line;
}

}  // namespace ingot::cli
