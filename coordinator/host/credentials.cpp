#include "coordinator/host/credentials.hpp"

#include "base/text.hpp"
#include "coordinator/host/apply.hpp"
#include "coordinator/host/retry.hpp"

namespace ingot::coordinator::host {
namespace {

std::string valueOf(const SecretContent& secret, std::string_view key) {
  const base::Secret* value = secret.find(key);
  return value == nullptr ? "" : std::string(base::trimmed(value->reveal()));
}

CredentialsProblem invalid(std::string message) { return {CredentialsTrouble::invalid, std::move(message), {}}; }

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
  return credentials;
}

base::Task<BmcAccessOrProblem> findBmcAccess(const api::BareMetalHost& host, Cluster& cluster) {
  const auto& bmc = host.spec.bmc;
  if (bmc.credentialsName.empty()) {
    co_return invalid("No BMC CredentialsName defined The BMC secret reference is empty");
  }
  const auto secret =
      co_await cluster.secret(host, bmc.credentialsName, {.own = true, .finalizer = stateOf(host) != State::deleting});
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
                      .watched = secret->watched};
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
