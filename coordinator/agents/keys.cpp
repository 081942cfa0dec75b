#include "coordinator/agents/keys.hpp"

#include "base/backoff.hpp"
#include "coordinator/agents/lease_record.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/draft.hpp"

#include <filesystem>
#include <set>

namespace ingot::coordinator::agents {

namespace {

constexpr auto ownName = "ingot-coordinator-keys", movingName = "ingot-coordinator-keys-move";
constexpr auto publicKey = "coordinator.pub";
constexpr auto secretKey = "coordinator.key";
const std::string moveLabel = "clusterctl.cluster.x-k8s.io/move";
constexpr base::Backoff pauseOfTries{.first = std::chrono::seconds(1), .cap = std::chrono::seconds(10)};

// nullopt: it holds no keys.
std::optional<wire::KeyPair> keysIn(const kube::Secret& secret) {
  const auto* closed = secret.find(secretKey);
  return closed == nullptr ? std::nullopt : wire::keyPairOf(*closed);
}

wire::KeyPair read(const kube::Secret& secret) {
  if (auto keys = keysIn(secret)) return *std::move(keys);
  throw base::Error(fmt::format(
      "Secret {}/{} holds no CURVE key (40 characters of Z85) in {}; put it back, or delete it and {} to have new keys "
      "made, which no agent knows",
      secret.metadata.namespace_, ownName, secretKey, movingName));
}

void put(const wire::KeyPair& keys, kube::Secret& secret) {
  secret.data[publicKey] = base::Secret(keys.publicKey);
  secret.data[secretKey] = keys.secretKey;
}

kube::Secret secretOf(const wire::KeyPair& keys, const kube::ObjectKey& key) {
  kube::Secret secret;
  secret.metadata.name = key.name;
  secret.metadata.namespace_ = key.namespace_;
  if (key.name == movingName) secret.metadata.labels[moveLabel] = "";
  secret.type = "Opaque";
  put(keys, secret);
  return secret;
}

base::Task<std::optional<wire::KeyPair>> keysThere(kube::Client& client, std::string namespace_) {
  if (const auto stored = co_await client.get<kube::Secret>({namespace_, ownName})) co_return read(*stored);
  const auto moving = co_await client.get<kube::Secret>({namespace_, movingName});
  co_return moving ? keysIn(*moving) : std::nullopt;
}

base::Task<wire::KeyPair> keysInCluster(kube::Client& client, std::string namespace_) {
  const auto there = co_await keysThere(client, namespace_);
  const auto keys = there ? *there : wire::generateKeyPair();
  try {
    co_await client.create(secretOf(keys, {namespace_, ownName}));
    co_return keys;
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::alreadyExists) throw;
  }
  const auto stored = co_await client.get<kube::Secret>({namespace_, ownName});
  if (!stored) throw base::Error("the Secret with the coordinator's keys came and went");
  co_return read(*stored);
}

kube::CacheOptions only(const kube::ObjectKey& key) {
  return {.namespaces = {key.namespace_}, .fieldSelector = fmt::format("metadata.name={}", key.name)};
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

base::Task<std::optional<wire::KeyPair>> presentKeys(kube::Client& client, std::string dataDir,
                                                     std::string namespace_) {
  if (dataDir.empty()) co_return co_await keysThere(client, std::move(namespace_));
  const std::string prefix = dataDir + "/coordinator";
  if (!std::filesystem::exists(prefix + ".key")) co_return std::nullopt;
  co_return wire::loadOrCreateKeyPair(prefix);
}

KeyKeeper::KeyKeeper(base::Runtime runtime, World world)
    : runtime_(runtime.named("agents")),
      world_(std::move(world)),
      own_{world_.namespace_, ownName},
      moving_{world_.namespace_, movingName},
      ownCache_(runtime_, world_.client.api(), only(own_)),
      movingCache_(runtime_, world_.client.api(), only(moving_)),
      changed_(runtime_.executor) {
  subscriptions_.push_back(ownCache_.listen([this](const auto&) { wake(); }));
  subscriptions_.push_back(movingCache_.listen([this](const auto&) { wake(); }));
  subscriptions_.push_back(world_.hosts.listen([this](const auto& change) {
    if (!change.before || !change.after) wake();
  }));
}

void KeyKeeper::start(base::VitalTasks& tasks) {
  ownCache_.start(tasks.group());
  movingCache_.start(tasks.group());
  tasks.spawn("keys that agents know", run());
}

void KeyKeeper::wake() {
  isKept_ = false;
  changed_.notifyAll();
}

base::Task<void> KeyKeeper::run() {
  co_await ownCache_.synced();
  co_await movingCache_.synced();
  co_await world_.agents.synced();
  co_await world_.hosts.synced();
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
    refusals = refusal.empty() ? 0 : refusals + 1;
    if (!refusal.empty())
      runtime_.log.warn("a Secret with the coordinator's keys cannot be written", {{"error", refusal}});
    if (kept == Kept::others) break;
    // Whoever else writes them is not raced.
    co_await runtime_.clock.sleepFor(pauseOfTries.delay(refusals, runtime_.random));
    while (isKept_ && refusal.empty()) co_await changed_.wait();
  }
  throw base::Error(
      fmt::format("Secret {} has other keys now: the agents that know them are served from here on", own_.text()));
}

base::Task<KeyKeeper::Kept> KeyKeeper::keep() {
  const auto own = co_await keepOwn();
  co_return own == Kept::others ? own : co_await keepMoving();
}

// Who may write it may have any keys served, and means it; but nobody means to serve none.
base::Task<KeyKeeper::Kept> KeyKeeper::keepOwn() {
  const auto stored = ownCache_.find(own_);
  const auto keys = stored ? keysIn(*stored) : std::nullopt;
  if (keys) co_return areOurs(*keys) ? Kept::ours : Kept::others;
  runtime_.log.warn("the Secret with the coordinator's keys was deleted, or has none: they are put back",
                    {{"secretName", own_.text()}});
  if (stored)
    co_await putOurs(stored);
  else
    static_cast<void>(co_await world_.client.create(secretOf(world_.keys, own_)));
  co_return Kept::ours;
}

base::Task<KeyKeeper::Kept> KeyKeeper::keepMoving() {
  const auto stored = movingCache_.find(moving_);
  const auto keys = stored ? keysIn(*stored) : std::nullopt;
  const bool areOthers = keys && !areOurs(*keys);
  if (areOthers && !isAnyAgentOurs()) {
    co_await take(*keys);
    co_return Kept::others;
  }
  if (areOthers) tellOfOthers(*stored);
  if (!stored && goWithHosts()) {
    static_cast<void>(co_await world_.client.create(secretOf(world_.keys, moving_)));
  } else if (stored && !goWithHosts()) {
    static_cast<void>(co_await world_.client.remove<kube::Secret>(moving_));
  } else if (stored && (areOthers || !keys)) {
    co_await putOurs(stored);
  }
  co_return Kept::ours;
}

base::Task<void> KeyKeeper::putOurs(Snapshot stored) {
  kube::Draft<kube::Secret> draft(stored);
  put(world_.keys, *draft);
  static_cast<void>(co_await kube::save(world_.client, draft));
}

base::Task<void> KeyKeeper::take(wire::KeyPair others) {
  const auto stored = ownCache_.find(own_);
  if (!stored) throw base::Error("the Secret with the coordinator's keys is not there yet");
  kube::Draft<kube::Secret> draft(stored);
  put(others, *draft);
  static_cast<void>(co_await kube::save(world_.client, draft));
}

void KeyKeeper::tellOfOthers(const kube::Secret& stored) {
  const std::string text = fmt::format(
      "the keys of another coordinator came with a move, and are not used: approved agents know ours; agents that come "
      "from there need our key {} (--server-key)",
      world_.keys.publicKey);
  runtime_.log.error(text, {{"secretName", moving_.text()}});
  world_.events.warning(kube::referenceTo(stored), "CoordinatorKeysNotUsed", text);
}

// It was given a right by us or, where nothing tells by whom, has said hello here. One that has come with a move is
// on record for the keys of where it comes from.
bool KeyKeeper::isAnyAgentOurs() const {
  for (const auto& agent : world_.agents.all()) {
    const auto key = recordedKey(agent->metadata);
    const bool isOurs = key.empty() ? !agent->status.bootID.empty() : key == wire::fingerprint(world_.keys.publicKey);
    if (agent->spec.approved && isOurs) return true;
  }
  return false;
}

bool KeyKeeper::goWithHosts() const {
  std::set<std::string> namespaces;
  for (const auto& host : world_.hosts.keys()) namespaces.insert(host.namespace_);
  return namespaces.size() <= 1;
}

}  // namespace ingot::coordinator::agents
