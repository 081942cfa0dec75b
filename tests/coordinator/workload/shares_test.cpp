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
  SharedRoom::Seat small(room, "a", [&] { gone += "small "; });
  auto large = std::make_unique<SharedRoom::Seat>(room, "a", [&] { gone += "large "; });
  SharedRoom::Seat late(room, "a", [&] { gone += "late "; });
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

TEST_CASE("no namespace loses a cluster to the many of another") {
  SharedRoom room(100);
  std::string gone;
  SharedRoom::Seat single(room, "a", [&] { gone += "single "; });
  SharedRoom::Seat one(room, "b", [&] { gone += "one "; });
  SharedRoom::Seat two(room, "b", [&] { gone += "two "; });
  single.take(40);
  one.take(30);
  two.take(35);
  CHECK(gone == "two ");
  CHECK_FALSE(single.mustGo());
}

TEST_CASE("those that are read share, namespace by namespace, and those that tell nothing do not count") {
  const auto shares = std::make_shared<PaceShares>(1200);
  using Share = PaceShares::Share;
  const base::MonoTime now{};
  std::vector<std::unique_ptr<Share>> many;
  for (int i = 0; i < 10; ++i) many.push_back(std::make_unique<Share>(shares, "many"));
  Share single(shares, "single");
  CHECK(single.rate(now) == 1200);
  for (auto& share : many) share->use(now);
  CHECK(many[0]->rate(now) == 120);
  CHECK(single.rate(now) == 600);
  single.use(now + 5s);
  many[0]->use(now + 5s);
  CHECK(many[0]->rate(now + 5s) == 60);
  CHECK(many[0]->rate(now + 10s) == 600);  // the other nine are quiet
  many.clear();
  CHECK(single.rate(now + 10s) == 1200);
  Share last(std::make_shared<PaceShares>(1), "a");
  CHECK(last.rate(now) == 1);
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

TEST_CASE("events that do not end take room as Nodes do") {
  WorkloadSite site;
  site.kill();
  site.options.mostNodeBytesOfAll = 60'000;
  site.start();
  for (const char* name : {"c1", "c2"}) {
    site.add(name).stutters = std::string(name[1] == '1' ? 40'000 : 30'000, 'x');
    static_cast<void>(site.see(name));
    site.settle();
    CHECK(site.see(name).empty());  // no Nodes
  }
  CHECK(site.see("c1") == "Failing");
  CHECK(site.why("c1").contains("those of all clusters take too much room"));
}

TEST_CASE("a namespace has so many workload clusters connected at most") {
  WorkloadSite site;
  site.kill();
  site.options.mostConnections = 2;
  site.start();
  for (const char* name : {"c1", "c2", "c3"}) {
    site.create(site.add(name), nodeNamed("n"));
    static_cast<void>(site.see(name));
  }
  site.settle();
  CHECK(site.see("c1") + site.see("c2") == "nn");
  CHECK(site.see("c3") == "Failing");
  CHECK(site.why("c3") == "namespace metal has 2 workload clusters connected, and gets no more");
  site.cache->forget(site.key("c1"));
  static_cast<void>(site.see("c3"));
  site.settle();
  CHECK(site.see("c3") == "n");
  CHECK(site.see("c1") == "Failing");
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
  std::vector<std::unique_ptr<PacedTransport>> transports;
  std::vector<std::unique_ptr<net::HttpClient>> clients;
  for (int i = 0; i < 10; ++i) {
    transports.push_back(std::make_unique<PacedTransport>(loop.clock, network, pace,
                                                          std::make_unique<PaceShares::Share>(shares, "metal")));
    clients.push_back(transports.back()->connect({.baseUrl = "https://w.test"}));
  }
  const auto begun = loop.clock.now();
  const auto readAll = [&] {
    for (const auto& client : clients) CHECK(loop.run(client->send({.target = "/"})).status == 200);
  };
  readAll();
  readAll();
  CHECK(loop.clock.now() - begun >= 9s);  // ten thousand bytes before the last answer
  loop.run(network.close());
}

TEST_CASE("what a crowd made expensive is cheap again once the crowd has gone") {
  Loop loop;
  const auto shares = std::make_shared<PaceShares>(100'000);
  net::Loopback network{loop.runtime};
  struct Talker final : net::HttpHandler {
    base::Task<void> handle(net::ServerRequest, net::Responder& out) override {
      co_await out.send({.status = 200, .body = std::string(100'000, 'x')});
    }
  } talker;
  network.serve("https://w.test", talker);
  std::vector<std::unique_ptr<PaceShares::Share>> crowd;
  for (int i = 0; i < 1000; ++i) {
    crowd.push_back(std::make_unique<PaceShares::Share>(shares, "metal"));
    crowd.back()->use(loop.clock.now());
  }
  coordinator::workload::PacedTransport transport(loop.clock, network,
                                                  {.atOnce = 1, .perSecond = 100'000, .eachRequest = 0},
                                                  std::make_unique<PaceShares::Share>(shares, "metal"));
  const auto client = transport.connect({.baseUrl = "https://w.test"});
  const auto begun = loop.clock.now();
  for (int i = 0; i < 2; ++i) CHECK(loop.run(client->send({.target = "/"})).status == 200);
  CHECK(loop.clock.now() - begun >= 10s);
  CHECK(loop.clock.now() - begun <= 13s);  // 1,000 s at the crowd's pace
  loop.run(network.close());
}

}  // namespace ingot::tests
