#include "coordinator/data/rendered_secrets.hpp"

#include "api/bmh/names.hpp"
#include "coordinator/data/creation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator::data {
namespace {

using Code = kube::Error::Code;

bool isNamed(const std::optional<api::SecretReference>& reference) { return reference && !reference->name.empty(); }

// Throws Hindrance when the Secret cannot be these data's.
void judge(const kube::ObjectMeta& secret, const Metal3Data& data) {
  const auto controller =
      std::ranges::find(secret.ownerReferences, std::optional(true), &kube::OwnerReference::controller);
  const bool isFree = controller == secret.ownerReferences.end() || controller->uid == data.metadata.uid;
  if (isFree && secret.beingDeleted())
    throw Hindrance::late("WaitingForSecret", fmt::format("Secret {} is going away", secret.name));
  if (isFree) return;
  const std::string text =
      fmt::format("Secret {} is controlled by {} {}", secret.name, controller->kind, controller->name);
  if (controller->kind == Metal3Data::info.kind) throw Hindrance::late("WaitingForSecret", text);
  throw Hindrance::problem("SecretNotOurs", text);
}

}  // namespace

constinit const kube::KindInfo SecretHeader::info{.version = "v1", .kind = "Secret", .plural = "secrets"};

std::vector<kube::ObjectKey> secretsNamedBy(const Metal3Data& data) {
  std::vector<kube::ObjectKey> keys;
  for (const auto* reference : {&data.spec.metaData, &data.spec.networkData})
    if (isNamed(*reference)) keys.push_back({data.metadata.namespace_, (*reference)->name});
  return keys;
}

base::Task<MissingSecrets> RenderedSecrets::missingOf(Metal3Data data, bool wasReady) {
  MissingSecrets missing;
  if (isNamed(data.spec.metaData)) missing.metaData = co_await isMissing(data.spec.metaData->name, data, wasReady);
  if (isNamed(data.spec.networkData))
    missing.networkData = co_await isMissing(data.spec.networkData->name, data, wasReady);
  missing.anyThere =
      (isNamed(data.spec.metaData) && !missing.metaData) || (isNamed(data.spec.networkData) && !missing.networkData);
  co_return missing;
}

base::Task<bool> RenderedSecrets::isMissing(std::string name, Metal3Data data, bool wasReady) {
  const kube::ObjectKey key{data.metadata.namespace_, name};
  if (const auto seen = headers_.find(key)) {
    judge(seen->metadata, data);
    co_return false;
  }
  if (!wasReady) co_return true;
  const auto stored = co_await client_.get<SecretHeader>(key);
  if (!stored) co_return true;
  judge(stored->metadata, data);
  co_return false;
}

base::Task<void> RenderedSecrets::create(kube::Secret secret, Metal3Data data) {
  const kube::ObjectKey key = secret.metadata.key();
  // The host's controller would add it, to see the Secret: a write less.
  secret.metadata.labels.emplace(api::label::environment, api::label::environmentBaremetal);
  try {
    static_cast<void>(co_await client_.create(std::move(secret)));
    co_return;
  } catch (const kube::Error& error) {
    if (isRefusal(error))
      throw Hindrance::problem("SecretRefused", fmt::format("Secret {} cannot be made: {}", key.name, error.what()));
    if (error.code() != Code::alreadyExists) throw;
  }
  const auto stored = co_await client_.get<SecretHeader>(key);
  if (!stored) throw Hindrance::late("WaitingForSecret", fmt::format("Secret {} was there and is gone", key.name));
  judge(stored->metadata, data);
}

}  // namespace ingot::coordinator::data
