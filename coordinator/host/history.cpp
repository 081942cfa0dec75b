#include "coordinator/host/history.hpp"

namespace ingot::coordinator::host {
namespace {

api::OperationMetric& recordOf(api::BareMetalHost& host, Operation operation) {
  auto& history = host.status.operationHistory;
  switch (operation) {
    case Operation::registration: return history.register_;
    case Operation::inspection: return history.inspect;
    case Operation::provisioning: return history.provision;
    case Operation::deprovisioning: return history.deprovision;
  }
  throw std::logic_error("no such operation");
}

std::optional<Operation> operationOf(State state) {
  switch (state) {
    case State::registering: return Operation::registration;
    case State::inspecting: return Operation::inspection;
    case State::provisioning: return Operation::provisioning;
    case State::deprovisioning: return Operation::deprovisioning;
    case State::none:
    case State::unmanaged:
    case State::matchProfile:
    case State::preparing:
    case State::available:
    case State::ready:
    case State::provisioned:
    case State::externallyProvisioned:
    case State::poweringOffBeforeDelete:
    case State::deleting: return std::nullopt;
  }
  return std::nullopt;
}

// The API stores whole seconds: anything finer would look like a change in the next pass.
base::WallTime wholeSeconds(base::WallTime t) { return std::chrono::floor<std::chrono::seconds>(t); }

}  // namespace

void begin(api::BareMetalHost& host, Operation operation, base::WallTime now) {
  auto& record = recordOf(host, operation);
  if (record.start && !record.end) return;
  record = {.start = wholeSeconds(now), .end = std::nullopt};
}

bool end(api::BareMetalHost& host, Journal& journal, Operation operation, base::WallTime now) {
  auto& record = recordOf(host, operation);
  if (!record.start || record.end) return false;
  record.end = wholeSeconds(now);
  const base::Duration took = *record.end - *record.start;
  const HostName name{host.metadata.namespace_, host.metadata.name};
  journal.count([name, operation, took](Metrics& m) { m.took(name, operation, took); });
  return true;
}

void enter(api::BareMetalHost& host, State state, base::WallTime now) {
  if (const auto operation = operationOf(state)) begin(host, *operation, now);
}

void leave(api::BareMetalHost& host, Journal& journal, State state, base::WallTime now) {
  if (const auto operation = operationOf(state)) end(host, journal, *operation, now);
}

}  // namespace ingot::coordinator::host
