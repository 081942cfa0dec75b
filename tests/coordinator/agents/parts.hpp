// The parts of the agents' service, each by itself: one is put together up to the part that a test asks, and the test
// says what the agent says.
#pragma once

#include "coordinator/agents/commands.hpp"
#include "coordinator/agents/jobs.hpp"
#include "tests/coordinator/agents/agent_stage.hpp"

namespace ingot::tests {

struct Parts : AgentStage {
  explicit Parts(int size = 1) : AgentStage(size) {
    tasks.spawn("listen", conversation.listen({.message = [this](coordinator::agents::Connection& from,
                                                                 const wire::Message& message) { hear(from, message); },
                                               .hello =
                                                   [this](const coordinator::agents::Connection& from,
                                                          const std::string& name, bool isReplaced) {
                                                     hellos.push_back(name + (isReplaced ? " replaced" : ""));
                                                     grants.onHello(from, name, isReplaced);
                                                   }}));
    tasks.spawn("records", grants.keepRecords());
    tasks.spawn("agent", listen());
    clock.settle();
    grants.begin();
    commands.begin();
  }
  ~Parts() { run(tasks.close()); }

  // Time goes by, the agent is heard of, and the hosts are reviewed.
  void pass(base::Duration time) {
    for (base::Duration gone{}; gone < time; gone += std::chrono::seconds(1)) {
      clock.advance(std::chrono::seconds(1));
      heartbeat();
      clock.settle();
      static_cast<void>(grants.review());
      clock.settle();
    }
  }
  // An agent that serves host 0 with the right to act.
  void serve() {
    sayHello();
    pass(std::chrono::seconds(3));
    approve();
    pass(std::chrono::seconds(25));
    if (!grants.canCommand(uid(0))) throw std::runtime_error("the agent has no right");
  }
  // Of host 0. The API takes that of a host that is detached, and nobody reviews it meanwhile.
  void changeAddress(const std::string& address) {
    const auto say = [this](const char* status) {
      run(client->patchStatus<api::BareMetalHost>(
          {"metal", "host-0"}, json::Object{{"status", json::Object{{"operationalStatus", status}}}}));
    };
    say("detached");
    patchHost(0, fmt::format(R"({{"spec":{{"bmc":{{"address":"{}"}}}}}})", address));
    say("OK");
  }
  // Of host 0, learnt under its last grant.
  [[nodiscard]] wire::Facts reading(std::int64_t seq, const std::string& power, const std::string& raw = {}) const {
    const auto token = last<wire::Grant>().value().token;
    return {.host = uid(0),
            .seq = seq,
            .term = token.term,
            .lease = token.lease,
            .stampMs = stamp(),
            .power = power,
            .rawPower = raw,
            .powerAgeMs = 0,
            .health = "OK",
            .healthAgeMs = 0};
  }
  void tell(const wire::Facts& facts) {
    say(facts);
    clock.settle();
  }
  // The last of its kind that the agent was told; nullopt: none.
  template <class Kind>
  std::optional<Kind> last() const {
    std::optional<Kind> found;
    for (const auto& message : heard)
      if (const auto* one = std::get_if<Kind>(&message)) found = *one;
    return found;
  }
  template <class Kind>
  int count() const {
    return static_cast<int>(
        std::ranges::count_if(heard, [](const auto& message) { return std::holds_alternative<Kind>(message); }));
  }

  // The agent's end, until it is dropped.
  base::Task<void> listen() {
    while (true)
      if (auto message = wire::decode(co_await agent->receive())) heard.push_back(std::move(*message));
  }

  std::vector<std::string> hellos, changes;
  std::vector<wire::Message> heard, said;
  coordinator::agents::AgentWorld parts = world();
  coordinator::agents::AgentTiming timing;
  coordinator::agents::Conversation conversation{runtime, parts};
  coordinator::agents::Grants grants{runtime,
                                     parts,
                                     timing,
                                     conversation,
                                     {.served = [](const std::string&, const std::string&) {},
                                      .accessChanged = [this](const std::string&) { changes.emplace_back("access"); },
                                      .addressChanged = [this](const std::string&) { changes.emplace_back("address"); },
                                      .gone = [this](const std::string&) { changes.emplace_back("gone"); }}};
  coordinator::agents::Facts facts{runtime, parts, timing, conversation, grants};
  coordinator::agents::Commands commands{runtime, parts, timing, conversation, grants, facts};
  coordinator::agents::Jobs jobs{runtime, parts, conversation, grants};
  coordinator::agents::Facts::Taken taken = coordinator::agents::Facts::Taken::whole;

 private:
  void hear(coordinator::agents::Connection& from, const wire::Message& message) {
    said.push_back(message);
    if (const auto* heartbeat = std::get_if<wire::Heartbeat>(&message)) grants.onHeartbeat(from, *heartbeat);
    if (const auto* idle = std::get_if<wire::Idle>(&message)) grants.onIdle(from, *idle);
    if (const auto* fresh = std::get_if<wire::StillFresh>(&message)) taken = facts.onStillFresh(from, *fresh);
    if (const auto* told = std::get_if<wire::Facts>(&message)) taken = facts.onFacts(from, *told);
    if (const auto* result = std::get_if<wire::CommandResult>(&message)) commands.onResult(from, *result);
    if (const auto* result = std::get_if<wire::InventoryResult>(&message))
      jobs.onInventory(from, *result, facts.power(result->host));
    if (const auto* result = std::get_if<wire::BootResult>(&message)) jobs.onBoot(from, *result);
    if (const auto* confirm = std::get_if<wire::EraseConfirm>(&message)) jobs.onEraseConfirm(from, *confirm);
  }
};

}  // namespace ingot::tests
