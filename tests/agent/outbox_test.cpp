// What goes out when, and what is given up first.
#include "agent/outbox.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/messages.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Remembers what was sent, unless it is down.
class RecordingLink final : public wire::AgentLink {
 public:
  base::Task<std::string> receive() override { throw std::logic_error("nobody receives here"); }
  bool send(std::string bytes) override {
    if (isDown) return false;
    size += static_cast<std::int64_t>(bytes.size());
    sent.push_back(wire::decode(bytes).value());
    return true;
  }
  template <class T>
  [[nodiscard]] std::vector<T> all() const {
    return ofKind<T>(sent);
  }

  bool isDown = false;
  std::int64_t size = 0;
  std::vector<wire::Message> sent;
};

struct OutboxBench : Loop {
  OutboxBench() {
    tasks.spawn("outbox", outbox.run());
    outbox.beginCredit(7);
    clock.settle();
  }
  ~OutboxBench() { run(tasks.close()); }

  base::TaskGroup tasks{runtime.executor, runtime.log};
  RecordingLink link;
  agent::Outbox outbox{runtime, link, [this] { return clock.now().time_since_epoch() / 1ms; }};
};

wire::SensorFacts sensors(const std::string& host, std::size_t bytes = 1000, std::int64_t ageMs = 0) {
  return {.host = host, .ageMs = ageMs, .sensors = {.unread = {std::string(bytes, 'x')}}};
}
wire::InventoryResult inventory(const std::string& host, std::size_t bytes = 1000) {
  return {.host = host, .id = 1, .outcome = "done", .inventory = {.unread = {std::string(bytes, 'x')}}};
}
wire::HardwareFacts hardware(const std::string& host, std::size_t bytes = 1000) {
  return {.host = host, .inventory = {.unread = {std::string(bytes, 'x')}}};
}
wire::LogFacts log(const std::string& host) { return {.host = host, .log = "SEL"}; }
wire::FreshFacts fresh(const std::string& host, std::int64_t seq = 1) {
  return {.host = host, .seq = seq, .powerAgeMs = 100, .healthAgeMs = -1};
}

}  // namespace

TEST_CASE("a coordinator of version 1 is told everything at once") {
  OutboxBench bench;
  bench.outbox.speak(1, 0);
  for (int i = 0; i < 100; ++i) bench.outbox.send(sensors(fmt::format("h{}", i), 100'000));
  CHECK(bench.link.all<wire::SensorFacts>().size() == 100);
  CHECK(bench.outbox.queued() == 0);
}

TEST_CASE("what can wait goes as far as there is credit, and power does not wait for it") {
  OutboxBench bench;
  bench.outbox.speak(2, 2500);
  for (const auto* host : {"a", "b", "c", "d"}) bench.outbox.send(sensors(host));
  CHECK(bench.link.all<wire::SensorFacts>().size() == 2);
  CHECK(bench.link.size <= 2500);
  CHECK(bench.outbox.queued() == 2);
  bench.outbox.send(wire::Facts{.host = "a", .seq = 1});
  bench.outbox.send(wire::CommandResult{.host = "a", .outcome = "done"});
  CHECK(bench.link.all<wire::Facts>().size() == 1);
  CHECK(bench.link.all<wire::CommandResult>().size() == 1);

  bench.outbox.take({.helloMs = 6, .bytes = 1'000'000});  // of an earlier connection
  CHECK(bench.outbox.queued() == 2);
  bench.outbox.take({.helloMs = 7, .bytes = 1'000'000});
  CHECK(bench.outbox.queued() == 0);
  CHECK(bench.link.all<wire::SensorFacts>().back().host == "d");
}

TEST_CASE("a new hello has credit counted anew") {
  OutboxBench bench;
  bench.outbox.speak(2, 2500);
  for (const auto* host : {"a", "b"}) bench.outbox.send(sensors(host));
  bench.outbox.beginCredit(8);
  bench.outbox.send(sensors("c"));
  CHECK(bench.outbox.queued() == 1);
  bench.outbox.speak(2, 2500);
  CHECK(bench.outbox.queued() == 0);
  bench.outbox.send(sensors("d"));
  bench.outbox.send(sensors("e"));
  CHECK(bench.outbox.queued() == 1);
}

TEST_CASE("inventories go before logs before sensors, and what is news of the same replaces what waits") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(sensors("a", 1000, 9));
  bench.outbox.send(sensors("b"));
  bench.outbox.send(hardware("a"));
  bench.outbox.send(log("a"));
  bench.outbox.send(inventory("a"));
  bench.outbox.send(sensors("a", 1000, 5));
  CHECK(bench.outbox.queued() == 5);
  bench.outbox.take({.helloMs = 7, .bytes = 1'000'000});
  REQUIRE(bench.link.sent.size() == 5);
  CHECK(std::holds_alternative<wire::HardwareFacts>(bench.link.sent[2]));
  bench.link.sent.erase(bench.link.sent.begin() + 2);
  CHECK(std::holds_alternative<wire::InventoryResult>(bench.link.sent[0]));
  CHECK(std::holds_alternative<wire::LogFacts>(bench.link.sent[1]));
  CHECK(std::get<wire::SensorFacts>(bench.link.sent[2]).host == "a");  // it keeps its place
  CHECK(std::get<wire::SensorFacts>(bench.link.sent[2]).ageMs == 5);
  CHECK(std::get<wire::SensorFacts>(bench.link.sent[3]).host == "b");
}

TEST_CASE("too much that waits loses the oldest sensors first") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(inventory("a", 100'000));
  bench.outbox.send(log("a"));
  for (int i = 0; i < 100; ++i) bench.outbox.send(sensors(fmt::format("h{:02}", i), 200'000));
  CHECK(bench.outbox.dropped() > 50);
  bench.outbox.take({.helloMs = 7, .bytes = 100'000'000});
  CHECK(bench.link.all<wire::InventoryResult>().size() == 1);
  CHECK(bench.link.all<wire::LogFacts>().size() == 1);
  const auto kept = bench.link.all<wire::SensorFacts>();
  CHECK(kept.size() == static_cast<std::size_t>(100 - bench.outbox.dropped()));
  CHECK(bench.link.size < 9'000'000);
  CHECK(kept.back().host == "h99");
  CHECK(std::ranges::is_sorted(kept, {}, &wire::SensorFacts::host));
}

TEST_CASE("an inventory that is too long for a message goes in pieces, and by name where it is too long for those") {
  OutboxBench bench;
  bench.outbox.speak(2, 1 << 20);
  bench.outbox.send(inventory("a", 2 * wire::longestMessage));
  wire::PieceAssembly assembly;
  std::optional<std::string> whole;
  for (const auto& piece : bench.link.all<wire::Piece>()) whole = assembly.add(piece);
  REQUIRE(whole);
  const auto message = wire::decode(*whole, wire::longestWhole);
  CHECK(std::get<wire::InventoryResult>(message.value()).inventory.unread.front().size() == 2 * wire::longestMessage);

  bench.outbox.send(inventory("a", wire::longestWhole));
  CHECK(bench.link.all<wire::InventoryResult>().back().errorCode == "too-long");
}

TEST_CASE("an inventory that pieces hold once firmware is left out goes in pieces, too") {
  OutboxBench bench;
  bench.outbox.speak(2, 1 << 20);
  auto large = inventory("a", 2 * wire::longestMessage);
  large.inventory.firmware.push_back({.name = std::string(wire::longestWhole, 'x')});
  CHECK(bench.outbox.send(large));
  wire::PieceAssembly assembly;
  std::optional<std::string> whole;
  for (const auto& piece : bench.link.all<wire::Piece>()) whole = assembly.add(piece);
  REQUIRE(whole);
  const auto told = std::get<wire::InventoryResult>(wire::decode(*whole, wire::longestWhole).value());
  CHECK(told.outcome == "done");
  CHECK(told.inventory.firmware.empty());
  CHECK(told.inventory.unread.front().size() == 2 * wire::longestMessage);
}

TEST_CASE("what waits and then meets a link that is down is not sent, and does not keep others from being sent") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(inventory("a", 2 * wire::longestMessage));
  bench.outbox.send(sensors("a"));
  bench.link.isDown = true;
  bench.outbox.take({.helloMs = 7, .bytes = 10'000'000});
  CHECK(bench.outbox.queued() == 0);
  bench.link.isDown = false;
  bench.outbox.send(sensors("b"));
  REQUIRE(bench.link.sent.size() == 1);
  CHECK(std::get<wire::SensorFacts>(bench.link.sent[0]).host == "b");
}

TEST_CASE("what never went out costs no credit") {
  OutboxBench bench;
  bench.outbox.speak(2, 2500);
  bench.link.isDown = true;
  bench.outbox.send(sensors("a"));
  bench.outbox.send(sensors("b"));
  CHECK(bench.outbox.spent() == 0);
  bench.link.isDown = false;
  bench.outbox.send(sensors("c"));
  CHECK(bench.link.all<wire::SensorFacts>().size() == 1);
  CHECK(bench.outbox.spent() == bench.link.size);
}

TEST_CASE("what waited is as old as it is when it goes out, and goes with its host") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(sensors("a", 1000, 500));
  bench.outbox.send(sensors("b"));
  bench.outbox.send(log("a"));
  bench.outbox.send(log("b"));
  bench.clock.advance(5min);
  bench.outbox.forget("b");
  bench.outbox.take({.helloMs = 7, .bytes = 10'000'000});
  REQUIRE(bench.link.sent.size() == 2);
  CHECK(std::get<wire::LogFacts>(bench.link.sent[0]).ageMs == 300'000);
  CHECK(std::get<wire::SensorFacts>(bench.link.sent[1]).ageMs == 300'500);
}

TEST_CASE("an inventory in pieces is as old as it is when the first of them goes out") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(inventory("a", 2 * wire::longestMessage));
  bench.clock.advance(2s);
  bench.outbox.take({.helloMs = 7, .bytes = wire::longestMessage});
  REQUIRE(bench.link.sent.size() == 1);
  bench.clock.advance(3s);
  bench.outbox.take({.helloMs = 7, .bytes = 10'000'000});
  wire::PieceAssembly assembly;
  std::optional<std::string> whole;
  for (const auto& piece : bench.link.all<wire::Piece>()) whole = assembly.add(piece);
  REQUIRE(whole);
  CHECK(std::get<wire::InventoryResult>(wire::decode(*whole, wire::longestWhole).value()).ageMs == 2000);
}

TEST_CASE("hardware that is too long for a message goes in pieces, and waits for a link that is down") {
  OutboxBench bench;
  bench.outbox.speak(2, 10'000'000);
  bench.link.isDown = true;
  bench.outbox.send(hardware("a", 2 * wire::longestMessage));
  CHECK(bench.outbox.queued() == 1);
  bench.link.isDown = false;
  bench.outbox.beginCredit(8);
  bench.outbox.speak(2, 10'000'000);
  wire::PieceAssembly assembly;
  std::optional<std::string> whole;
  for (const auto& piece : bench.link.all<wire::Piece>()) whole = assembly.add(piece);
  REQUIRE(whole);
  CHECK(std::holds_alternative<wire::HardwareFacts>(wire::decode(*whole, wire::longestWhole).value()));
  CHECK(bench.outbox.spent() == bench.link.size);
  CHECK(bench.outbox.queued() == 0);
}

TEST_CASE("hardware that does not fit goes without firmware, and not at all where that does not help") {
  OutboxBench bench;
  bench.outbox.speak(2, 10'000'000);
  auto large = hardware("a");
  large.inventory.firmware.push_back({.name = std::string(wire::longestWhole, 'x')});
  bench.outbox.send(large);
  REQUIRE(bench.link.all<wire::HardwareFacts>().size() == 1);
  CHECK(bench.link.all<wire::HardwareFacts>()[0].inventory.firmware.empty());
  CHECK(bench.link.all<wire::HardwareFacts>()[0].inventory.unread.size() == 2);
  bench.outbox.send(hardware("a", wire::longestWhole));
  CHECK(bench.link.sent.size() == 1);
  CHECK(bench.outbox.queued() == 0);
}

TEST_CASE("a coordinator that turns out to be of version 1 gets what waited, but no pieces") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(inventory("a", 2 * wire::longestMessage));
  bench.outbox.send(sensors("a"));
  bench.outbox.speak(1, 0);
  REQUIRE(bench.link.sent.size() == 1);
  CHECK(std::holds_alternative<wire::SensorFacts>(bench.link.sent[0]));
  CHECK(bench.outbox.queued() == 0);
}

TEST_CASE("facts that hold still go in one message a second, as old as they are then") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  bench.outbox.send(wire::StillFresh{.facts = {fresh("a")}});
  bench.clock.advance(400ms);
  bench.outbox.send(wire::StillFresh{.facts = {fresh("b")}});
  CHECK(bench.link.sent.empty());
  bench.clock.advance(600ms);
  REQUIRE(bench.link.sent.size() == 1);
  const auto& batch = std::get<wire::StillFresh>(bench.link.sent[0]);
  REQUIRE(batch.facts.size() == 2);
  CHECK(batch.stampMs == bench.clock.now().time_since_epoch() / 1ms);
  CHECK(batch.facts[0].powerAgeMs == 1100);
  CHECK(batch.facts[0].healthAgeMs == -1);
  CHECK(batch.facts[1].powerAgeMs == 700);
  bench.clock.advance(10s);
  CHECK(bench.link.sent.size() == 1);
}

TEST_CASE("news of a host, and its end, take back that it holds still") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  for (const auto* host : {"a", "b", "c"}) bench.outbox.send(wire::StillFresh{.facts = {fresh(host)}});
  bench.outbox.send(wire::Facts{.host = "a", .seq = 2});
  bench.outbox.forget("b");
  bench.clock.advance(1s);
  const auto batches = bench.link.all<wire::StillFresh>();
  REQUIRE(batches.size() == 1);
  REQUIRE(batches[0].facts.size() == 1);
  CHECK(batches[0].facts[0].host == "c");
}

TEST_CASE("the facts of ten thousand hosts fit into messages") {
  OutboxBench bench;
  bench.outbox.speak(2, 0);
  for (int i = 0; i < 10'000; ++i)
    bench.outbox.send(wire::StillFresh{.facts = {fresh(fmt::format("0fb0d4c6-7a2e-4b5e-9f35-{:012}", i))}});
  bench.clock.advance(1s);
  std::size_t told = 0;
  for (const auto& batch : bench.link.all<wire::StillFresh>()) told += batch.facts.size();
  CHECK(told == 10'000);
}
