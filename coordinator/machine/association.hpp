// What association writes onto a host and its Metal3Machine (spec/capm3.md §10). Pure: edits of drafts. On a
// MachineError nothing of the host may be saved.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "coordinator/machine/error.hpp"
#include "kube/core/object_key.hpp"

namespace ingot::coordinator::machine {

using api::BareMetalHost;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Machine;

// The host that the annotation names; nullopt without one, and for one that is no name.
[[nodiscard]] std::optional<kube::ObjectKey> linkedHost(const Metal3Machine& machine);
// Throws MachineError(hostLink) for an annotation that is no name.
void requireLink(const Metal3Machine& machine);
void linkHost(Metal3Machine& machine, const kube::ObjectKey& host);

// Which user data the machine boots with, settled once: the Machine's bootstrap data win over spec.userData.
// Throws MachineError(foreignSecret).
void settleUserData(Metal3Machine& machine, const Machine& owner);
[[nodiscard]] std::optional<api::SecretReference> userDataOf(Metal3Machine machine, const Machine& owner);  // the same
// spec.metaData and spec.networkData, which win over rendered ones. Throws MachineError(foreignSecret).
void settleGivenData(Metal3Machine& machine);

// Whether the host was told to run with these user data; what becomes of its image afterwards does not matter.
[[nodiscard]] bool hasUserData(const BareMetalHost& host, const std::optional<api::SecretReference>& userData);

// Whether the host, which names the machine as its consumer, is the machine's: whoever may write hosts may write that
// name onto any. Its own is the one that it links to, one that has been told nothing yet, and one that runs with its
// user data.
[[nodiscard]] bool isOwnHost(const BareMetalHost& host, const Metal3Machine& machine);

// What a host is to its machine no longer: hostLost when it was told to run with these user data, else hostTaken.
[[nodiscard]] MachineError takenAway(const BareMetalHost& host, const std::optional<api::SecretReference>& userData);

// Annotation of a host, for a moment, with the uid of a machine that lets go of it. One that a process which ended left
// behind goes with the next claim.
inline const std::string kLetGoBy = "ingot.dev/let-go-by";

// Annotation of a host, with the uid of the Metal3Machine that told it what to run and the name of the user data that
// it told, as UID/NAME. What a machine says of itself is written by whoever may write machines, and takes no host that
// has lost its consumer: this does, which only who may write hosts writes.
inline const std::string kToldBy = "ingot.dev/told-by";
// Nothing on a host that runs nothing. A machine that has come with `clusterctl move`, or from a backup, has another
// uid: its host is marked anew.
void markTold(BareMetalHost& host, const Metal3Machine& machine);
// Whether the host still runs with the user data that this machine, and no other of its name, told it.
[[nodiscard]] bool wasToldBy(const BareMetalHost& host, const Metal3Machine& machine);

// The host is the machine's from now on. It is not told yet what to run: first the claim is read back, and with a data
// template what is rendered is waited for (writeHost). Throws MachineError(nothingToDeploy): the claim would be in
// vain.
void claimHost(BareMetalHost& host, const Metal3Machine& machine, const Machine& owner);
// Without a claim, on a host that names the machine already: its label alone.
void labelHost(BareMetalHost& host, const Machine& owner);
// Consumer, image, data, cleaning mode, and on. What to run is written once, onto a host that runs nothing; the
// machine's status names the Secrets as the host does. Throws MachineError(foreignSecret, nothingToDeploy), and
// MachineError(hostLost) on a host that runs something else although the machine is not in service yet.
void writeHost(BareMetalHost& host, Metal3Machine& machine);

// What keeps a host that has been told what to run from running it, in the host's words; "": nothing.
[[nodiscard]] std::string troubleOf(const BareMetalHost& host);

// Addresses of the node, as inspection found them: those of its NICs in their order, then its name (§13.4).
[[nodiscard]] std::vector<api::capi::MachineAddress> nodeAddresses(const BareMetalHost& host);

}  // namespace ingot::coordinator::machine
