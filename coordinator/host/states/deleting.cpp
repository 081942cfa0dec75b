#include "api/bmh/names.hpp"
#include "coordinator/host/credentials.hpp"
#include "coordinator/host/deletion.hpp"
#include "coordinator/host/lasting_trouble.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

// Releasing what the host holds is a step of its own; State::none has nothing to release.
constexpr State releaseStep = State::none;
constexpr base::Duration worthShowing = std::chrono::minutes(1);

base::Task<void> releaseSecrets(Scope& s, Insist insist) {
  const std::array names{s.host.spec.bmc.credentialsName, s.host.spec.preprovisioningNetworkDataName};
  for (const std::string& name : names) {
    if (!name.empty()) co_await letGo(s.host, s.cluster, s.journal, name, insist);
  }
  for (const std::string& name : s.cluster.formerSecrets(s.host))
    co_await letGo(s.host, s.cluster, s.journal, name, insist);
}

// Releases the HardwareData in the way in which letGo() releases a Secret.
base::Task<void> releaseHardwareData(Scope& s, Insist insist) {
  try {
    co_await s.cluster.releaseHardwareData(s.host);
  } catch (const kube::Error& error) {
    if (!changeFails(error) || (insist == Insist::yes && !refusedForGood(error))) throw;
    s.journal.warning("HardwareDataNotReleased",
                      fmt::format("the HardwareData {} keeps the finalizer {}, remove it by hand: {}",
                                  s.host.metadata.name, api::finalizer::hardwareData, error.what()));
  }
}

base::Task<void> releaseHeld(Scope& s, Insist insist) {
  co_await releaseHardwareData(s, insist);
  co_await releaseSecrets(s, insist);
}

// Releases what the host holds. Returns why the API has failed, which may pass; nullopt: nothing is left to wait for.
base::Task<std::optional<std::string>> tryToRelease(Scope& s) {
  try {
    co_await releaseHeld(s, Insist::yes);
  } catch (const kube::Error& error) {
    if (!changeFails(error)) throw;
    co_return error.what();
  }
  co_return std::nullopt;
}

Step soon(Scope& s, const std::string& why, base::Duration held) {
  s.log.warn("the Secrets and the HardwareData of a host are not released yet", {{"why", why}});
  if (held >= worthShowing)
    showTrouble(s.host, fmt::format("its Secrets and its HardwareData cannot be released: {}", why));
  return Stay{s.held.retryDelay(held)};
}

}  // namespace

base::Task<Step> release(Scope& s) {
  co_await s.cluster.confirm(s.host);  // the removal may have taken its time
  if (const auto why = co_await tryToRelease(s)) {
    const base::Duration held = s.held.noteHeld(s.host.metadata.key(), releaseStep);
    if (held < deletionPatienceFor(releaseStep)) co_return soon(s, *why, held);
    co_await releaseHeld(s, Insist::no);
  }
  std::erase(s.host.metadata.finalizers, api::finalizer::host);
  co_return Gone{};
}

// The backend forgets the host first.
base::Task<Step> deleting(Scope& s) {
  if (std::ranges::find(s.host.metadata.finalizers, api::finalizer::host) == s.host.metadata.finalizers.end()) {
    co_return Gone{};
  }
  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await s.backend.remove();
  if (const auto* refused = std::get_if<Refused>(&progress)) {
    throw ProvisionerError(ProvisionerError::Code::transient, "failed to delete: " + refused->message);
  }
  if (const auto* work = std::get_if<Working>(&progress)) {
    showObstacle(s, *work);
    co_return Stay{work->after, work->obstacle};
  }
  co_return co_await release(s);
}

}  // namespace ingot::coordinator::host::states
