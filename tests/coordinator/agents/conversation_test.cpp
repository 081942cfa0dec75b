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
