// The status that a host carries in an annotation, for the management cluster where it arrives (spec/baremetalhost.md
// §5.2 step 4.3). It counts until somebody has taken it over. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/provisioning_state.hpp"

#include <optional>
#include <string>

namespace ingot::api {

// It carries one that nobody has taken over yet: the host's own status says nothing of its machine.
[[nodiscard]] bool awaitsStatus(const BareMetalHost& host);

// What the text of the annotation says. Throws what is wrong with it.
[[nodiscard]] BareMetalHostStatus parseCarriedStatus(const std::string& text);

// How status.errorMessage begins as long as the API does not take what this text of the annotation says. Once the
// annotation is corrected that message is none of the present one.
[[nodiscard]] std::string notTakenByApi(const std::string& text);

// As far as anybody knows: by the host's status, or by the one that is still to be taken over.
struct KnownState {
  std::optional<ProvisioningState> state;  // nullopt: nobody here can say, and its machine may be in use
  bool poweredOn = false;
};
[[nodiscard]] KnownState knownStateOf(const BareMetalHost& host);

}  // namespace ingot::api
