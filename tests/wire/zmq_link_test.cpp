// The real sockets, on loopback.
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/sync.hpp"
#include "wire/link.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

struct Bench {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  wire::KeyPair serverKeys = wire::generateKeyPair();
  std::unique_ptr<wire::CoordinatorLink> coordinator = wire::bindLink(runtime, {"tcp://127.0.0.1:*", serverKeys});

  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, base::withTimeout(clock, 120s, "the link", std::move(task)));
  }
  // What is said before there is a connection is dropped: nothing is kept until it is stale.
  void say(wire::AgentLink& agent, const std::string& bytes) {
    for (const auto end = clock.now() + 120s; !agent.send(bytes) && clock.now() < end;) run(clock.sleepFor(5ms));
  }
  std::unique_ptr<wire::AgentLink> agent(const wire::KeyPair& keys) {
    return wire::connectLink(runtime, {coordinator->endpoint(), serverKeys.publicKey, keys});
  }
};

}  // namespace

TEST_CASE("the coordinator knows an agent by the key that CURVE has proved") {
  Bench bench;
  const auto keys = wire::generateKeyPair();
  const auto agent = bench.agent(keys);
  bench.say(*agent, "hello");
  const auto incoming = bench.run(bench.coordinator->receive());
  CHECK(incoming.publicKey == keys.publicKey);
  CHECK(incoming.bytes == "hello");
  CHECK(bench.coordinator->send(incoming.peer, "welcome"));
  CHECK(bench.run(agent->receive()) == "welcome");
}

TEST_CASE("messages keep their order and none is lost, however they bunch up") {
  Bench bench;
  const auto agent = bench.agent(wire::generateKeyPair());
  for (int i = 0; i < 2000; ++i) bench.say(*agent, std::to_string(i));
  for (int i = 0; i < 2000; ++i) {
    const auto incoming = bench.run(bench.coordinator->receive());
    REQUIRE(incoming.bytes == std::to_string(i));
    while (!bench.coordinator->send(incoming.peer, incoming.bytes)) bench.run(bench.clock.sleepFor(5ms));
  }
  for (int i = 0; i < 2000; ++i) REQUIRE(bench.run(agent->receive()) == std::to_string(i));
}

TEST_CASE("what is more than the queue's bytes waits with its sender, and comes in order") {
  Bench bench;
  const auto agent = bench.agent(wire::generateKeyPair());
  const std::string filling(100 << 10, 'x');
  for (int i = 0; i < 100; ++i) bench.say(*agent, filling + std::to_string(i));
  for (int i = 0; i < 100; ++i)
    REQUIRE(bench.run(bench.coordinator->receive()).bytes.substr(filling.size()) == std::to_string(i));
}

TEST_CASE("a key that is not admitted gets no connection, until it is") {
  Bench bench;
  const auto known = wire::generateKeyPair(), unknown = wire::generateKeyPair();
  int asked = 0;
  bench.coordinator->admit([&](const std::string& key) { return key == known.publicKey || ++asked > 1; });
  const auto stranger = bench.agent(unknown);
  const auto friendly = bench.agent(known);
  bench.say(*friendly, "hello");
  CHECK(bench.run(bench.coordinator->receive()).publicKey == known.publicKey);
  bench.say(*stranger, "psst");
  CHECK(bench.run(bench.coordinator->receive()).publicKey == unknown.publicKey);
  CHECK(asked == 2);
}

TEST_CASE("an agent that expects another coordinator's key gets no connection") {
  Bench bench;
  const auto stranger = wire::connectLink(
      bench.runtime, {bench.coordinator->endpoint(), wire::generateKeyPair().publicKey, wire::generateKeyPair()});
  stranger->send("psst");
  const auto friendly = bench.agent(wire::generateKeyPair());
  bench.say(*friendly, "hello");
  CHECK(bench.run(bench.coordinator->receive()).bytes == "hello");
}

TEST_CASE("a peer that is gone is no place to send to") {
  Bench bench;
  CHECK_FALSE(bench.coordinator->send("nobody", "hello"));
}

TEST_CASE("an endpoint that cannot be bound is named") {
  Bench bench;
  CHECK_THROWS_WITH(wire::bindLink(bench.runtime, {bench.coordinator->endpoint(), bench.serverKeys}),
                    Catch::Contains(bench.coordinator->endpoint()));
}

TEST_CASE("keys are made once, kept private and read again") {
  const auto folder = std::filesystem::temp_directory_path() / ("ingot-keys-" + base::systemRandom()->uuid());
  std::filesystem::create_directory(folder);
  const auto prefix = (folder / "agent").string();
  const auto first = wire::loadOrCreateKeyPair(prefix);
  const auto second = wire::loadOrCreateKeyPair(prefix);
  CHECK(first.publicKey == second.publicKey);
  CHECK(first.secretKey == second.secretKey);
  using std::filesystem::perms;
  const perms kept = std::filesystem::status(prefix + ".key").permissions();
  CHECK((kept & (perms::group_all | perms::others_all)) == perms::none);
  CHECK(wire::fingerprint(first.publicKey).starts_with("SHA256:"));
  const auto told = base::readFile(prefix + ".pub");
  for (const bool missing : {true, false}) {
    if (missing)
      std::filesystem::remove(prefix + ".pub");
    else
      base::writeFileAtomically(prefix + ".pub", "of another key\n", 0644);
    CHECK(wire::loadOrCreateKeyPair(prefix).publicKey == first.publicKey);
    CHECK(base::readFile(prefix + ".pub") == told);
  }
  std::filesystem::remove_all(folder);
}
