// Which host a Metal3Machine gets, and why it does not get the others (spec/capm3.md §9). Pure: the hosts are a
// snapshot of one moment.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/owners.hpp"
#include "coordinator/machine/host_selector.hpp"

#include <span>

namespace ingot::coordinator::machine {

using api::BareMetalHost;
using api::capm3::v1beta2::Metal3Machine;

// Why not this host: the first thing that speaks against it.
enum class Unfit : std::uint8_t {
  otherNamespace,
  notSelected,    // spec.hostSelector
  inUse,          // it has a consumer
  keptForOthers,  // its node-reuse label names somebody else
  beingDeleted,
  hasError,
  paused,
  unhealthy,
  otherWorkload,  // it has no consumer, and is told to run something all the same
  notAvailable,   // neither available nor ready
  otherDomain,    // another failure domain, while there is one in the wanted one
  notDrawn,       // it would do, but another one was taken
};
[[nodiscard]] std::string_view reasonText(Unfit unfit);

struct RefusedHost {
  const BareMetalHost* host = nullptr;
  Unfit why = Unfit::notAvailable;
};

struct HostChoice {
  const BareMetalHost* host = nullptr;  // nullptr: none
  bool forReuse = false;                // it was kept for the machine's owner
  // The host kept for the machine's owner that is not ready yet: no other one is taken meanwhile.
  const BareMetalHost* awaited = nullptr;
};

struct HostWish {
  const Metal3Machine& machine;
  const HostSelector& selector;
  std::string nodeReuse;    // value of the node-reuse label that is ours, see nodeReuseName; "": none
  std::uint64_t round = 0;  // each one begins to look at another place
};

// Why the host does not fit; its state does not count when it is kept for us. nullopt: it does.
[[nodiscard]] std::optional<Unfit> unfitness(const BareMetalHost& host, const HostWish& wish);
// It fits every machine whose selector takes it.
[[nodiscard]] bool suitsAnybody(const BareMetalHost& host);
// Whom the host is kept for, and where it is; nullptr: its labels do not say.
[[nodiscard]] const std::string* nodeReuseOf(const BareMetalHost& host);
[[nodiscard]] const std::string* failureDomainOf(const BareMetalHost& host);
// Throws MachineError(selector) for what cannot be a label's value; "" asks for no domain.
void requireDomain(const std::string& domain);
// Numbers by which machines are spread over hosts.
[[nodiscard]] std::uint64_t placeOf(std::string_view name);
[[nodiscard]] std::uint64_t placeOf(const Metal3Machine& machine);

// The same snapshot and machine give the same host: it is drawn by a hash of the machine's identity, so that machines
// that choose at the same time are spread over the hosts.
// Throws MachineError(selector) when spec.failureDomain cannot be a label's value.
[[nodiscard]] HostChoice chooseHost(std::span<const BareMetalHost* const> hosts, const HostWish& wish);

// Whether any machine at all may have the host now, whatever the machine asks for.
[[nodiscard]] bool isForTheTaking(const BareMetalHost& host);

// Whether the machines that the host is kept for take no other one before it is available (spec/capm3.md §9.4 (2)).
[[nodiscard]] bool isAwaited(const BareMetalHost& host);

// Every other host of the same snapshot with the reason why it was not taken: for people, so it is not made with each
// choice.
[[nodiscard]] std::vector<RefusedHost> refusedHosts(std::span<const BareMetalHost* const> hosts, const HostWish& wish,
                                                    const HostChoice& choice);

// The control plane that owns the Machine, of any kind; nullptr: none.
[[nodiscard]] const kube::OwnerReference* controlPlaneOf(const api::capi::Machine& machine);

// Under which name hosts are kept for the machines of one owner: "cp-<control plane>" or "md-<deployment>"; "" when it
// has neither. `set` is the MachineSet that the Machine names as its owner, nullptr when there is none.
[[nodiscard]] std::string nodeReuseName(const api::capi::Machine& machine, const api::capi::MachineSet* set);

// Whether the host's consumer is this machine, which it can be in its own namespace only; the version of the API does
// not matter.
[[nodiscard]] bool isConsumer(const BareMetalHost& host, const Metal3Machine& machine);

}  // namespace ingot::coordinator::machine
