#include "kube/runtime/event_recorder.hpp"
#include "tests/kube/cluster.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::Cluster;
using tests::Fault;

namespace {

struct Recording : Cluster {
  kube::EventRecorder events;

  explicit Recording(kube::EventMemoryOptions memory = {}, std::size_t queueLimit = 100)
      : events(runtime, *client,
               {.component = "metal3-baremetal-controller",
                .reportingComponent = "metal3.io/baremetal-controller",
                .queueLimit = queueLimit,
                .memory = memory}) {
    tasks.spawn("events", events.run());
  }
  ~Recording() { run(tasks.close()); }

  static kube::ObjectReference host(std::string name) {
    return {.kind = "BareMetalHost",
            .namespace_ = "ns",
            .name = name,
            .uid = "u-" + name,
            .apiVersion = "metal3.io/v1alpha1",
            .resourceVersion = "7"};
  }
  void record(std::string name, std::string reason = "Registered", std::string message = "enrolled") {
    events.normal(host(std::move(name)), std::move(reason), std::move(message));
  }
  std::vector<kube::Event> stored() {
    run(events.flushed());
    std::vector<kube::Event> out;
    for (auto& v : api.store.list("events", "")) out.push_back(json::decode<kube::Event>(v));
    return out;
  }
};

}  // namespace

TEST_CASE("an event says what happened to which object, and who says so", "[kube][events]") {
  Recording r;
  r.record("a");
  const auto all = r.stored();
  REQUIRE(all.size() == 1);
  const kube::Event& e = all[0];
  CHECK(e.metadata.generateName == "Registered-");
  CHECK(e.metadata.namespace_ == "ns");
  CHECK(e.involvedObject.name == "a");
  CHECK(e.reason == "Registered");
  CHECK(e.type == "Normal");
  CHECK(e.count == 1);
  CHECK(e.firstTimestamp == r.loop.clock.wall());
  CHECK(e.source.component == "metal3-baremetal-controller");
  CHECK(e.reportingComponent == "metal3.io/baremetal-controller");
}

TEST_CASE("a repetition raises the count of the event there is", "[kube][events]") {
  Recording r;
  r.record("a");
  r.settle();
  r.advance(1min);
  r.record("a");
  r.record("a");
  r.record("a", "Registered", "again");
  const auto all = r.stored();
  REQUIRE(all.size() == 2);
  CHECK(all[0].count == 3);
  CHECK(all[0].firstTimestamp != all[0].lastTimestamp);
  CHECK(all[1].count == 1);
  CHECK(r.api.count("PATCH") == 1);  // both repetitions travelled together
}

TEST_CASE("a repetition long after is another event", "[kube][events]") {
  Recording r({.sameEventFor = 10min});
  r.record("a");
  r.settle();
  r.advance(11min);
  r.record("a");
  CHECK(r.stored().size() == 2);
}

TEST_CASE("an event that the server has thrown away is made anew", "[kube][events]") {
  Recording r;
  r.record("a");
  const auto first = r.stored();
  static_cast<void>(r.api.store.remove({"events", "ns", first[0].metadata.name}, "", ""));
  r.record("a");
  const auto all = r.stored();
  REQUIRE(all.size() == 1);
  CHECK(all[0].count == 2);
}

TEST_CASE("one object may not flood", "[kube][events]") {
  Recording r({.burst = 5, .refill = 1min});
  for (int i = 0; i < 20; ++i) r.record("a", "Reason", fmt::format("message {}", i));
  r.record("b");
  CHECK(r.stored().size() == 6);
  CHECK(r.events.dropped() == 15);
  r.advance(1min);
  r.record("a", "Reason", "later");
  CHECK(r.stored().size() == 7);
}

TEST_CASE("an object that floods stays slowed down while many others publish", "[kube][events]") {
  kube::EventMemory memory({.entries = 10, .burst = 2, .refill = 1h});
  int told = 0;
  for (int i = 0; i < 50; ++i) {
    const auto key = [](std::string name, int n) {
      return kube::EventKey{Recording::host(std::move(name)), "Normal", "R", fmt::format("m{}", n)};
    };
    if (memory.note(key("aaa", i), {}, {}, {})) ++told;
    CHECK(memory.note(key(fmt::format("h{}", i), i), {}, {}, {}));  // each another object
  }
  CHECK(told == 2);
}

TEST_CASE("a server that is away for a moment loses no event, one that refuses loses it quietly", "[kube][events]") {
  Recording r;
  r.api.fault = [](const net::ServerRequest&) { return Fault{.status = 503}; };
  r.record("a");
  r.advance(1s);
  r.api.fault = {};
  CHECK(r.stored().size() == 1);
  r.api.fault = [](const net::ServerRequest&) { return Fault{.status = 403}; };
  r.record("b");
  CHECK(r.stored().size() == 1);
  CHECK(r.events.dropped() == 1);
}

TEST_CASE("queue and memory are bounded", "[kube][events]") {
  Recording r({.entries = 10}, 20);
  r.api.fault = [](const net::ServerRequest&) { return Fault{.kind = Fault::Kind::hang}; };
  for (int i = 0; i < 100; ++i) r.record(fmt::format("h{}", i));
  CHECK(r.events.pending() <= 20);
  CHECK(r.events.dropped() == 80);
  kube::EventMemory memory({.entries = 10});
  for (int i = 0; i < 100; ++i)
    CHECK(memory.note({Recording::host(fmt::format("h{}", i)), "Normal", "R", "m"}, r.loop.clock.now(), {}, {}));
  CHECK(memory.size() == 10);
}
