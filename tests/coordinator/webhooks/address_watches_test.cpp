// Addresses in use, as reviews of pools look them up (spec/ipam.md §7.2): listed where there are few, watched where
// there are many.
#include "coordinator/webhooks/address_watches.hpp"

#include "coordinator/webhooks/lookups.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/kube/fake_api.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::AddressBounds;
using coordinator::webhooks::AddressWatches;
using coordinator::webhooks::Lookups;
using coordinator::webhooks::LookupTurns;
using tests::Fault;
using Addresses = std::vector<std::string>;

namespace {

constexpr std::size_t kPage = 10;

struct AddressSite : tests::Loop {
  tests::FakeApi api{runtime};
  net::Loopback network{runtime};
  std::unique_ptr<kube::Client> client;
  LookupTurns turns{io.get_executor(), {}};
  std::unique_ptr<AddressWatches> watches;

  explicit AddressSite(AddressWatches::Limits limits = {}) {
    network.serve("https://fake:6443", api);
    client = kube::connect(runtime, network, {.server = "https://fake:6443"});
    watches = std::make_unique<AddressWatches>(runtime, client->api(), limits);
    api.pageLimit = kPage;
  }
  ~AddressSite() { run(watches->close()); }

  // 10.0.0.NUMBER of pool "pool".
  void put(int number, const std::string& namespace_ = "metal") { putOf("pool", number, namespace_); }
  void putOf(const std::string& pool, int number, const std::string& namespace_ = "metal") {
    static_cast<void>(api.store.create(
        "ipaddresses", namespace_,
        json::Object{
            {"apiVersion", "ipam.metal3.io/v1alpha1"},
            {"kind", "IPAddress"},
            {"metadata", json::Object{{"name", fmt::format("{}-{:03}", pool, number)}, {"namespace", namespace_}}},
            {"spec",
             json::Object{{"address", fmt::format("10.0.0.{}", number)}, {"pool", json::Object{{"name", pool}}}}}}));
    api.changed();
  }
  void putMany(int from, int to, const std::string& namespace_ = "metal") {
    for (int number = from; number <= to; ++number) put(number, namespace_);
  }
  void erase(int number) {
    static_cast<void>(api.store.remove({"ipaddresses", "metal", fmt::format("pool-{:03}", number)}, "", ""));
    api.changed();
  }

  // What a review of the pool hears that would leave it 10.0.0.1 to 10.0.0.LAST.
  base::Task<Addresses> ask(int last, std::string namespace_ = "metal") {
    api::ipam::Range range;
    range.start = "10.0.0.1";
    range.end = fmt::format("10.0.0.{}", last);
    const AddressBounds bounds({range});
    const kube::ObjectKey pool{namespace_, "pool"};
    Lookups lookups;
    CHECK(lookups.addressesBeyond(pool, bounds).empty());
    CHECK_FALSE(lookups.areComplete());
    LookupTurns::Review review(turns, namespace_);
    co_await base::withTimeout(clock, 8s, "the API took too long", lookups.fetch(client->api(), review, *watches));
    CHECK(lookups.areComplete());
    co_return lookups.addressesBeyond(pool, bounds);
  }
  Addresses beyond(int last, const std::string& namespace_ = "metal") { return run(ask(last, namespace_)); }
  // Requests that this takes.
  template <class Do>
  std::size_t requestsOf(const Do& action) {
    const std::size_t before = api.log.size();
    action();
    return api.log.size() - before;
  }
};

}  // namespace

TEST_CASE("§7.2 a namespace with few addresses is listed for each review", "[webhooks]") {
  AddressSite site;
  site.putMany(1, 5);
  site.putOf("other", 9);
  CHECK(site.requestsOf([&] { CHECK(site.beyond(3) == Addresses{"10.0.0.4", "10.0.0.5"}); }) == 2);
  site.put(6);  // no watch has to tell of it
  CHECK(site.beyond(5) == Addresses{"10.0.0.6"});
  CHECK(site.beyond(6).empty());
  CHECK(site.api.watches() == 0);
}

TEST_CASE("§7.2 one with many is watched: the next review costs the API nothing", "[webhooks]") {
  AddressSite site;
  site.putMany(1, 35);
  site.putOf("other", 99);
  CHECK(site.beyond(33) == Addresses{"10.0.0.34", "10.0.0.35"});
  CHECK(site.api.watches() == 2);  // of both kinds
  CHECK(site.requestsOf([&] {
    for (int last = 30; last < 35; ++last) CHECK(site.beyond(last).size() == static_cast<std::size_t>(35 - last));
    CHECK(site.beyond(35).empty());
  }) == 0);
  site.put(36);
  site.erase(34);
  site.clock.settle();
  CHECK(site.requestsOf([&] { CHECK(site.beyond(33) == Addresses{"10.0.0.35", "10.0.0.36"}); }) == 0);
}

TEST_CASE("§7.2 reviews that come together wait for one list", "[webhooks]") {
  AddressSite site;
  site.putMany(1, 35);
  site.api.listDelay = 1s;
  std::size_t answered = 0;
  base::TaskGroup reviews(site.runtime.executor, site.runtime.log);
  const auto ask = [](AddressSite& at, std::size_t& count) -> base::Task<void> {
    if (co_await at.ask(34) == Addresses{"10.0.0.35"}) ++count;
  };
  for (int i = 0; i < 5; ++i) reviews.spawn("review", ask(site, answered));
  site.clock.advance(8s);
  site.run(reviews.close());
  CHECK(answered == 5);
  CHECK(site.api.log.size() <= 5 + 4 + 4 + 2);  // each one's first page, both kinds' pages, both watches
}

TEST_CASE("§7.2 what is known while a watch is interrupted is not relied on", "[webhooks]") {
  AddressSite site;
  site.putMany(1, 35);
  CHECK(site.beyond(35).empty());
  site.api.fault = [](const net::ServerRequest& request) {
    return request.query().find("watch=true") == std::string_view::npos ? std::nullopt : std::optional(Fault{});
  };
  site.api.breakWatches();
  site.clock.settle();
  site.put(36);
  CHECK_THROWS_WITH(site.beyond(35), Catch::Contains("the API took too long"));
  site.api.fault = nullptr;
  site.clock.advance(1min);
  CHECK(site.beyond(35) == Addresses{"10.0.0.36"});
}

TEST_CASE("§7.2 where enough namespaces are watched the others are listed whole", "[webhooks]") {
  AddressSite site({.namespaces = 1});
  site.putMany(1, 35, "a");
  site.putMany(1, 35, "b");
  CHECK(site.beyond(34, "a") == Addresses{"10.0.0.35"});
  for (int times = 0; times < 2; ++times) {
    CHECK(site.requestsOf([&] { CHECK(site.beyond(34, "b") == Addresses{"10.0.0.35"}); }) == 8);
    CHECK(site.requestsOf([&] { CHECK(site.beyond(34, "a") == Addresses{"10.0.0.35"}); }) == 0);
  }
  site.clock.advance(10min);  // nobody asks for those of "a" any more
  CHECK(site.api.watches() == 0);
  CHECK(site.beyond(34, "b") == Addresses{"10.0.0.35"});
  CHECK(site.api.watches() == 2);
}

TEST_CASE("§7.2 of very many addresses the first hundred are named", "[webhooks]") {
  const auto namespaces = GENERATE(std::size_t{0}, std::size_t{1});  // listed, or watched
  AddressSite site({.namespaces = namespaces});
  site.putMany(1, 240);
  CHECK(site.beyond(9).size() == coordinator::kMostBeyond);
  CHECK(site.beyond(239) == Addresses{"10.0.0.240"});
}
