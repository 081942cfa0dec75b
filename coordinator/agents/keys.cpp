#include "base/backoff.hpp"
#include "coordinator/agents/team.hpp"
#include "kube/core/error.hpp"
#include "kube/core/secret.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr auto secretName = "ingot-coordinator-keys";
constexpr auto publicKey = "coordinator.pub";
constexpr auto secretKey = "coordinator.key";
constexpr base::Backoff pauseOfTries{.first = std::chrono::seconds(1), .cap = std::chrono::seconds(10)};

wire::KeyPair read(const kube::Secret& secret) {
  const auto* open = secret.find(publicKey);
  const auto* closed = secret.find(secretKey);
  if (open == nullptr || closed == nullptr)
    throw base::Error(fmt::format("Secret {}/{} lacks {} or {}; delete it to have new keys made",
                                  secret.metadata.namespace_, secretName, publicKey, secretKey));
  return {open->reveal(), *closed};
}

kube::Secret secretOf(const wire::KeyPair& keys, const std::string& namespace_) {
  kube::Secret secret;
  secret.metadata.name = secretName;
  secret.metadata.namespace_ = namespace_;
  secret.type = "Opaque";
  secret.data[publicKey] = base::Secret(keys.publicKey);
  secret.data[secretKey] = keys.secretKey;
  return secret;
}

base::Task<wire::KeyPair> keysInCluster(kube::Client& client, std::string namespace_) {
  if (const auto stored = co_await client.get<kube::Secret>({namespace_, secretName})) co_return read(*stored);
  const auto keys = wire::generateKeyPair();
  try {
    co_await client.create(secretOf(keys, namespace_));
    co_return keys;
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::alreadyExists) throw;
  }
  const auto theirs = co_await client.get<kube::Secret>({namespace_, secretName});  // another coordinator was faster
  if (!theirs) throw base::Error("the Secret with the coordinator's keys came and went");
  co_return read(*theirs);
}

}  // namespace

base::Task<wire::KeyPair> coordinatorKeys(base::Runtime runtime, kube::Client& client, std::string dataDir,
                                          std::string namespace_) {
  if (!dataDir.empty()) co_return wire::loadOrCreateKeyPair(dataDir + "/coordinator");
  std::string told;
  for (unsigned tries = 0;; ++tries) {
    std::string problem;
    try {
      co_return co_await keysInCluster(client, namespace_);
    } catch (const kube::Error& error) {
      problem = error.what();
    }
    if (std::exchange(told, problem) != problem)
      runtime.log.warn("the keys that agents know cannot be had yet", {{"error", problem}});
    co_await runtime.clock.sleepFor(pauseOfTries.delay(tries, runtime.random));
  }
}

}  // namespace ingot::coordinator::agents
