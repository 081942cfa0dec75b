// What all workload clusters together may take of memory and time, however many there are.
#include "coordinator/workload/paced_transport.hpp"
#include "coordinator/workload/shared_room.hpp"
#include "tests/coordinator/workload/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

using coordinator::workload::PaceShares;
using coordinator::workload::SharedRoom;

TEST_CASE("who takes most of a room that is full lets go, once") {
  SharedRoom room(100);
  std::string gone;
  SharedRoom::Seat small(room, [&] { gone += "small "; });
  auto large = std::make_unique<SharedRoom::Seat>(room, [&] { gone += "large "; });
  SharedRoom::Seat late(room, [&] { gone += "late "; });
  large->take(70);
  small.take(30);
  CHECK(gone.empty());
  late.take(10);
  CHECK(gone == "large ");
  CHECK(large->mustGo());
  large->take(1000);
  large.reset();
  late.take(70);
  CHECK(gone == "large ");
  late.take(71);
  CHECK(gone == "large late ");
}

TEST_CASE("a share gets smaller the more there are") {
  PaceShares shares(100);
  CHECK(shares.each() == 100);
  for (int i = 0; i < 4; ++i) shares.enter();
  CHECK(shares.each() == 25);
  for (int i = 0; i < 400; ++i) shares.enter();
  CHECK(shares.each() == 1);
  for (int i = 0; i < 403; ++i) shares.leave();
  CHECK(shares.each() == 100);
}

TEST_CASE("the largest cluster is let go when all of them take too much") {
  WorkloadSite site;
  site.kill();
  site.options.mostNodeBytesOfAll = 60'000;
  site.start();
  const auto fill = [&](const std::string& name, int nodes) {
    auto& server = site.add(name);
    for (int i = 0; i < nodes; ++i) {
      kube::Node node = nodeNamed("n" + std::to_string(i));
      node.metadata.annotations["a"] = std::string(5000, 'x');
      site.create(server, std::move(node));
    }
    static_cast<void>(site.see(name));
    site.settle();
  };
  fill("c1", 7);
  REQUIRE(site.nodes("c1").size() == 7);
  fill("c2", 3);
  fill("c3", 1);
  CHECK(site.see("c2") == "n0 n1 n2");
  CHECK(site.see("c3") == "n0");
  CHECK(site.see("c1") == "Failing");
  CHECK(site.why("c1").contains("has the largest Nodes"));
}

TEST_CASE("many clusters are read no faster than a few") {
  Loop loop;
  const auto shares = std::make_shared<PaceShares>(1000);
  net::Loopback network{loop.runtime};
  struct Talker final : net::HttpHandler {
    base::Task<void> handle(net::ServerRequest, net::Responder& out) override {
      co_await out.send({.status = 200, .body = std::string(1000, 'x')});
    }
  } talker;
  network.serve("https://w.test", talker);
  using coordinator::workload::PacedTransport;
  const coordinator::workload::Pace pace{.atOnce = 1, .perSecond = 1000, .eachRequest = 0};
  std::vector<std::unique_ptr<PacedTransport>> all;
  for (int i = 0; i < 10; ++i) all.push_back(std::make_unique<PacedTransport>(loop.clock, network, pace, shares));
  const auto client = all.front()->connect({.baseUrl = "https://w.test"});
  const auto begun = loop.clock.now();
  for (int i = 0; i < 4; ++i) CHECK(loop.run(client->send({.target = "/"})).status == 200);
  CHECK(loop.clock.now() - begun >= 29s);
  loop.run(network.close());
}

}  // namespace ingot::tests
