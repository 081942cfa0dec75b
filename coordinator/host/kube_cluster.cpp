#include "coordinator/host/kube_cluster.hpp"

#include "api/bmh/names.hpp"
#include "coordinator/host/intent.hpp"
#include "kube/core/object_reference.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/finalizer.hpp"

#include <algorithm>

namespace ingot::coordinator::host {
namespace {

template <kube::Kind T>
base::Task<std::shared_ptr<const T>> stored(kube::Client& client, kube::ObjectKey key) {
  auto object = co_await client.get<T>(key);
  co_return object ? std::make_shared<const T>(std::move(*object)) : nullptr;
}

// What the cache holds, unless it is known to lag behind our own last write; else what the API says.
template <kube::Kind T>
base::Task<std::shared_ptr<const T>> current(kube::Client& client, const kube::Cache<T>& cache, kube::ObjectKey key) {
  if (auto cached = cache.find(key); cached && cache.hasSeenOwnWrites(key)) co_return cached;
  co_return co_await stored<T>(client, key);
}

bool isControlled(const kube::ObjectMeta& secret) {
  return std::ranges::any_of(secret.ownerReferences, [](const auto& owner) { return owner.controller == true; });
}

void applyClaim(kube::ObjectMeta& secret, const api::BareMetalHost& host, SecretClaim claim) {
  if (claim.unlessControlled && isControlled(secret)) return;
  if (claim.label) secret.labels.try_emplace(std::string(api::label::environment), api::label::environmentBaremetal);
  if (claim.own) kube::setOwnerReference(secret, kube::ownerReferenceTo(host, false));
  if (claim.finalizer) kube::addFinalizer(secret, api::finalizer::secret);
}

// Somebody else removing it first is as good.
template <kube::Kind T>
base::Task<void> dropFinalizer(kube::Client& client, kube::Cache<T>& cache, kube::ObjectKey key,
                               std::string_view finalizer) {
  const auto seen = co_await current(client, cache, key);
  if (!seen || !kube::hasFinalizer(seen->metadata, finalizer)) co_return;
  kube::Draft<T> draft(seen);
  kube::removeFinalizer(draft->metadata, finalizer);
  try {
    co_await kube::save(client, draft, &cache);
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
}

void describeHardware(api::HardwareData& data, const api::BareMetalHost& host, api::HardwareDetails details) {
  kube::setOwnerReference(data.metadata, kube::ownerReferenceTo(host, true));
  kube::addFinalizer(data.metadata, api::finalizer::hardwareData);
  data.spec.hardware = std::move(details);
}

std::vector<std::string> uidsOfOwners(const kube::Secret& secret) {
  std::vector<std::string> uids;
  uids.reserve(secret.metadata.ownerReferences.size());
  for (const auto& owner : secret.metadata.ownerReferences) uids.push_back(owner.uid);
  return uids;
}

}  // namespace

KubeCluster::KubeCluster(kube::Client& client, const kube::Cache<api::BareMetalHost>& hosts,
                         kube::Cache<kube::Secret>& secrets, HardwareDataCache& hardware)
    : client_(client),
      hosts_(hosts),
      secrets_(secrets),
      hardware_(hardware),
      secretsByOwner_(secrets, uidsOfOwners),
      versions_(secrets) {}

SecretContent contentOf(const kube::Secret& secret) {
  SecretContent content{.namespace_ = secret.metadata.namespace_,
                        .name = secret.metadata.name,
                        .version = secret.metadata.resourceVersion,
                        .type = secret.type};
  for (const auto& [key, value] : secret.data) content.data.emplace(key, value);
  const auto label = secret.metadata.labels.find(std::string(api::label::environment));
  content.watched = label != secret.metadata.labels.end() && label->second == api::label::environmentBaremetal;
  return content;
}

base::Task<std::optional<SecretContent>> KubeCluster::secret(const api::BareMetalHost& host, std::string name,
                                                             SecretClaim claim) {
  const kube::ObjectKey key{host.metadata.namespace_, name};
  const auto seen =
      claim.fresh ? co_await stored<kube::Secret>(client_, key) : co_await current(client_, secrets_, key);
  if (!seen) co_return std::nullopt;

  kube::ObjectMeta claimed = seen->metadata;
  applyClaim(claimed, host, claim);
  if (claimed == seen->metadata) {
    SecretContent content = contentOf(*seen);
    content.formerVersions = versions_.sameAs(seen->metadata.key(), content.version);
    co_return content;
  }

  kube::Draft<kube::Secret> draft(seen);
  draft->metadata = std::move(claimed);
  co_await kube::save(client_, draft, &secrets_);
  co_return contentOf(*draft);
}

base::Task<SecretRelease> KubeCluster::releaseSecret(const api::BareMetalHost& host, std::string name) {
  const kube::ObjectKey key{host.metadata.namespace_, std::move(name)};
  if (!hosts_.anyUnreadableIn(key.namespace_)) {
    co_await releaseSecret(key);
    co_return SecretRelease::done;
  }
  const auto seen = co_await current(client_, secrets_, key);
  const bool isOurs = seen != nullptr && kube::hasFinalizer(seen->metadata, api::finalizer::secret);
  co_return isOurs ? SecretRelease::mayBeNeeded : SecretRelease::done;
}

base::Task<void> KubeCluster::releaseSecret(kube::ObjectKey key) {
  co_await dropFinalizer(client_, secrets_, std::move(key), api::finalizer::secret);
}

std::vector<std::string> KubeCluster::formerSecrets(const api::BareMetalHost& host) {
  const auto isFormer = [&host](const kube::ObjectMeta& secret) {
    return secret.namespace_ == host.metadata.namespace_ && secret.name != host.spec.bmc.credentialsName &&
           secret.name != host.spec.preprovisioningNetworkDataName &&
           kube::hasFinalizer(secret, api::finalizer::secret);
  };
  std::vector<std::string> names;
  for (const auto& key : secretsByOwner_.find(host.metadata.uid))
    if (const auto secret = secrets_.find(key); secret && isFormer(secret->metadata)) names.push_back(key.name);
  return names;
}

base::Task<std::optional<api::HardwareDetails>> KubeCluster::hardwareData(const api::BareMetalHost& host) {
  // The cache knows of all of them: none in it means none, at most a moment ago.
  if (!hardware_.find(host.metadata.key())) co_return std::nullopt;
  const auto stored = co_await client_.get<api::HardwareData>(host.metadata.key());
  co_return stored ? stored->spec.hardware : std::nullopt;
}

base::Task<void> KubeCluster::storeHardwareData(const api::BareMetalHost& host, api::HardwareDetails details) {
  if (beingDeleted(host)) co_return;
  const kube::ObjectKey key = host.metadata.key();
  auto stored = hardware_.find(key) ? co_await client_.get<api::HardwareData>(key) : std::nullopt;
  if (!stored) {
    api::HardwareData fresh;
    fresh.metadata.name = key.name;
    fresh.metadata.namespace_ = key.namespace_;
    describeHardware(fresh, host, std::move(details));
    const auto made = co_await client_.create(std::move(fresh));
    hardware_.expect(key, made.metadata.resourceVersion);
    co_return;
  }
  if (stored->metadata.beingDeleted()) {
    co_await dropFinalizer(client_, hardware_, key, api::finalizer::hardwareData);
    throw base::Error("the old HardwareData is still going away");
  }
  kube::Draft<api::HardwareData> draft(std::move(*stored));
  describeHardware(*draft, host, std::move(details));
  if (co_await kube::save(client_, draft) == kube::Saved::written)
    hardware_.expect(key, draft.before().metadata.resourceVersion);
}

base::Task<void> KubeCluster::releaseHardwareData(const api::BareMetalHost& host) {
  if (!hardware_.find(host.metadata.key())) co_return;
  co_await dropFinalizer(client_, hardware_, host.metadata.key(), api::finalizer::hardwareData);
}

base::Task<void> KubeCluster::confirm(const api::BareMetalHost& host) {
  const auto stored = co_await client_.get<api::BareMetalHost>(host.metadata.key());
  if (!stored || stored->metadata.uid != host.metadata.uid ||
      stored->metadata.resourceVersion != host.metadata.resourceVersion) {
    throw HostMoved();
  }
}

}  // namespace ingot::coordinator::host
