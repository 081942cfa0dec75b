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

// The API does not accept this change now: it refuses the change for good, or fails itself (an admission webhook that
// is down answers every change with 500, while reading works).
[[nodiscard]] bool changeFails(const kube::Error& error);

// A Secret of a host on its way out, which does without the claim where that fails. Throws what the cluster throws.
[[nodiscard]] base::Task<std::optional<SecretContent>> secretOfLeaving(const api::BareMetalHost& host, Cluster& cluster,
                                                                       std::string name, SecretClaim claim);

// What is on record of the BMC's credentials is what the Secret says now, under this version or an earlier one. Pure.
[[nodiscard]] bool isInUse(const api::CredentialsStatus& recorded, const std::string& namespace_,
                           const BmcAccess& access);
// Puts the version that the Secret has now on record where the earlier one said the same.
void renewVersions(api::BareMetalHost& host, const BmcAccess& access);

// Claims the Secret (label, owner, finalizer) and reads it. Throws what the cluster throws; but a host that is being
// deleted does without the claim where that fails, and without the Secret when the API refuses it for good.
[[nodiscard]] base::Task<BmcAccessOrProblem> findBmcAccess(const api::BareMetalHost& host, Cluster& cluster);

enum class Insist { no, yes };

// Takes our finalizer off a Secret that the host needs no more. Where a host that cannot be read may need it, where the
// API refuses it for good, or fails itself and nobody insists, an Event says what was left behind, and the host goes
// on. Throws what else the cluster throws.
[[nodiscard]] base::Task<void> letGo(const api::BareMetalHost& host, Cluster& cluster, Journal& journal,
                                     std::string secretName, Insist insist = Insist::yes);

// A host in this state needs no credentials.
[[nodiscard]] bool worksWithoutCredentials(State state);

// The failure as the user sees it. One that is shown already is not written, counted or announced again.
void recordCredentialsProblem(api::BareMetalHost& host, Journal& journal, const CredentialsProblem& problem);

}  // namespace ingot::coordinator::host
