// Who is heard, and what is said to whom.
#include "tests/coordinator/agents/parts.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("who has not said hello is asked to, once in a while, and heard of no further") {
  Parts parts;
  for (int i = 0; i < 5; ++i) parts.heartbeat();
  parts.clock.settle();
  CHECK(parts.count<wire::Welcome>() == 1);
  CHECK(parts.last<wire::Welcome>()->sayHello);
  CHECK(parts.said.empty());
}

TEST_CASE("an agent that nobody has approved is heard, and counts for nobody") {
  Parts parts;
  parts.sayHello();
  parts.pass(3s);
  CHECK(parts.last<wire::Welcome>()->state == "pending");
  CHECK(parts.hellos.empty());
  CHECK(parts.conversation.candidates().empty());
  CHECK(parts.conversation.of("near") != nullptr);
  CHECK(parts.conversation.nameOf(*parts.conversation.of("near")).empty());
  CHECK(parts.conversation.anyNameOf(*parts.conversation.of("near")) == "near");
}

TEST_CASE("an approved agent is told so by the next welcome, and its hello is passed on") {
  Parts parts;
  parts.sayHello();
  parts.pass(3s);
  parts.approve();
  parts.pass(2s);
  CHECK(parts.last<wire::Welcome>()->state == "approved");
  REQUIRE(parts.conversation.candidates().size() == 1);
  CHECK(parts.hellos.empty());
  parts.sayHello();
  parts.clock.settle();
  CHECK(parts.hellos == std::vector<std::string>{"near"});
}

TEST_CASE("another process under the same key is another holder unless it proves that the one before is over") {
  Parts parts;
  parts.serve();
  const auto before = parts.conversation.holderOf("near");
  SECTION("it proves it") {
    parts.sayHello("boot-2", {"boot-1"});
    parts.clock.settle();
    CHECK(parts.hellos.back() == "near");
    CHECK(parts.conversation.holderOf("near") == before);
  }
  SECTION("it does not") {
    parts.sayHello("boot-2");
    parts.clock.settle();
    CHECK(parts.hellos.back() == "near replaced");
    CHECK(parts.conversation.holderOf("near") != before);
  }
}

TEST_CASE("a silent agent is no candidate for hosts any more") {
  Parts parts;
  parts.serve();
  REQUIRE(parts.conversation.candidates().size() == 1);
  parts.clock.advance(9s);
  CHECK_FALSE(parts.conversation.isAlive(*parts.conversation.of("near")));
  CHECK(parts.conversation.candidates().empty());
}

TEST_CASE("what is too large for one message is not sent, and is said so") {
  Parts parts;
  parts.serve();
  const auto& near = *parts.conversation.of("near");
  CHECK(parts.conversation.send(near, wire::SnapshotRequest{.host = "uid"}));
  CHECK_FALSE(parts.conversation.send(near, wire::SnapshotRequest{.host = std::string(8u << 20, 'x')}));
}

namespace {

wire::Hello helloOf(const Parts& parts, int oldest, int newest) {
  return {.version = oldest, .newest = newest, .name = "near", .boot = "boot-1", .stampMs = parts.stamp()};
}

wire::SensorFacts sensorsOf(const Parts& parts, std::size_t bytes) {
  return {.host = parts.uid(0), .sensors = {.unread = {std::string(bytes, 'x')}}};
}

}  // namespace

TEST_CASE("the newest version that both ends speak is spoken") {
  Parts parts;
  parts.say(helloOf(parts, 1, 0));
  parts.clock.settle();
  CHECK(parts.last<wire::Welcome>()->version == 1);
  CHECK(parts.last<wire::Welcome>()->credit == 0);
  parts.say(helloOf(parts, 1, wire::newestVersion + 3));
  parts.clock.settle();
  CHECK(parts.last<wire::Welcome>()->version == wire::newestVersion);
  CHECK(parts.last<wire::Welcome>()->credit == 1 << 20);
}

TEST_CASE("an agent with which no version is shared is turned away, and told which there are") {
  Parts parts;
  parts.say(helloOf(parts, wire::newestVersion + 1, wire::newestVersion + 3));
  parts.clock.settle();
  CHECK(parts.last<wire::Welcome>()->state == "refused");
  CHECK(parts.last<wire::Welcome>()->reason ==
        "the agent speaks versions 3 to 5 of the protocol, this coordinator 1 to 2: install matching versions");
  CHECK(parts.conversation.of("near") == nullptr);
}

TEST_CASE("who sends what can wait is given credit as it is taken, and less often than it sends") {
  Parts parts;
  parts.serve();
  parts.say(helloOf(parts, 1, 2));
  parts.clock.settle();
  const auto hello = parts.stamp();
  std::int64_t sent = 0;
  for (int i = 0; i < 40; ++i) {
    const auto message = sensorsOf(parts, 100'000);
    sent += static_cast<std::int64_t>(wire::encode(message).size());
    parts.say(message);
    parts.clock.settle();
    const auto credit = parts.last<wire::Credit>();
    CHECK((credit ? credit->bytes : parts.last<wire::Welcome>()->credit) >= sent + (1 << 19));
    CHECK((credit ? credit->bytes : parts.last<wire::Welcome>()->credit) <= sent + (1 << 20));
  }
  CHECK(parts.last<wire::Credit>()->helloMs == hello);
  CHECK(parts.count<wire::Credit>() <= 8);
  CHECK(parts.count<wire::Credit>() >= 6);
}

TEST_CASE("an agent of version 1 is given no credit, which it would not know") {
  Parts parts;
  parts.serve();
  for (int i = 0; i < 40; ++i) parts.say(sensorsOf(parts, 100'000));
  parts.clock.settle();
  CHECK(parts.count<wire::Credit>() == 0);
}

TEST_CASE("an inventory in pieces is heard whole, of those who are approved, and nothing else is") {
  Parts parts;
  const auto [isApproved, isInventory] = GENERATE(table<bool, bool>({{true, true}, {false, true}, {true, false}}));
  if (isApproved) parts.serve();
  parts.say(helloOf(parts, 1, 2));
  parts.clock.settle();
  const std::string text(3 * wire::longestMessage, 'x');
  const wire::Message inventory =
      wire::InventoryResult{.host = parts.uid(0), .id = 1, .outcome = "done", .inventory = {.unread = {text}}};
  const wire::Message facts = wire::Facts{.host = parts.uid(0), .bmcError = text};
  const auto whole = wire::encode(isInventory ? inventory : facts, wire::longestWhole);
  for (auto& piece : wire::inPieces(1, whole)) parts.agent->send(std::move(piece));
  parts.clock.settle();
  const auto heard = std::ranges::count_if(parts.said, [](const auto& message) {
    return std::holds_alternative<wire::InventoryResult>(message) || std::holds_alternative<wire::Facts>(message);
  });
  CHECK(heard == (isApproved && isInventory ? 1 : 0));
}

TEST_CASE("credit that was lost on the way, or spent on what was, is given again with the next heartbeat") {
  Parts parts;
  parts.serve();
  parts.say(helloOf(parts, 1, 2));
  parts.clock.settle();
  auto& near = const_cast<coordinator::agents::Connection&>(*parts.conversation.of("near"));
  const std::int64_t spent = 900'000;  // of which nothing came
  parts.conversation.settleCredit(near, {.queued = 0, .spent = spent});
  parts.clock.settle();
  CHECK(parts.count<wire::Credit>() == 0);
  parts.conversation.settleCredit(near, {.queued = 3, .spent = spent});
  parts.clock.settle();
  CHECK(parts.last<wire::Credit>().value().bytes == spent + (1 << 20));
}

TEST_CASE("small pieces of somebody whom nobody has approved are not put together") {
  Parts parts;
  const bool isApproved = GENERATE(true, false);
  if (isApproved) parts.serve();
  parts.say(helloOf(parts, 1, 2));
  parts.clock.settle();
  const auto whole = wire::encode(wire::InventoryResult{.host = "h", .id = 1, .outcome = "done"});
  const auto half = whole.size() / 2;
  parts.say(wire::Piece{.id = 1, .index = 0, .count = 2, .part = {whole.substr(0, half)}});
  parts.say(wire::Piece{.id = 1, .index = 1, .count = 2, .part = {whole.substr(half)}});
  parts.clock.settle();
  const auto heard = std::ranges::count_if(
      parts.said, [](const auto& message) { return std::holds_alternative<wire::InventoryResult>(message); });
  CHECK(heard == (isApproved ? 1 : 0));
}
