#include "wire/memory_link.hpp"

#include "wire/codec.hpp"

#include <set>

namespace ingot::wire {

namespace {

template <class Item>
struct Mailbox {
  explicit Mailbox(base::Executor executor) : arrived(std::move(executor)) {}
  void put(Item item) {
    items.push_back(std::move(item));
    arrived.notifyAll();
  }
  std::deque<Item> items;
  base::Notifier arrived;
};

template <class Item>
base::Task<Item> take(std::shared_ptr<Mailbox<Item>> box) {
  while (box->items.empty()) co_await box->arrived.wait();
  Item item = std::move(box->items.front());
  box->items.pop_front();
  co_return item;
}

}  // namespace

struct MemoryNetwork::State {
  explicit State(base::Executor e) : executor(std::move(e)) {}

  [[nodiscard]] bool passes(const std::string& publicKey) const { return !cutKeys.contains(publicKey); }
  // As a socket does with a message that is too long: it is lost, and the agent connects anew.
  void dropConnectionOf(const std::string& publicKey) {
    const auto peer = peerOfKey.find(publicKey);
    if (peer == peerOfKey.end()) return;
    keyOfPeer.erase(peer->second);
    peerOfKey.erase(peer);
  }

  base::Executor executor;
  std::shared_ptr<Mailbox<Incoming>> toCoordinator;  // null: no coordinator listens
  std::map<std::string, std::shared_ptr<Mailbox<std::string>>> toAgents;
  std::map<std::string, std::string> keyOfPeer;  // connection → public key
  std::map<std::string, std::string> peerOfKey;
  std::set<std::string> cutKeys;
  std::function<bool(const std::string& publicKey)> judge;  // of new connections; empty: all are taken
  int connections = 0;
};

namespace {

class MemoryCoordinator final : public CoordinatorLink {
 public:
  explicit MemoryCoordinator(std::shared_ptr<MemoryNetwork::State> state)
      : state_(std::move(state)), inbox_(std::make_shared<Mailbox<Incoming>>(state_->executor)) {
    state_->toCoordinator = inbox_;
    state_->judge = nullptr;
    state_->keyOfPeer.clear();  // every agent connects anew
    state_->peerOfKey.clear();
  }
  ~MemoryCoordinator() override {
    if (state_->toCoordinator == inbox_) state_->toCoordinator = nullptr;
  }

  base::Task<Incoming> receive() override { return take(inbox_); }

  bool send(const std::string& peer, std::string bytes) override {
    const auto key = state_->keyOfPeer.find(peer);
    if (key == state_->keyOfPeer.end()) return false;
    const auto box = state_->toAgents.find(key->second);
    if (box == state_->toAgents.end()) return false;
    if (bytes.size() > longestMessage)
      state_->dropConnectionOf(key->second);
    else if (state_->passes(key->second))
      box->second->put(std::move(bytes));
    return true;
  }

  [[nodiscard]] std::string endpoint() const override { return "memory"; }
  void admit(std::function<bool(const std::string& publicKey)> judge) override {
    if (state_->toCoordinator == inbox_) state_->judge = std::move(judge);
  }

 private:
  std::shared_ptr<MemoryNetwork::State> state_;
  std::shared_ptr<Mailbox<Incoming>> inbox_;
};

class MemoryAgent final : public AgentLink {
 public:
  MemoryAgent(std::shared_ptr<MemoryNetwork::State> state, std::string publicKey)
      : state_(std::move(state)),
        publicKey_(std::move(publicKey)),
        inbox_(std::make_shared<Mailbox<std::string>>(state_->executor)) {
    state_->toAgents[publicKey_] = inbox_;
    state_->peerOfKey.erase(publicKey_);
  }
  ~MemoryAgent() override {
    const auto box = state_->toAgents.find(publicKey_);
    if (box != state_->toAgents.end() && box->second == inbox_) state_->toAgents.erase(box);
  }

  base::Task<std::string> receive() override { return take(inbox_); }

  bool send(std::string bytes) override {
    if (!state_->toCoordinator || !state_->passes(publicKey_)) return true;
    if (bytes.size() > longestMessage) return state_->dropConnectionOf(publicKey_), true;
    if (!state_->peerOfKey.contains(publicKey_) && state_->judge && !state_->judge(publicKey_)) return true;
    auto& peer = state_->peerOfKey[publicKey_];
    if (peer.empty()) {
      peer = fmt::format("peer-{}", ++state_->connections);
      state_->keyOfPeer[peer] = publicKey_;
    }
    state_->toCoordinator->put({peer, publicKey_, std::move(bytes)});
    return true;
  }

 private:
  std::shared_ptr<MemoryNetwork::State> state_;
  std::string publicKey_;
  std::shared_ptr<Mailbox<std::string>> inbox_;
};

}  // namespace

MemoryNetwork::MemoryNetwork(base::Runtime runtime) : state_(std::make_shared<State>(runtime.executor)) {}
MemoryNetwork::~MemoryNetwork() = default;

std::unique_ptr<CoordinatorLink> MemoryNetwork::coordinator() { return std::make_unique<MemoryCoordinator>(state_); }

std::unique_ptr<AgentLink> MemoryNetwork::agent(const std::string& publicKey) {
  return std::make_unique<MemoryAgent>(state_, publicKey);
}

void MemoryNetwork::cut(const std::string& publicKey) { state_->cutKeys.insert(publicKey); }
void MemoryNetwork::mend(const std::string& publicKey) { state_->cutKeys.erase(publicKey); }

}  // namespace ingot::wire
