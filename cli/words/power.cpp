#include "cli/words/power.hpp"

#include "api/bmh/provisioning_state.hpp"
#include "cli/words/duration.hpp"
#include "kube/runtime/conditions.hpp"

namespace ingot::cli {
namespace {

using State = PowerKnowledge::State;

std::string_view word(bool on) { return on ? "on" : "off"; }

}  // namespace

PowerKnowledge powerOf(const api::BareMetalHost& host) {
  PowerKnowledge power{.lastOn = host.status.poweredOn};
  const State said = host.status.poweredOn ? State::on : State::off;
  if (const auto* known = kube::findCondition(host.status.conditions, "PowerStateKnown")) {
    power.state = known->status == "True" ? said : State::unknown;
    if (power.state == State::unknown) power.since = known->lastTransitionTime;
    return power;
  }
  // Other controllers do not write the condition; they have read the power once a host has passed registration.
  using enum api::ProvisioningState;
  const auto state = api::parseProvisioningState(host.status.provisioning.state);
  if (state != none && state != registering && state != unmanaged) power.state = said;
  return power;
}

std::string powerWord(const api::BareMetalHost& host, base::WallTime now) {
  const PowerKnowledge power = powerOf(host);
  switch (power.state) {
    case State::never: return "-";
    case State::unknown: return power.since ? fmt::format("unknown({})", ageText(power.since, now)) : "unknown";
    case State::on:
    case State::off: break;
  }
  const bool on = power.state == State::on;
  if (on == host.spec.online) return std::string(word(on));
  return fmt::format("{}->{}", word(on), word(!on));
}

std::string powerSentence(const api::BareMetalHost& host, base::WallTime now) {
  const PowerKnowledge power = powerOf(host);
  const std::string wanted = fmt::format("should be {}", word(host.spec.online));
  switch (power.state) {
    case State::never: return "not read yet; " + wanted;
    case State::unknown:
      return fmt::format("not known for {} (it was {}); {}", ageText(power.since, now), word(power.lastOn), wanted);
    case State::on:
    case State::off: break;
  }
  const bool on = power.state == State::on;
  return fmt::format("{}, {} {}", word(on), on == host.spec.online ? "as it" : "and", wanted);
}

}  // namespace ingot::cli
