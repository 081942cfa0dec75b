#include "wire/codec.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

template <class T>
T roundTrip(const T& message) {
  const auto back = wire::decode(wire::encode(message));
  REQUIRE(back);
  REQUIRE(std::holds_alternative<T>(*back));
  return std::get<T>(*back);
}

}  // namespace

TEST_CASE("a message comes back as it was sent") {
  const auto facts = roundTrip(wire::Facts{.host = "u1", .seq = 7, .power = "On", .powerAgeMs = 12, .health = "OK"});
  CHECK(facts.host == "u1");
  CHECK(facts.powerAgeMs == 12);
  const auto result =
      roundTrip(wire::CommandResult{.host = "u1", .token = {3, 2, 1}, .outcome = "done", .power = "Off"});
  CHECK(result.token == wire::Token{3, 2, 1});
  wire::Grant grant;
  grant.host = "u1";
  grant.mayAct = false;
  CHECK_FALSE(roundTrip(grant).mayAct);
}

TEST_CASE("a message with bytes that are no text arrives") {
  CHECK(roundTrip(wire::Facts{.host = "u1", .bmcError = "cut \xe9\x9b"}).bmcError == "cut \ufffd\ufffd");
}

TEST_CASE("tokens are ordered by term, then lease, then command") {
  CHECK(wire::Token{2, 1, 1} > wire::Token{1, 9, 9});
  CHECK(wire::Token{1, 2, 1} > wire::Token{1, 1, 9});
  CHECK(wire::Token{1, 1, 2} > wire::Token{1, 1, 1});
}

TEST_CASE("a kind from the future is skipped, unknown members too") {
  CHECK_FALSE(wire::decode(R"({"v":9,"kind":"telepathy","body":{}})"));
  CHECK(wire::decode(R"({"v":1,"kind":"idle","body":{"host":"u1","lease":3,"mood":"fine"}})"));
}

TEST_CASE("what is no message is refused without repeating it") {
  const auto bytes = GENERATE(as<std::string>{}, "", "{", "[]", R"({"kind":"grant"})", R"({"kind":"grant","body":[]})",
                              R"({"kind":"grant","body":{"host":"u","password":["hunter2"]}})", "hunter2\xff\xfe");
  try {
    (void)wire::decode(bytes);
    FAIL("it was taken");
  } catch (const wire::CodecError& error) {
    CHECK(std::string(error.what()).find("hunter2") == std::string::npos);
  }
}

TEST_CASE("a message over the limit is not sent: the other end would drop the connection") {
  CHECK_THROWS_WITH(wire::encode(wire::Facts{.host = "u1", .bmcError = std::string(300'000, 'x')}),
                    Catch::StartsWith("facts of 300") && !Catch::Contains("xxx"));
  const std::string most(wire::longestMessage - 1000, 'x');
  CHECK(roundTrip(wire::Facts{.host = "u1", .bmcError = most}).bmcError == most);
}

TEST_CASE("a message over the limit is not even parsed") {
  CHECK_THROWS_AS(wire::decode(std::string(wire::longestMessage + 1, ' ')), wire::CodecError);
}
