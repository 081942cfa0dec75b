// The BMC Secret of a host: found, claimed, checked (spec/baremetalhost.md §5.3, §5.4).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// Why there are no usable credentials, and what follows from it.
struct CredentialsProblem {
  CredentialsTrouble trouble;
  std::string message;
  std::optional<base::Duration> retryAfter;  // nullopt: a change of the Secret or the host brings us back
};

// Whitespace around both values is dropped. Pure.
[[nodiscard]] std::variant<Credentials, CredentialsProblem> checkCredentials(const SecretContent& secret);

using BmcAccessOrProblem = std::variant<BmcAccess, CredentialsProblem>;

// Claims the Secret (label, owner, finalizer) and reads it. Throws what the cluster throws; but a host that is being
// deleted does without the claim, or without the Secret, when the API refuses them for good.
[[nodiscard]] base::Task<BmcAccessOrProblem> findBmcAccess(const api::BareMetalHost& host, Cluster& cluster);

// Takes our finalizer off a Secret that the host needs no more. Where the API refuses that for good an Event says what
// was left behind, and the host goes on. Throws what else the cluster throws.
[[nodiscard]] base::Task<void> letGo(const api::BareMetalHost& host, Cluster& cluster, Journal& journal,
                                     std::string secretName);

// A host in this state needs no credentials.
[[nodiscard]] bool worksWithoutCredentials(State state);

// The failure as the user sees it. One that is shown already is not written, counted or announced again.
void recordCredentialsProblem(api::BareMetalHost& host, Journal& journal, const CredentialsProblem& problem);

}  // namespace ingot::coordinator::host
