#include "coordinator/machine/host_work.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/error.hpp"
#include "coordinator/machine/pause.hpp"
#include "kube/core/resource_version.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::machine {

namespace {

const std::string kClusterName(api::capm3::label::clusterName);

// Bound to what was read: one that is carried out late labels no Secret of a host that was let go meanwhile.
json::Value labelPatch(json::Value value, const std::string& resourceVersion) {
  json::Object metadata{{"labels", json::Object{{kClusterName, std::move(value)}}},
                        {"resourceVersion", resourceVersion}};
  return json::Object{{"metadata", std::move(metadata)}};
}

bool isLabelled(const kube::Secret& secret, const std::string& clusterName) {
  const std::string* label = secret.metadata.label(kClusterName);
  return label != nullptr && *label == clusterName;
}

kube::ObjectKey credentialsOf(const BareMetalHost& host) {
  return {host.metadata.namespace_, host.spec.bmc.credentialsName};
}

}  // namespace

bool isLasting(const kube::Error& error) {
  const auto code = error.code();
  return code == kube::Error::Code::invalid || code == kube::Error::Code::forbidden ||
         code == kube::Error::Code::badRequest;
}

base::Task<std::optional<BareMetalHost>> HostWork::look(kube::ObjectKey host) {
  co_return co_await client_.get<BareMetalHost>(std::move(host));
}

base::Task<std::optional<HostWork::HostDraft>> HostWork::fresh(kube::ObjectKey host) {
  auto now = co_await look(std::move(host));
  if (!now) co_return std::nullopt;
  co_return HostDraft(std::move(*now));
}

base::Task<bool> HostWork::isClaimed(kube::ObjectKey host, const Metal3Machine& machine) {
  std::optional<json::Value> now;
  try {
    now = co_await client_.api().get(kube::Resource::of(BareMetalHost::info), std::move(host));
  } catch (const kube::Error&) {
    co_return true;
  }
  const auto* reference = now ? json::find(*now, {"spec", "consumerRef"}) : nullptr;
  co_return reference != nullptr&& json::textAt(*reference, {"kind"}) ==
      Metal3Machine::info.kind&& json::textAt(*reference, {"name"}) == machine.metadata.name;
}

base::Task<HostWork::Claim> HostWork::claim(Snapshot host, const Metal3Machine& machine, const Machine& owner,
                                            std::function<bool(const BareMetalHost&)> stillFits) {
  const kube::ObjectKey key = host->metadata.key();
  auto draft = co_await fresh(key);
  if (!draft || draft->before().metadata.uid != host->metadata.uid || !stillFits(**draft)) co_return Claim::taken;
  claimHost(**draft, machine, owner);
  blockMove(**draft, {});  // it works
  bool refused = false;
  try {
    static_cast<void>(co_await kube::save(client_, *draft, &hosts_));
  } catch (const kube::Error& error) {
    refused = error.code() == kube::Error::Code::conflict || error.code() == kube::Error::Code::notFound;
    if (!refused) throw;
  }
  if (!refused) co_return Claim::done;
  // A request that was sent twice is refused by its own first copy.
  const auto now = co_await look(key);
  co_return now&& isConsumer(*now, machine) ? Claim::done : Claim::taken;
}

base::Task<void> HostWork::labelSecret(const BareMetalHost& host, const std::string& clusterName) {
  const kube::ObjectKey key = credentialsOf(host);
  if (key.name.empty()) co_return;
  const auto secret = co_await secretNow(key);
  if (secret && isLabelled(*secret, clusterName)) co_return;
  if (secret && co_await label(key, labelPatch(json::Value(clusterName), secret->metadata.resourceVersion))) co_return;
  throw MachineError(Problem::waiting, fmt::format("the BMC credentials Secret {} of host {} does not exist", key.name,
                                                   host.metadata.name));
}

bool HostWork::isSecretLabelled(const BareMetalHost& host, const std::string& clusterName) const {
  const kube::ObjectKey key = credentialsOf(host);
  const auto secret = secrets_.find(key);
  return key.name.empty() || (secret && isLabelled(*secret, clusterName));
}

base::Task<void> HostWork::unlabelSecret(const BareMetalHost& host, const std::string& clusterName) {
  const kube::ObjectKey key = credentialsOf(host);
  if (key.name.empty()) co_return;
  try {
    const auto secret = co_await secretNow(key);
    if (secret && isLabelled(*secret, clusterName))
      static_cast<void>(co_await label(key, labelPatch(nullptr, secret->metadata.resourceVersion)));
  } catch (const kube::Error& error) {
    if (!isLasting(error)) throw;
    labelled_.erase(key);
  }
}

// As the cache has it, or as the API has it where the cache is behind a write of ours, or has none.
base::Task<kube::Cache<kube::Secret>::Snapshot> HostWork::secretNow(kube::ObjectKey key) {
  auto seen = secrets_.find(key);
  const auto written = labelled_.find(key);
  const bool isBehind =
      written != labelled_.end() &&
      (written->second.empty() || !seen || !kube::atLeastVersion(seen->metadata.resourceVersion, written->second));
  if (seen && !isBehind) {
    labelled_.erase(key);
    co_return seen;
  }
  auto stored = co_await client_.get<kube::Secret>(key);
  if (!stored) co_return nullptr;
  co_return std::make_shared<const kube::Secret>(std::move(*stored));
}

base::Task<bool> HostWork::label(kube::ObjectKey secret, json::Value patch) {
  labelled_[secret].clear();
  try {
    const auto now = co_await client_.patch<kube::Secret>(secret, std::move(patch));
    labelled_[secret] = now.metadata.resourceVersion;
    co_return true;
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
  labelled_.erase(secret);
  co_return false;
}

base::Task<std::optional<BareMetalHost>> HostWork::edit(kube::ObjectKey host, Edit how, bool confirm) {
  std::optional<HostDraft> draft;
  if (const auto seen = hosts_.find(host); seen && !confirm) draft.emplace(seen);
  if (confirm) draft = co_await fresh(host);
  if (!draft) co_return std::nullopt;
  how(**draft);
  try {
    static_cast<void>(co_await kube::save(client_, *draft, &hosts_));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
    co_return std::nullopt;
  }
  co_return std::move(**draft);
}

}  // namespace ingot::coordinator::machine
