#include "coordinator/host/apply.hpp"

#include "coordinator/host/history.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/retry.hpp"
#include "coordinator/host/table.hpp"

namespace ingot::coordinator::host {
namespace {

bool remembersBootMode(State state) {
  return state == State::registering || state == State::inspecting || state == State::provisioning;
}

void move(api::BareMetalHost& host, Journal& journal, State from, State to, base::WallTime now) {
  if (!rowOf(from).allows(to)) {
    throw std::logic_error(fmt::format("a host may not go from \"{}\" to \"{}\"", text(from), text(to)));
  }
  leave(host, journal, from, now);
  enter(host, to, now);
  journal.count([from, to](Metrics& m) { m.stateChanged(from, to); });
  host.status.provisioning.state = text(to);
  if (remembersBootMode(to)) host.status.provisioning.bootMode = host.effectiveBootMode();
}

bool shows(const api::BareMetalHost& host, const Fail& failure) {
  return host.status.errorType == text(failure.type) && host.status.errorMessage == failure.message;
}

base::Duration delayAfter(const api::BareMetalHost& host, const Fail& failure, base::Random& random) {
  const base::Duration usual = failureDelay(host.status.errorCount, random);
  const bool leaves = beingDeleted(host) && isAboutReach(failure);
  return leaves ? std::min(usual, jittered(deletionFailureDelay, random)) : usual;
}

struct Apply {
  api::BareMetalHost& host;
  Journal& journal;
  base::WallTime now;
  base::Random& random;

  std::optional<base::Duration> operator()(const Stay& stay) const { return stay.after; }

  std::optional<base::Duration> operator()(const Goto& go) const {
    move(host, journal, stateOf(host), go.to, now);
    if (go.failures == Failures::forgotten) host.status.errorCount = 0;
    return atOnce;
  }

  std::optional<base::Duration> operator()(const Fail& failure) const {
    if (!failure.retryAfter) {
      recordFailure(host, journal, failure);
      return delayAfter(host, failure, random);
    }
    if (!shows(host, failure)) recordFailure(host, journal, failure);
    return jittered(*failure.retryAfter, random);
  }

  std::optional<base::Duration> operator()(const NoSlot& none) const {
    host.status.operationalStatus = api::operational_status::delayed;
    const HostName name{host.metadata.namespace_, host.metadata.name};
    journal.count([name, wanted = none.wanted](Metrics& m) { m.delayed(name, wanted); });
    return failureDelay(1, random);
  }

  std::optional<base::Duration> operator()(const Gone&) const { return std::nullopt; }
};

}  // namespace

std::optional<base::Duration> apply(const Step& step, api::BareMetalHost& host, Journal& journal, base::WallTime now,
                                    base::Random& random) {
  return std::visit(Apply{host, journal, now, random}, step);
}

State stateOf(const api::BareMetalHost& host) {
  const auto state = parseProvisioningState(host.status.provisioning.state);
  if (!state) throw base::Error(fmt::format("no handler found for state \"{}\"", host.status.provisioning.state));
  return *state;
}

void recordFailure(api::BareMetalHost& host, Journal& journal, const Fail& failure) {
  auto& status = host.status;
  status.operationalStatus = api::operational_status::error;
  status.errorType = text(failure.type);
  status.errorMessage = failure.message;
  ++status.errorCount;
  journal.event(std::string(eventReason(failure.type)), failure.message);
  journal.count([type = failure.type](Metrics& m) { m.hostFailed(type); });
}

}  // namespace ingot::coordinator::host
