#include "coordinator/host/credentials.hpp"

#include "api/bmh/names.hpp"
#include "base/text.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/retry.hpp"
#include "kube/core/error.hpp"

namespace ingot::coordinator::host {
namespace {

constexpr std::size_t longestCredential = 1024;  // no BMC takes more, and they go to agents in one message

std::string valueOf(const SecretContent& secret, std::string_view key) {
  const base::Secret* value = secret.find(key);
  return value == nullptr ? "" : std::string(base::trimmed(value->reveal()));
}

CredentialsProblem invalid(std::string message) { return {CredentialsTrouble::invalid, std::move(message), {}}; }

using SecretOrProblem = std::variant<std::optional<SecretContent>, CredentialsProblem>;

base::Task<SecretOrProblem> claimed(const api::BareMetalHost& host, Cluster& cluster) {
  const std::string& name = host.spec.bmc.credentialsName;
  const SecretClaim claim{.own = true, .finalizer = stateOf(host) != State::deleting};
  if (!beingDeleted(host)) co_return co_await cluster.secret(host, name, claim);
  try {
    co_return co_await secretOfLeaving(host, cluster, name, claim);
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    co_return CredentialsProblem{CredentialsTrouble::unhandled,
                                 fmt::format("the BMC Secret {} cannot be read: {}", name, error.what()),
                                 missingSecretDelay};
  }
}

}  // namespace

const base::Secret* SecretContent::find(std::string_view key) const {
  const auto found = data.find(std::string(key));
  return found == data.end() ? nullptr : &found->second;
}

std::variant<Credentials, CredentialsProblem> checkCredentials(const SecretContent& secret) {
  Credentials credentials{.username = valueOf(secret, "username"),
                          .password = base::Secret(valueOf(secret, "password"))};
  if (credentials.username.empty()) {
    return invalid("Validation error with BMC credentials: Missing BMC connection detail 'username' in credentials");
  }
  if (credentials.password.empty()) {
    return invalid("Validation error with BMC credentials: Missing BMC connection details 'password' in credentials");
  }
  if (std::max(credentials.username.size(), credentials.password.reveal().size()) > longestCredential)
    return invalid(fmt::format(
        "Validation error with BMC credentials: 'username' and 'password' may have {} bytes each", longestCredential));
  return credentials;
}

bool changeFails(const kube::Error& error) {
  return refusedForGood(error) || error.code() == kube::Error::Code::internal;
}

base::Task<std::optional<SecretContent>> secretOfLeaving(const api::BareMetalHost& host, Cluster& cluster,
                                                         std::string name, SecretClaim claim) {
  try {
    co_return co_await cluster.secret(host, name, claim);
  } catch (const kube::Error& error) {
    if (!changeFails(error)) throw;
  }
  co_return co_await cluster.secret(host, name, {.label = false});
}

base::Task<BmcAccessOrProblem> findBmcAccess(const api::BareMetalHost& host, Cluster& cluster) {
  const auto& bmc = host.spec.bmc;
  if (bmc.credentialsName.empty()) {
    co_return invalid("No BMC CredentialsName defined The BMC secret reference is empty");
  }
  auto found = co_await claimed(host, cluster);
  if (auto* problem = std::get_if<CredentialsProblem>(&found)) co_return std::move(*problem);
  const auto secret = std::get<std::optional<SecretContent>>(std::move(found));
  if (!secret) {
    co_return CredentialsProblem{
        CredentialsTrouble::missing,
        fmt::format("BMC CredentialsName secret doesn't exist The BMC secret {}/{} does not exist",
                    host.metadata.namespace_, bmc.credentialsName),
        missingSecretDelay};
  }
  if (bmc.address.empty()) co_return invalid("Empty BMC address Missing BMC connection detail 'Address'");

  auto checked = checkCredentials(*secret);
  if (auto* problem = std::get_if<CredentialsProblem>(&checked)) co_return *problem;
  co_return BmcAccess{.secretName = secret->name,
                      .secretVersion = secret->version,
                      .credentials = std::get<Credentials>(std::move(checked)),
                      .watched = secret->watched,
                      .formerVersions = secret->formerVersions};
}

bool isInUse(const api::CredentialsStatus& recorded, const std::string& namespace_, const BmcAccess& access) {
  const auto matches = [&](const std::string& version) {
    return recorded.matches(namespace_, access.secretName, version);
  };
  return matches(access.secretVersion) || std::ranges::any_of(access.formerVersions, matches);
}

void renewVersions(api::BareMetalHost& host, const BmcAccess& access) {
  for (api::CredentialsStatus* recorded : {&host.status.goodCredentials, &host.status.triedCredentials})
    if (isInUse(*recorded, host.metadata.namespace_, access)) recorded->credentialsVersion = access.secretVersion;
}

base::Task<void> letGo(const api::BareMetalHost& host, Cluster& cluster, Journal& journal, std::string secretName,
                       Insist insist) {
  try {
    if (co_await cluster.releaseSecret(host, secretName) == SecretRelease::done) co_return;
    journal.warning("SecretNotReleased",
                    fmt::format("the Secret {} keeps the finalizer {}: a host of this namespace cannot be read, and "
                                "may need it",
                                secretName, api::finalizer::secret));
  } catch (const kube::Error& error) {
    if (!changeFails(error) || (insist == Insist::yes && !refusedForGood(error))) throw;
    journal.warning("SecretNotReleased", fmt::format("the Secret {} keeps the finalizer {}, remove it by hand: {}",
                                                     secretName, api::finalizer::secret, error.what()));
  }
}

bool worksWithoutCredentials(State state) { return state == State::none || state == State::unmanaged; }

void recordCredentialsProblem(api::BareMetalHost& host, Journal& journal, const CredentialsProblem& problem) {
  auto& status = host.status;
  journal.count([trouble = problem.trouble](Metrics& m) { m.credentials(trouble); });
  if (failedWith(host, ErrorType::registration) && status.errorMessage == problem.message) return;
  status.operationalStatus = api::operational_status::error;
  status.errorType = text(ErrorType::registration);
  status.errorMessage = problem.message;
  ++status.errorCount;
  journal.event("BMCCredentialError", problem.message);
}

}  // namespace ingot::coordinator::host
