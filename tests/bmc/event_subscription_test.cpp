// The subscription by which a BMC pushes its events (spec/bmc.md §13.2).
#include "bmc/redfish/event_subscription.hpp"

#include "base/text.hpp"
#include "tests/bmc/bench_transport.hpp"
#include "tests/bmc/fake_redfish.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Lane;
using bmc::redfish::EventSubscription;

namespace {

struct QuietInbox final : bmc::EventInbox {
  explicit QuietInbox(std::string of = "agent") : agent(std::move(of)) {}
  [[nodiscard]] std::string urlFor(const std::string& bmc) const override { return prefix() + bmc; }
  [[nodiscard]] std::string prefix() const override { return "https://" + agent + ".example:7463/events/abc/"; }
  [[nodiscard]] bool isSelfSigned() const override { return false; }
  [[nodiscard]] std::shared_ptr<void> listen(const std::string&, OnBody) override { return nullptr; }
  std::string agent;
};

// A BMC that keeps what is subscribed and shows it in its own way.
struct SubscribedBench : tests::Loop {
  explicit SubscribedBench(std::function<std::string(const std::string& destination, const std::string& context)> how)
      : transport(runtime), show(std::move(how)) {
    fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},"EventService":{"@odata.id":"/es"},
      "Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}}})";
    fake.documents["/es"] = R"({"ServiceEnabled":true,"Subscriptions":{"@odata.id":"/subs"}})";
    fake.instead = [this](const net::ServerRequest& request) { return answer(request); };
    transport.serve("https://bmc.example:443", fake);
    traffic = std::make_shared<bmc::Traffic>(runtime, bmc::GovernorOptions{}, "bmc",
                                             std::make_shared<bmc::RefusedLogins>(runtime));
    governor = std::make_unique<bmc::Governor>(traffic, "admin", base::Secret("s3cret"));
    connection = std::make_unique<bmc::redfish::Connection>(
        runtime, transport, *governor, std::make_shared<bmc::OpenSessions>(runtime),
        bmc::redfish::ConnectionOptions{.baseUrl = "https://bmc.example", .login = {"admin", base::Secret("s3cret")}});
    restart();
  }
  ~SubscribedBench() { run(transport.close()); }

  void restart() { subscription = std::make_unique<EventSubscription>(*connection, inbox, "bmc-1"); }
  bool ensure() { return ensure(*subscription); }
  bool ensure(EventSubscription& of) { return run(of.ensure(Lane::background)); }
  // The BMC starts anew: sessions and subscriptions are gone, and numbers are given again.
  void forget() {
    kept.clear();
    made = 0;
    fake.expireSessions();
  }

  std::optional<net::HttpResponse> answer(const net::ServerRequest& request) {
    const std::string path(request.path());
    if (!path.starts_with("/subs")) return std::nullopt;
    if (path == "/subs" && request.method == "POST") {
      const auto body = json::parse(request.body);
      const auto at = fmt::format("/subs/{}", ++made);
      kept[at] = show(json::textAt(body, {"Destination"}), json::textAt(body, {"Context"}));
      return net::HttpResponse{.status = 201, .headers = {{"Location", at}}, .body = "{}"};
    }
    if (path == "/subs") {
      std::string members;
      for (const auto& [at, body] : kept)
        members += fmt::format(R"({}{{"@odata.id":"{}"}})", members.empty() ? "" : ",", at);
      return net::HttpResponse{.status = 200, .body = fmt::format(R"({{"Members":[{}]}})", members)};
    }
    if (request.method == "DELETE") return net::HttpResponse{.status = kept.erase(path) == 1 ? 204 : 404};
    if (!kept.contains(path)) return net::HttpResponse{.status = 404, .body = "{}"};
    return net::HttpResponse{.status = 200, .body = kept.at(path)};
  }

  tests::FakeRedfish fake;
  tests::BenchTransport transport;
  QuietInbox inbox;
  std::function<std::string(const std::string&, const std::string&)> show;
  std::map<std::string, std::string> kept;
  int made = 0;
  std::shared_ptr<bmc::Traffic> traffic;
  std::unique_ptr<bmc::Governor> governor;
  std::unique_ptr<bmc::redfish::Connection> connection;
  std::unique_ptr<EventSubscription> subscription;
};

std::string shownAs(const std::string& destination, const std::string& context) {
  return fmt::format(R"({{"Destination":"{}","Context":"{}"}})", destination, context);
}

}  // namespace

TEST_CASE("a subscription that the BMC shows in its own way stands all the same", "[events]") {
  const auto way = GENERATE(0, 1, 2);
  SubscribedBench bench([way](const std::string& destination, const std::string& context) {
    if (way == 0)
      return shownAs("HTTPS://AGENT.EXAMPLE:7463" + destination.substr(destination.find("/events")), context);
    if (way == 1) return shownAs("https://10.0.0.7:7463/otherwise", context);  // by what the name meant then
    return shownAs("", context);
  });
  CHECK(bench.ensure());
  for (int round = 0; round < 3; ++round) CHECK_FALSE(bench.ensure());
  CHECK(bench.made == 1);
  CHECK(bench.kept.size() == 1);
}

TEST_CASE("a subscription whose destination is shown otherwise is known again after a restart", "[events]") {
  const bool inOtherLetters = GENERATE(true, false);
  SubscribedBench bench([inOtherLetters](const std::string& destination, const std::string& context) {
    const std::string shown = inOtherLetters ? "https://AGENT.EXAMPLE:7463" : "https://10.0.0.7";
    return shownAs(shown + destination.substr(destination.find("/events")), context);
  });
  bench.ensure();
  bench.restart();
  CHECK_FALSE(bench.ensure());
  CHECK(bench.made == 1);
}

TEST_CASE("a subscription of which nothing is shown is deleted before another is made", "[events]") {
  SubscribedBench bench([](const auto&, const auto&) { return std::string("{}"); });
  for (int round = 0; round < 4; ++round) CHECK(bench.ensure());
  CHECK(bench.made == 4);
  CHECK(bench.kept.size() == 1);
}

TEST_CASE("somebody else's subscription that got the number of ours is left", "[events]") {
  SubscribedBench bench(shownAs);
  bench.ensure();
  bench.kept["/subs/1"] = shownAs("https://another.example/x", "another");  // the BMC has restarted and forgot ours
  CHECK(bench.ensure());
  CHECK(bench.kept.size() == 2);
  CHECK(bench.kept.at("/subs/1").contains("another.example"));
}

TEST_CASE("a subscription of another agent that got the number of ours is not taken for it", "[events]") {
  const bool isShown = GENERATE(true, false);
  SubscribedBench bench([isShown](const std::string& destination, const std::string& context) {
    return shownAs(isShown ? destination : "", context);
  });
  QuietInbox theirs("other");
  EventSubscription other(*bench.connection, theirs, "bmc-1");
  CHECK(bench.ensure());
  CHECK(bench.ensure(other));
  bench.forget();
  CHECK(bench.ensure(other));
  const auto of = bench.kept.at("/subs/1");
  CHECK(bench.ensure());
  CHECK(bench.kept.at("/subs/1") == of);
  CHECK(bench.kept.size() == 2);
  CHECK(bench.subscription->take() == "/subs/2");
  CHECK(other.take() == "/subs/1");
}

TEST_CASE("who logs out of a BMC that has started anew deletes no subscription, for it may be another's", "[events]") {
  SubscribedBench bench(shownAs);
  QuietInbox theirs("other");
  EventSubscription other(*bench.connection, theirs, "bmc-1");
  CHECK(bench.ensure());
  bench.forget();
  CHECK(bench.ensure(other));
  CHECK(bench.subscription->take().empty());
  CHECK(other.take() == "/subs/1");
}

TEST_CASE("a subscription of which nothing is shown is left where the BMC has started anew since", "[events]") {
  SubscribedBench bench([](const auto&, const auto&) { return std::string("{}"); });
  QuietInbox theirs("other");
  EventSubscription other(*bench.connection, theirs, "bmc-1");
  CHECK(bench.ensure());
  bench.forget();
  CHECK(bench.ensure(other));
  CHECK(bench.ensure());
  CHECK(bench.kept.contains("/subs/1"));
  CHECK(bench.kept.contains("/subs/2"));
}
