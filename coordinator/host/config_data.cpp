#include "coordinator/host/config_data.hpp"

#include "coordinator/host/apply.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/retry.hpp"
#include "kube/core/error.hpp"

namespace ingot::coordinator::host {
namespace {

enum class MissingKey { refuse, empty };

// Reads the Secret and labels it. One that another controller has made, like the bootstrap data of a machine, is left
// as it is: it is read twice, and changes of it make no difference to a host. A refusal lasts until somebody changes
// the rights or the Secret.
base::Task<std::optional<SecretContent>> labelled(Scope& s, std::string key, std::string name, ConfigDataOf of) {
  const SecretClaim claim{.unlessControlled = true, .fresh = of == ConfigDataOf::deployment};
  try {
    if (beingDeleted(s.host)) co_return co_await secretOfLeaving(s.host, s.cluster, name, claim);
    co_return co_await s.cluster.secret(s.host, name, claim);
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    throw ConfigDataError(fmt::format("{} secret {}/{} cannot be read and labelled: {}", key,
                                      s.host.metadata.namespace_, name, error.what()),
                          ConfigDataError::Cause::refused);
  }
}

base::Task<base::Secret> read(Scope& s, api::SecretReference reference, std::string key, MissingKey missing,
                              ConfigDataOf of = ConfigDataOf::look) {
  const std::string& namespace_ = s.host.metadata.namespace_;
  if (!reference.namespace_.empty() && reference.namespace_ != namespace_) {
    throw ConfigDataError(
        fmt::format("{} secret must be in same namespace as host {}/{}", key, namespace_, s.host.metadata.name));
  }
  const auto secret = co_await labelled(s, key, reference.name, of);
  if (!secret) throw ConfigDataError(fmt::format("{} secret {}/{} does not exist", key, namespace_, reference.name));

  for (const std::string_view candidate : {std::string_view(key), std::string_view("value")}) {
    if (const base::Secret* data = secret->find(candidate)) co_return *data;
  }
  if (missing == MissingKey::empty) co_return base::Secret{};
  s.journal.countAttempt([key](Metrics& m) { m.configDataKeyMissing(key); });  // the pass ends here
  throw ConfigDataError(fmt::format("Secret {} does not contain key {}", reference.name, key));
}

}  // namespace

std::optional<base::Duration> ConfigDataError::retryAfter() const {
  return cause_ == Cause::refused ? std::nullopt : std::optional(missingSecretDelay);
}

base::Task<base::Secret> ClusterConfigData::userData() {
  if (!s_.host.spec.userData) co_return base::Secret{};
  co_return co_await read(s_, *s_.host.spec.userData, "userData", MissingKey::refuse, of_);
}

base::Task<base::Secret> ClusterConfigData::metaData() {
  if (!s_.host.spec.metaData) co_return base::Secret{};
  co_return co_await read(s_, *s_.host.spec.metaData, "metaData", MissingKey::refuse, of_);
}

base::Task<base::Secret> ClusterConfigData::networkData() {
  if (s_.host.spec.networkData) {
    co_return co_await read(s_, *s_.host.spec.networkData, "networkData", MissingKey::empty, of_);
  }
  const std::string& fallback = s_.host.spec.preprovisioningNetworkDataName;
  if (fallback.empty()) co_return base::Secret{};
  co_return co_await read(s_, api::SecretReference{.name = fallback}, "networkData", MissingKey::empty, of_);
}

base::Task<std::optional<ConfigDataError>> configDataProblem(Scope& s) {
  const bool liveIso = s.host.spec.image && s.host.spec.image->isLiveIso() && customDeployMethod(s.host).empty();
  if (liveIso) co_return std::nullopt;
  try {
    ClusterConfigData config(s, ConfigDataOf::look);
    static_cast<void>(co_await config.userData());
    static_cast<void>(co_await config.metaData());
    static_cast<void>(co_await config.networkData());
  } catch (const ConfigDataError& error) {
    co_return error;
  }
  co_return std::nullopt;
}

namespace {

// False also when the API refuses the Secret for good: a host that is being deleted does without it.
base::Task<bool> isToBeHad(Scope& s, std::string name) {
  try {
    co_return (co_await secretOfLeaving(s.host, s.cluster, name, {})).has_value();
  } catch (const kube::Error& error) {
    if (!refusedForGood(error)) throw;
    s.log.warn("the Secret of preprovisioning network data is refused",
               {{"secretName", name}, {"error", error.what()}});
  }
  co_return false;
}

}  // namespace

base::Task<base::Secret> preprovisioningNetworkData(Scope& s) {
  const std::string& name = s.host.spec.preprovisioningNetworkDataName;
  if (name.empty()) co_return base::Secret{};
  if (beingDeleted(s.host) && !co_await isToBeHad(s, name)) co_return base::Secret{};
  co_return co_await read(s, api::SecretReference{.name = name}, "networkData", MissingKey::empty);
}

base::Task<void> claimPreprovisioningNetworkData(const api::BareMetalHost& host, Cluster& cluster,
                                                 const base::Log& log) {
  const std::string& name = host.spec.preprovisioningNetworkDataName;
  const State state = stateOf(host);
  if (name.empty() || state == State::none || state == State::unmanaged) co_return;
  const bool leaving = beingDeleted(host) || state == State::deleting || state == State::poweringOffBeforeDelete;
  std::string problem;
  try {
    const auto secret = co_await cluster.secret(host, name, {.finalizer = state != State::deleting});
    if (!secret) problem = "not found";
  } catch (const kube::Error& error) {
    if (leaving && !changeFails(error)) throw;
    problem = error.what();
  }
  if (!problem.empty() && !leaving)
    log.warn("the Secret of preprovisioning network data is not to be had", {{"secretName", name}, {"error", problem}});
}

}  // namespace ingot::coordinator::host
