// BMCs that push their events to an inbox (EventDestination), and our client that has them do so.
#include "bmc/event_inbox.hpp"
#include "tests/sim/driven.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace ingot;
using bmc::EventNews;
using sim::Personality;
using tests::Driven;
using namespace std::chrono_literals;

namespace {

constexpr auto subscriptionsPath = "/redfish/v1/EventService/Subscriptions";

// In memory, at https://agent.example.
class Inbox final : public bmc::EventInbox, public net::HttpHandler {
 public:
  std::string urlFor(const std::string&) const override { return prefix() + "secret"; }
  std::string prefix() const override { return "https://agent.example:443/events/"; }
  bool isSelfSigned() const override { return selfSigned; }
  std::shared_ptr<void> listen(const std::string&, OnBody onBody) override {
    auto made = std::make_shared<OnBody>(std::move(onBody));
    listener = made;
    return made;
  }
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    bodies.push_back(request.body);
    if (const auto here = listener.lock(); here && !refuses) (*here)(request.body);
    co_await out.send({.status = refuses ? 500 : 204});
  }

  std::weak_ptr<OnBody> listener;
  std::vector<std::string> bodies;
  bool selfSigned = true, refuses = false;
};

struct Pushing : Driven {
  explicit Pushing(Personality personality = Personality::plain) : Driven({.personality = personality}) {
    transport.serve("https://agent.example:443", inbox);
    driver = bmcs.open(
        {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"admin", base::Secret("ingot-sim")}});
  }
  ~Pushing() { run(followers.close()); }

  void follow() {
    followers.spawn("follow", following());
    clock.advance(1s);
  }
  base::Task<void> following() {
    try {
      co_await driver->events->followEvents(bmc::Lane::background, [this](EventNews one) { news.push_back(one); });
    } catch (const bmc::Error& error) {
      failure = error.code();
    }
  }
  std::vector<std::string> destinations() {
    std::vector<std::string> all;
    for (const auto& member : get(subscriptionsPath).at("Members").get_array())
      all.push_back(json::textAt(get(json::textAt(member, {"@odata.id"})), {"Destination"}));
    return all;
  }
  int subscribe(const std::string& destination) {
    return send("POST", subscriptionsPath,
                fmt::format(R"({{"Destination":"{}","Protocol":"Redfish","EventTypes":["Alert"]}})", destination))
        .status;
  }
  auto happened() { return std::ranges::count(news, EventNews::happened); }

  Inbox inbox;
  const std::string ours = inbox.urlFor("");
  bmc::BmcPool bmcs{runtime, {transport, processes, "", &inbox}, {}};
  base::TaskGroup followers{runtime.executor, runtime.log};
  std::vector<EventNews> news;
  std::optional<bmc::Error::Code> failure;
};

}  // namespace

TEST_CASE("each vendor's BMC is had to push to the inbox, once, and no more when nobody follows") {
  for (const auto& [personality, name] : namesOf(Personality())) {
    INFO(name);
    Pushing bench(personality);
    bench.follow();
    CHECK(bench.news == std::vector{EventNews::opened});
    CHECK(bench.destinations() == std::vector{bench.ours});
    bench.machine.logEvent("Critical", "Fan 2 stands");
    bench.clock.advance(1s);
    CHECK(bench.happened() == 1);
    REQUIRE(bench.inbox.bodies.size() == 1);
    const auto told = json::parse(bench.inbox.bodies.front());
    CHECK(json::textAt(told.at("Events").at(0), {"OriginOfCondition", "@odata.id"}) ==
          sim::redfish::ownPath(sim::redfish::traitsOf(personality), "/redfish/v1/Systems/1"));
    bench.clock.advance(1h);
    CHECK(bench.destinations().size() == 1);
    bench.run(bench.followers.close());
    bench.run(bench.driver->close());
    CHECK(bench.destinations().empty());
    CHECK_FALSE(bench.failure);
  }
}

TEST_CASE("a subscription of an agent before, at this address, is taken over or taken away; others stay") {
  Pushing bench;
  REQUIRE(bench.subscribe("https://agent.example:443/events/of-another-key") == 201);
  REQUIRE(bench.subscribe("https://somebody.else/x") == 201);
  const bool isOurs = GENERATE(true, false);
  if (isOurs) {
    REQUIRE(bench.subscribe(bench.ours) == 201);
    REQUIRE(bench.subscribe(bench.ours) == 201);  // one too many
  }
  bench.follow();
  auto left = bench.destinations();
  std::ranges::sort(left);
  CHECK(left == std::vector<std::string>{bench.ours, "https://somebody.else/x"});
}

TEST_CASE("a subscription that a BMC has forgotten is made anew, and what it had to tell is looked for") {
  Pushing bench;
  bench.follow();
  const auto path = json::textAt(bench.get(subscriptionsPath).at("Members").at(0), {"@odata.id"});
  REQUIRE(bench.send("DELETE", path).status == 204);
  bench.clock.advance(1s);
  CHECK(bench.happened() == 0);
  bench.clock.advance(13min);
  CHECK(bench.destinations() == std::vector{bench.ours});
  CHECK(bench.happened() == 1);
  bench.machine.logEvent("OK", "Fan 2 runs");
  bench.clock.advance(1s);
  CHECK(bench.happened() == 2);
}

TEST_CASE("a BMC that has no room is busy, one that takes no subscriptions has a stream, or nothing") {
  Pushing bench(GENERATE(Personality::plain, Personality::ilo6));
  const bool hasStream = bench.machine.spec().personality == Personality::plain;
  for (int i = 0; i < 20; ++i) REQUIRE(bench.subscribe(fmt::format("https://other/{}", i)) == 201);
  bench.follow();
  if (hasStream) {
    CHECK(bench.news == std::vector{EventNews::opened});
    bench.machine.logEvent("OK", "something");
    bench.clock.advance(1s);
    CHECK(bench.happened() == 1);
    CHECK(bench.inbox.bodies.empty());
  } else {
    CHECK(bench.failure == bmc::Error::Code::busy);
  }
}

TEST_CASE("what a BMC cannot verify it is asked not to, and what it can it is not") {
  Pushing bench;
  bench.inbox.selfSigned = GENERATE(true, false);
  bench.follow();
  const auto path = json::textAt(bench.get(subscriptionsPath).at("Members").at(0), {"@odata.id"});
  CHECK(json::boolAt(bench.get(path), {"VerifyCertificate"}) == !bench.inbox.selfSigned);
}

TEST_CASE("a simulated BMC gives a destination up that fails three times") {
  Pushing bench;
  bench.inbox.refuses = true;
  bench.follow();
  bench.machine.logEvent("OK", "something");
  bench.clock.advance(10s);
  CHECK(bench.inbox.bodies.size() == 3);
  CHECK(bench.destinations().empty());
  bench.inbox.refuses = false;
  bench.clock.advance(13min);
  CHECK(bench.destinations().size() == 1);
}

TEST_CASE("signs of life and telemetry are no events, and a storm is told ten times a second") {
  Pushing bench;
  bench.follow();
  const auto push = [&](const std::string& body) {
    const auto client = bench.transport.connect({.baseUrl = "https://agent.example:443"});
    return bench.run(client->send({.method = "POST", .target = "/events/secret", .body = body})).status;
  };
  CHECK(push(R"({"@odata.type":"#MetricReport.v1_4_0.MetricReport"})") == 204);
  CHECK(push(R"({"Events":[{"MessageId":"HeartbeatEvent.1.0.X"}]})") == 204);
  bench.clock.advance(1s);
  CHECK(bench.happened() == 0);
  for (int i = 0; i < 100; ++i) push("not even JSON");
  bench.clock.advance(1s);
  CHECK(bench.happened() >= 1);
  CHECK(bench.happened() <= 11);
}

TEST_CASE("a subscription is taken back by the session alone: whoever answers at the end is shown no password") {
  Pushing bench;
  bench.follow();
  REQUIRE(bench.destinations().size() == 1);
  bench.run(bench.followers.close());
  bench.machine.setFault(sim::Fault::expireSessions, true);
  const auto before = bench.changes().size();
  bench.run(bench.driver->close());
  const auto after = bench.changes();
  CHECK(std::none_of(after.begin() + static_cast<std::ptrdiff_t>(before), after.end(),
                     [](const auto& change) { return change.starts_with("login"); }));
}
