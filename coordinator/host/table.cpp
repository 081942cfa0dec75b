#include "coordinator/host/table.hpp"

#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host {
namespace {

using enum State;

// Out of each state, the work done first, deletion last. Straight to deleting go those that were never worked on,
// and detached ones.
constexpr State fromNone[] = {registering, unmanaged, deleting};
constexpr State fromUnmanaged[] = {registering, deleting};
constexpr State fromRegistering[] = {inspecting, preparing, externallyProvisioned, deleting};
constexpr State fromInspecting[] = {preparing, poweringOffBeforeDelete, deleting};
constexpr State fromMatchProfile[] = {preparing, poweringOffBeforeDelete, deleting};
constexpr State fromPreparing[] = {available, poweringOffBeforeDelete, deleting};
constexpr State fromAvailable[] = {inspecting, preparing, provisioning, externallyProvisioned, poweringOffBeforeDelete,
                                   deleting};
constexpr State fromProvisioning[] = {provisioned, deprovisioning, deleting};
constexpr State fromProvisioned[] = {deprovisioning, deleting};
constexpr State fromExternallyProvisioned[] = {provisioned, poweringOffBeforeDelete, deleting};
constexpr State fromDeprovisioning[] = {available, poweringOffBeforeDelete, deleting};
constexpr State fromPoweringOff[] = {deleting};

const Row rows[] = {
    // state                  handler                          slot   may become
    {none, states::unmanaged, false, fromNone},
    {unmanaged, states::unmanaged, false, fromUnmanaged},
    {registering, states::registering, false, fromRegistering},
    {inspecting, states::inspecting, true, fromInspecting},
    {matchProfile, states::matchProfile, false, fromMatchProfile},
    {preparing, states::preparing, false, fromPreparing},
    {available, states::available, false, fromAvailable},
    {ready, states::available, false, fromAvailable},
    {provisioning, states::provisioning, true, fromProvisioning},
    {provisioned, states::provisioned, false, fromProvisioned},
    {externallyProvisioned, states::externallyProvisioned, false, fromExternallyProvisioned},
    {deprovisioning, states::deprovisioning, true, fromDeprovisioning},
    {poweringOffBeforeDelete, states::poweringOffBeforeDelete, false, fromPoweringOff},
    {deleting, states::deleting, false, {}},
};

// Mermaid names have no spaces.
std::string nodeName(State state) {
  std::string name(state == State::none ? "new" : text(state));
  std::ranges::replace(name, ' ', '_');
  return name;
}

}  // namespace

bool Row::allows(State next) const { return std::ranges::find(mayBecome, next) != mayBecome.end(); }

std::span<const Row> table() { return rows; }

const Row& rowOf(State state) {
  const auto found = std::ranges::find(rows, state, &Row::state);
  if (found == std::end(rows)) throw std::logic_error("a host state without a row");
  return *found;
}

std::string diagram() {
  std::string out = "stateDiagram-v2\n    [*] --> new\n";
  for (const Row& row : rows) {
    for (const State next : row.mayBecome) out += fmt::format("    {} --> {}\n", nodeName(row.state), nodeName(next));
  }
  return out + "    deleting --> [*]\n";
}

}  // namespace ingot::coordinator::host
