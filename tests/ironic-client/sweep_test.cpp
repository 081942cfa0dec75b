#include "ironic-client/sweep.hpp"

#include "tests/ironic-client/world.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

struct SweepWorld : IronicWorld {
  explicit SweepWorld(FakeIronicOptions options = {}) : IronicWorld(std::move(options)) {}
  ~SweepWorld() {
    bool closed = false;
    boost::asio::co_spawn(loop.io, tasks.close(), [&](std::exception_ptr) { closed = true; });
    static_cast<void>(loop.clock.advanceUntil([&] { return closed; }, 1min));
  }
  void start() {
    tasks.spawn("sweep", sweep.run());
    loop.clock.settle();
  }
  std::size_t requestsIn(base::Duration time) {
    const std::size_t before = ironic.requestCount();
    loop.clock.advance(time);
    return ironic.requestCount() - before;
  }

  std::vector<std::string> news;
  ironic::Connection connection{loop.runtime, net, settings()};
  ironic::NodeCache cache{[this](const std::string& uuid) { news.push_back(uuid); }};
  ironic::Sweep sweep{loop.runtime, connection, cache};
  base::TaskGroup tasks{loop.io.get_executor(), base::Log::silent()};
};

}  // namespace

TEST_CASE("a calm Ironic is asked seldom, one with work under way often") {
  SweepWorld world;
  const std::string uuid = world.ironic.add({{"name", "n"}, {"provision_state", "manageable"}});
  world.start();
  CHECK(world.requestsIn(60s) <= 9);  // two or three sweeps, each with a probe of readiness

  {
    ironic::NodeCache::Change change(world.cache, uuid);
    world.loop.run(world.client.changeState(uuid, {.verb = ironic::Verb::inspect}));
    change.accepted();
  }
  world.sweep.trigger();
  world.news.clear();
  world.loop.clock.advance(2s);
  CHECK(world.cache.look(uuid)->node->state() == ironic::State::inspectWait);
  CHECK(world.cache.restless());
  world.loop.clock.advance(10s);
  CHECK(world.cache.look(uuid)->node->state() == ironic::State::manageable);
  CHECK_FALSE(world.cache.restless());
  CHECK(world.news.size() >= 2);
}

TEST_CASE("one sweep serves a thousand nodes") {
  SweepWorld world({.pageSize = 1000});
  for (int i = 0; i < 1000; ++i) world.ironic.add({{"name", fmt::format("n{}", i)}});
  world.loop.run(world.sweep.once());
  CHECK(world.cache.all().size() == 1000);
  CHECK(world.ironic.requestCount() <= 4);  // version, drivers, one full page and maybe an empty one
}

TEST_CASE("everybody hears at once that Ironic is back") {
  SweepWorld world;
  int returns = 0;
  world.connection.onReturn([&] { ++returns; });
  world.net.remove("http://ironic:6385");
  world.start();
  world.loop.clock.advance(60s);
  CHECK(world.connection.down());
  CHECK(returns == 0);

  world.net.serve("http://ironic:6385", world.ironic);
  world.loop.clock.advance(10s);
  CHECK(returns == 1);
  CHECK_FALSE(world.connection.down());
}

TEST_CASE("nodes that vanish are news too") {
  SweepWorld world;
  const std::string uuid = world.ironic.add({{"name", "n"}});
  world.loop.run(world.sweep.once());
  world.ironic.loseDatabase();
  world.news.clear();
  world.loop.run(world.sweep.once());
  CHECK(world.news == std::vector<std::string>{uuid});
  CHECK_FALSE(world.cache.look(uuid));
}

TEST_CASE("readiness is asked for once, however many want to know") {
  SweepWorld world;
  int ready = 0;
  for (int i = 0; i < 20; ++i)
    boost::asio::co_spawn(world.loop.io, world.connection.ready(),
                          [&](std::exception_ptr error, std::shared_ptr<ironic::Client>) { ready += error ? 0 : 1; });
  static_cast<void>(world.loop.clock.advanceUntil([&] { return ready == 20; }, 1min));
  CHECK(ready == 20);
  CHECK(world.ironic.requestCount() == 2);
  world.loop.clock.advance(6s);
  static_cast<void>(world.loop.run(world.connection.ready()));
  CHECK(world.ironic.requestCount() == 4);
}
