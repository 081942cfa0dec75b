// What a pool's book costs: whoever may change a pool decides how often.
#include "coordinator/ipam/address_books.hpp"

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "kube/client/client.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "kube/runtime/not_ready.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::ipam;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

// Books over the caches of a whole API, without the controllers.
struct BooksSite : Loop {
  net::Loopback network{runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<kube::Cache<OwnAddress>> addresses;
  std::unique_ptr<kube::Cache<CapiAddress>> capiAddresses;
  std::unique_ptr<AddressBooks> books;
  base::TaskGroup tasks{runtime.executor, runtime.log};

  BooksSite() {
    apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::ipam)};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.test", api->handler(), apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    kube::Namespace space;
    space.metadata.name = "metal";
    run(client->create(std::move(space)));
    const kube::CacheOptions maybe{.watcher = {.mayBeAbsent = true}};
    addresses = std::make_unique<kube::Cache<OwnAddress>>(runtime, client->api(), maybe);
    capiAddresses = std::make_unique<kube::Cache<CapiAddress>>(runtime, client->api(), maybe);
    books = std::make_unique<AddressBooks>(clock, *addresses, *capiAddresses);
    addresses->start(tasks);
    capiAddresses->start(tasks);
    run(addresses->synced());
    run(capiAddresses->synced());
  }
  ~BooksSite() {
    run(tasks.close());
    books.reset();
    addresses.reset();
    capiAddresses.reset();
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }

  void addMany(int count, const std::string& pool) {
    for (int i = 0; i < count; ++i) {
      auto object = addressObject(fmt::format("{}-{}", pool, i), fmt::format("10.0.{}.{}", i / 200, 1 + i % 200), pool);
      object.metadata.name = fmt::format("{}-{}", pool, i);
      run(client->create(std::move(object)));
    }
    clock.settle();
  }
};

IPPool poolOfGeneration(std::int64_t generation, std::string end = "10.0.0.250") {
  auto pool = poolOf({startToEnd("10.0.0.1", std::move(end))});
  pool.metadata.generation = generation;
  return pool;
}

}  // namespace

TEST_CASE("a pool whose spec changes in a loop has its book followed, not made anew", "[ipam]") {
  BooksSite site;
  site.addMany(150, "pool");
  const auto number = site.books->versionOf(poolOfGeneration(1)).book;
  for (std::int64_t generation = 2; generation < 100; ++generation) {
    const auto pool = poolOfGeneration(generation, fmt::format("10.0.0.{}", 151 + generation % 2));
    CHECK(site.books->versionOf(pool).book == number);
  }
  auto& book = site.books->of(poolOfGeneration(100, "10.0.0.151"));
  CHECK(book.inUse() == 150);
  const auto answer = book.allocate({.claim = {ClaimKind::metal3, "a"}, .address = ""}, *site.random);
  REQUIRE(std::holds_alternative<Grant>(answer));
  CHECK(std::get<Grant>(answer).address.text() == "10.0.0.151");
  CHECK(
      std::holds_alternative<Refused>(book.allocate({.claim = {ClaimKind::metal3, "b"}, .address = ""}, *site.random)));
}

TEST_CASE("a large pool that is deleted and made in a loop has its book made once a second", "[ipam]") {
  BooksSite site;
  site.addMany(150, "pool");
  const auto successor = [](int number) {
    auto pool = poolOfGeneration(1);
    pool.metadata.uid = fmt::format("uid-{}", number);
    return pool;
  };
  CHECK(site.books->of(successor(1)).inUse() == 150);
  site.books->forget({"metal", "pool"});
  try {
    static_cast<void>(site.books->of(successor(2)));
    FAIL("the book was made at once");
  } catch (const kube::NotReady& wait) {
    CHECK(wait.retryAfter() == 1s);
  }
  site.clock.advance(1s);
  CHECK(site.books->of(successor(2)).inUse() == 150);
}

TEST_CASE("a small pool beside a large one has its book made at once, of its own addresses", "[ipam]") {
  BooksSite site;
  site.addMany(150, "other");
  site.addMany(5, "pool");
  for (int number = 0; number < 3; ++number) {
    auto pool = poolOfGeneration(1);
    pool.metadata.uid = fmt::format("uid-{}", number);
    CHECK(site.books->of(pool).inUse() == 5);
  }
}
