#include "coordinator/agents/keys.hpp"

#include "base/backoff.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/draft.hpp"

namespace ingot::coordinator::agents {

namespace {

constexpr auto secretName = "ingot-coordinator-keys";
constexpr auto publicKey = "coordinator.pub";
constexpr auto secretKey = "coordinator.key";
const std::string moveLabel = "clusterctl.cluster.x-k8s.io/move";
constexpr base::Backoff pauseOfTries{.first = std::chrono::seconds(1), .cap = std::chrono::seconds(10)};

bool isWhole(const kube::Secret& secret) {
  return secret.find(publicKey) != nullptr && secret.find(secretKey) != nullptr;
}

wire::KeyPair read(const kube::Secret& secret) {
  if (!isWhole(secret))
    throw base::Error(fmt::format("Secret {}/{} lacks {} or {}; delete it to have new keys made",
                                  secret.metadata.namespace_, secretName, publicKey, secretKey));
  return {secret.find(publicKey)->reveal(), *secret.find(secretKey)};
}

void put(const wire::KeyPair& keys, kube::Secret& secret) {
  secret.metadata.labels.try_emplace(moveLabel);
  secret.data[publicKey] = base::Secret(keys.publicKey);
  secret.data[secretKey] = keys.secretKey;
}

kube::Secret secretOf(const wire::KeyPair& keys, const std::string& namespace_) {
  kube::Secret secret;
  secret.metadata.name = secretName;
  secret.metadata.namespace_ = namespace_;
  secret.type = "Opaque";
  put(keys, secret);
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

KeyKeeper::KeyKeeper(base::Runtime runtime, World world)
    : runtime_(runtime.named("agents")),
      world_(std::move(world)),
      key_{world_.namespace_, secretName},
      secret_(runtime_, world_.client.api(),
              {.namespaces = {world_.namespace_}, .fieldSelector = fmt::format("metadata.name={}", secretName)}),
      changed_(runtime_.executor) {
  subscription_ = secret_.listen([this](const auto&) {
    isKept_ = false;
    changed_.notifyAll();
  });
}

void KeyKeeper::start(base::VitalTasks& tasks) {
  secret_.start(tasks.group());
  tasks.spawn("keys that agents know", run());
}

base::Task<void> KeyKeeper::run() {
  co_await secret_.synced();
  co_await world_.agents.synced();
  Kept kept = Kept::ours;
  for (unsigned refusals = 0; kept == Kept::ours;) {
    std::string refusal;
    isKept_ = true;
    try {
      kept = co_await keep();
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      refusal = error.what();
    }
    if (!refusal.empty()) {
      runtime_.log.warn("the Secret with the coordinator's keys cannot be written", {{"error", refusal}});
      co_await runtime_.clock.sleepFor(pauseOfTries.delay(refusals++, runtime_.random));
      continue;
    }
    refusals = 0;
    while (isKept_ && kept == Kept::ours) co_await changed_.wait();
  }
  throw base::Error(
      fmt::format("Secret {} has other keys now: the agents that know them are served from here on", key_.text()));
}

base::Task<KeyKeeper::Kept> KeyKeeper::keep() {
  const auto stored = secret_.find(key_);
  if (!stored) {
    runtime_.log.warn("the Secret with the coordinator's keys was deleted: it is made again, with the same keys",
                      {{"secret", key_.text()}});
    static_cast<void>(co_await world_.client.create(secretOf(world_.keys, world_.namespace_)));
    co_return Kept::ours;
  }
  if (areOurs(*stored)) {
    if (stored->metadata.label(moveLabel) == nullptr) co_await restore(stored);
    co_return Kept::ours;
  }
  if (isWhole(*stored) && !isAnyAgentOurs()) co_return Kept::others;
  co_await restore(stored);
  const std::string text = fmt::format(
      "the keys of another coordinator were written over ours, which approved agents know: ours were put back; agents "
      "that come from there need our key {} (--server-key)",
      world_.keys.publicKey);
  runtime_.log.error(text, {{"secret", key_.text()}});
  world_.events.warning(kube::referenceTo(*stored), "CoordinatorKeysReplaced", text);
  co_return Kept::ours;
}

base::Task<void> KeyKeeper::restore(std::shared_ptr<const kube::Secret> stored) {
  kube::Draft<kube::Secret> draft(stored);
  put(world_.keys, *draft);
  static_cast<void>(co_await kube::save(world_.client, draft));
}

bool KeyKeeper::areOurs(const kube::Secret& secret) const {
  if (!isWhole(secret)) return false;
  const auto theirs = read(secret);
  return theirs.publicKey == world_.keys.publicKey && theirs.secretKey == world_.keys.secretKey;
}

// It has said hello here, with the keys that we have. One that came with a move has no status.
bool KeyKeeper::isAnyAgentOurs() const {
  for (const auto& agent : world_.agents.all())
    if (agent->spec.approved && !agent->status.bootID.empty()) return true;
  return false;
}

}  // namespace ingot::coordinator::agents
