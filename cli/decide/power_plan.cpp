#include "cli/decide/power_plan.hpp"

#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/bmh/reboot_request.hpp"
#include "api/capm3/names.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "cli/decide/host_facts.hpp"
#include "cli/words/power.hpp"

namespace ingot::cli {
namespace {

using State = PowerKnowledge::State;

bool isAvailable(const api::BareMetalHost& host) {
  const auto state = stateOf(host);
  return state && api::isAvailable(*state);
}

// True in the states in which the coordinator acts on power intent at once.
bool powerIsManaged(const api::BareMetalHost& host) {
  const auto state = stateOf(host);
  return state && api::rests(*state);
}

std::string stateText(const api::BareMetalHost& host) {
  const std::string& state = host.status.provisioning.state;
  return state.empty() ? "new" : state;
}

std::string rebootValue(const api::BareMetalHost& host, bool hard) {
  // A host that is not provisioned reboots only when the request has "force": true.
  return json::serialize(json::encode(api::RebootRequest{.mode = hard ? "hard" : "soft", .force = isAvailable(host)}));
}

json::Object annotate(std::string_view name, std::string value) {
  return {{"metadata", json::Object{{"annotations", json::Object{{name, std::move(value)}}}}}};
}

PowerPlan refused(std::string why) { return {.refusal = std::move(why)}; }

std::vector<std::string> obstacles(const api::BareMetalHost& host) {
  std::vector<std::string> notes;
  for (const auto& hold : api::kHolds)
    if (isAnnotated(host, hold.annotation)) notes.push_back("it is " + holdText(hold, host));
  if (!powerIsManaged(host))
    notes.push_back(fmt::format("it is {}: power is switched once it is available or provisioned", stateText(host)));
  return notes;
}

void noteHolders(std::vector<std::string>& notes, const api::BareMetalHost& host) {
  for (const auto& [name, value] : host.metadata.annotations)
    if (name.starts_with(api::annotation::rebootPrefix))
      notes.push_back("it is kept off until annotation " + name + " is removed");
}

PowerPlan setOnline(const api::BareMetalHost& host, bool online) {
  const std::string_view word = online ? "on" : "off";
  PowerPlan plan{.notes = obstacles(host)};
  if (host.spec.online == online) {
    plan.said = fmt::format("power {} is asked for already (spec.online: {})", word, online);
    return plan;
  }
  plan.patch = {{"spec", json::Object{{"online", online}}}};
  plan.said = fmt::format("asked for power {} through spec.online: {}; the coordinator carries it out", word, online);
  return plan;
}

PowerPlan planOn(const api::BareMetalHost& host) {
  PowerPlan plan = setOnline(host, true);
  noteHolders(plan.notes, host);
  if (!plan.patch.empty() && isAvailable(host) && host.spec.image && !host.spec.image->url.empty())
    plan.notes.emplace_back("it has an image, so it will be provisioned now");
  return plan;
}

// Hard: the annotation for a hard reboot turns a host off at once, and spec.online keeps it off.
void makeHard(PowerPlan& plan, const api::BareMetalHost& host) {
  if (powerOf(host).state == State::off || !powerIsManaged(host)) return;
  json::Value patch = std::move(plan.patch);
  json::makeObjectAt(patch, {"metadata", "annotations"})[api::annotation::reboot] = rebootValue(host, true);
  plan.patch = patch.get_object();
  plan.said = fmt::format(
      "asked for power off at once through spec.online: false and annotation {}; the coordinator carries it out",
      api::annotation::reboot);
}

// Its machine has it on (spec/capm3.md §10.2).
void noteMachine(std::vector<std::string>& notes, const api::BareMetalHost& host) {
  const auto& consumer = host.spec.consumerRef;
  if (!consumer || consumer->kind != api::capm3::v1beta2::Metal3Machine::info.kind) return;
  notes.push_back(
      fmt::format("Metal3Machine {} uses it, and switches it on again: to keep it off, pause that one first "
                  "(annotation {}), or annotate the host with {}NAME",
                  consumer->name, api::capm3::annotation::paused, api::annotation::rebootPrefix));
}

PowerPlan planOff(const api::BareMetalHost& host, bool hard) {
  if (host.spec.disablePowerOff)
    return refused("spec.disablePowerOff forbids to power it off; power reboot still works");
  PowerPlan plan = setOnline(host, false);
  noteMachine(plan.notes, host);
  if (hard) makeHard(plan, host);
  return plan;
}

PowerPlan planReboot(const api::BareMetalHost& host, bool hard) {
  if (!powerIsManaged(host))
    return refused(fmt::format(
        "it is {}, where a reboot request is dropped; try again once it is available or provisioned", stateText(host)));
  if (!host.spec.online)
    return refused("it should be off (spec.online: false), so there is nothing to reboot; use power on");
  if (powerOf(host).state == State::off)
    return refused("it is off, and a host that is off drops reboot requests; wait until it is on");
  PowerPlan plan{.notes = obstacles(host)};
  noteHolders(plan.notes, host);
  if (isAnnotated(host, api::annotation::reboot)) {
    plan.said = fmt::format("a reboot is asked for already (annotation {})", api::annotation::reboot);
    return plan;
  }
  plan.patch = annotate(api::annotation::reboot, rebootValue(host, hard));
  plan.said = fmt::format("asked for a {} reboot through annotation {}; the coordinator carries it out",
                          hard ? "hard" : "soft", api::annotation::reboot);
  return plan;
}

}  // namespace

PowerPlan planPower(PowerVerb verb, bool hard, const api::BareMetalHost& host) {
  if (host.metadata.beingDeleted()) return refused("it is being deleted; its power is no longer yours to choose");
  switch (verb) {
    case PowerVerb::on: return planOn(host);
    case PowerVerb::off: return planOff(host, hard);
    case PowerVerb::reboot: return planReboot(host, hard);
    case PowerVerb::nmi:
    case PowerVerb::acCycle:
    case PowerVerb::status: break;
  }
  return {};
}

PowerPlan planOneShot(PowerVerb verb, const api::BareMetalHost& host, base::WallTime now) {
  const bool isNmi = verb == PowerVerb::nmi;
  if (host.metadata.beingDeleted()) return refused("it is being deleted");
  if (const auto* hold = api::findHold(host, api::kHolds)) return refused("it is " + holdText(*hold, host));
  if (!powerIsManaged(host))
    return refused(fmt::format("it is {}; try again once it is available or provisioned", stateText(host)));
  if (isNmi && powerOf(host).state == State::off) return refused("it is off: there is no system to interrupt");
  if (!isNmi && host.spec.disablePowerOff) return refused("spec.disablePowerOff forbids to take its input power away");
  const auto annotation = isNmi ? api::annotation::nmi : api::annotation::acCycle;
  return {.patch = annotate(annotation, base::formatTime(now)),
          .said = fmt::format("asked for an {} through annotation {}; an Event of the host ({}) tells how it went",
                              isNmi ? "NMI" : "AC cycle", annotation,
                              isNmi ? "NMISent or NMIFailed" : "ACCycleDone or ACCycleFailed")};
}

PowerPlan planInspection(const api::BareMetalHost& host) {
  if (host.metadata.beingDeleted()) return refused("it is being deleted");
  if (host.inspectionDisabled())
    return refused(fmt::format("its inspection is disabled; remove spec.inspectionMode and annotation {} first",
                               api::annotation::inspect));
  PowerPlan plan;
  if (stateOf(host) == api::ProvisioningState::inspecting) {
    plan.said = "it is being inspected already";
    return plan;
  }
  if (api::findHold(host, api::kHolds)) plan.notes = obstacles(host);
  if (!isAvailable(host))
    plan.notes.push_back(fmt::format("it is {}: it is inspected again once it is available", stateText(host)));
  if (isAnnotated(host, api::annotation::inspect)) {
    plan.said = fmt::format("an inspection is asked for already (annotation {})", api::annotation::inspect);
    return plan;
  }
  plan.patch = annotate(api::annotation::inspect, "");
  plan.said = fmt::format("asked for an inspection through annotation {}; the coordinator carries it out",
                          api::annotation::inspect);
  return plan;
}

}  // namespace ingot::cli
