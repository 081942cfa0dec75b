// An agent in front of a BMC of ours, and the coordinator's end of its link in the test's own hands.
#pragma once

#include "agent/agent.hpp"
#include "base/sync.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/no_processes.hpp"
#include "tests/support/stalling_clock.hpp"
#include "wire/codec.hpp"
#include "wire/memory_link.hpp"

namespace ingot::tests {

// Something happens whenever the journal is written.
class StallingJournal final : public agent::JournalStore {
 public:
  explicit StallingJournal(agent::JournalStore& store) : store_(&store) {}

  // Another one, for the agents that start from now on.
  void use(agent::JournalStore& store) { store_ = &store; }

  [[nodiscard]] std::map<std::string, agent::HostJournal> load() override { return store_->load(); }
  [[nodiscard]] std::vector<std::string> damaged() const override { return store_->damaged(); }
  void save(const std::string& host, const agent::HostJournal& journal) override {
    store_->save(host, journal);
    if (onSave) onSave();
  }
  void remove(const std::string& host) override { store_->remove(host); }
  [[nodiscard]] std::int64_t loadTerm() override { return store_->loadTerm(); }
  [[nodiscard]] base::Task<void> saveTerm(std::int64_t term) override {
    if (savingTerm) co_await savingTerm();
    co_await store_->saveTerm(term);
  }
  [[nodiscard]] base::Task<void> synced() override {
    if (syncing) co_await syncing();
    co_await store_->synced();
  }
  void flush() override { store_->flush(); }

  std::function<void()> onSave;
  std::function<base::Task<void>()> syncing, savingTerm;  // how the disk does it

 private:
  agent::JournalStore* store_;
};

class AgentBench : public Loop {
 public:
  explicit AgentBench(std::string caFile = "", std::string refusedLogins = "", std::string logPositions = "")
      : network(runtime),
        wires(runtime),
        coordinator(wires.coordinator()),
        caFile_(std::move(caFile)),
        refusedLogins_(std::move(refusedLogins)),
        logPositions_(std::move(logPositions)) {
    network.serve("https://bmc.example:443", bmc);
    start();
    pump_.spawn("collect", collect());
  }
  ~AgentBench() {
    stop();
    run(pump_.close());
    run(network.close());
  }

  void start() {
    link_ = wires.agent(std::string(40, 'k'));
    agent = std::make_unique<agent::Agent>(
        base::Runtime{io.get_executor(), agentClock, *random, base::Log(said, "agent")}, *link_,
        bmc::Transports{network, programs == nullptr ? processes_ : *programs}, disk,
        agent::AgentSettings{.name = "near",
                             .boot = fmt::format("boot-{}", ++boots_),
                             .session = {.caFile = caFile_, .followsEvents = followsEvents, .machineBoot = "m1"},
                             .remembered = {.refusedLogins = refusedLogins_, .sessions = sessions},
                             .logPositions = logPositions_,
                             .erasures = erasures,
                             .disk = files});
    tasks_ = std::make_unique<base::TaskGroup>(runtime.executor, runtime.log);
    tasks_->spawn("agent", agent->run());
  }
  void stop() {
    if (!agent) return;
    run(tasks_->close());
    agent.reset();
    tasks_.reset();
    link_.reset();
  }

  void say(const wire::Message& message) {
    if (const auto* erase = std::get_if<wire::EraseRequest>(&message)) ordered_ = *erase;
    coordinator->send(peer, wire::encode(message));
    clock.settle();
  }
  // The order to erase is given again, as the answer to that.
  void standBy(std::int64_t id) {
    ordered_.confirms = id;
    coordinator->send(peer, wire::encode(ordered_));
  }
  void greet() {
    awaitHello();
    say(wire::Welcome{.state = "approved", .term = 5});
  }
  // A grant whose lease starts now.
  wire::Grant grant(wire::Token token, bool mayAct = true) {
    wire::Grant out;
    out.host = "u1";
    out.name = "metal/a";
    out.token = token;
    out.echoMs = lastStamp();
    out.mayAct = mayAct;
    out.address = "redfish://bmc.example";
    out.username = "admin";
    out.password = base::Secret("s3cret");
    return out;
  }
  wire::CommandResult command(wire::Token token, const std::string& action = "on", const std::string& host = "u1") {
    const auto before = all<wire::CommandResult>().size();
    say(wire::Command{host, token, action});
    if (!clock.advanceUntil([&] { return all<wire::CommandResult>().size() > before; }, std::chrono::minutes(5)))
      throw std::runtime_error("no result came");
    return all<wire::CommandResult>().back();
  }

  template <class T>
  std::vector<T> all() const {
    return ofKind<T>(heard);
  }
  [[nodiscard]] std::int64_t lastStamp() const {
    std::int64_t stamp = 0;
    for (const auto& hello : all<wire::Hello>()) stamp = hello.stampMs;
    for (const auto& beat : all<wire::Heartbeat>()) stamp = std::max(stamp, beat.stampMs);
    return stamp;
  }
  [[nodiscard]] int resets() const { return static_cast<int>(bmc.journal.size()); }

  std::shared_ptr<base::MemorySink> said = std::make_shared<base::MemorySink>();  // by the agents
  StallingClock agentClock{clock};
  FakeRedfish bmc;
  net::Loopback network;
  wire::MemoryNetwork wires;
  std::unique_ptr<wire::CoordinatorLink> coordinator;
  agent::MemoryJournal journal;
  StallingJournal disk{journal};
  std::unique_ptr<agent::Agent> agent;
  std::vector<wire::Message> heard;
  std::string peer;
  std::string erasures;                     // folder of the next agent's records
  std::string sessions;                     // file of the next agent's
  bool followsEvents = true;                // the next agent
  base::ProcessRunner* programs = nullptr;  // of the next agent; nullptr: none is expected
  bool confirmsErasures = true;
  std::shared_ptr<base::Offload> files;  // the disk of the next agent, beside its journal; nullptr: one that is quick

 private:
  void awaitHello() {
    if (!clock.advanceUntil([&] { return !all<wire::Hello>().empty(); }, std::chrono::seconds(5)))
      throw std::runtime_error("no hello came");
  }
  base::Task<void> collect() {
    while (true) {
      const auto incoming = co_await coordinator->receive();
      peer = incoming.peer;
      auto message = wire::decode(incoming.bytes);
      if (!message) continue;
      if (const auto* confirm = std::get_if<wire::EraseConfirm>(&*message); confirm != nullptr && confirmsErasures)
        standBy(confirm->id);
      heard.push_back(std::move(*message));
    }
  }
  wire::EraseRequest ordered_;  // last
  NoProcesses processes_;
  std::unique_ptr<wire::AgentLink> link_;
  std::unique_ptr<base::TaskGroup> tasks_;
  base::TaskGroup pump_{runtime.executor, runtime.log};
  std::string caFile_, refusedLogins_, logPositions_;
  int boots_ = 0;
};

// An agent that a coordinator of term 5 has approved and granted host u1.
struct Serving : AgentBench {
  Serving() {
    greet();
    say(grant({5, 1, 0}));
    clock.advance(std::chrono::seconds(1));
  }
  static base::Task<void> until(base::Notifier& over, const bool& isStalled) {
    while (isStalled) co_await over.wait();
  }
  [[nodiscard]] wire::Heartbeat lastHeartbeat() const { return all<wire::Heartbeat>().back(); }
};

}  // namespace ingot::tests
