// Names that nobody answers for: the loop does not wait for the resolver.
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#include <dlfcn.h>
#include <netdb.h>
#include <condition_variable>
#include <mutex>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kSilentName = "silent.ingot.test";

// What a resolver does whose servers do not answer, as long as the test wants it.
struct SilentResolver {
  std::mutex mutex;
  std::condition_variable changed;
  int asking = 0;
  bool gaveUp = false;

  int resolve() {
    std::unique_lock lock(mutex);
    ++asking;
    changed.notify_all();
    changed.wait_for(lock, 10min, [this] { return gaveUp; });
    --asking;
    changed.notify_all();
    return EAI_AGAIN;
  }
};

SilentResolver resolver;

struct SilentName : tests::World {
  std::unique_ptr<net::HttpClient> client =
      transport->connect({.baseUrl = fmt::format("https://{}:6443", kSilentName)});

  SilentName() { resolver.gaveUp = false; }
  ~SilentName() {
    std::unique_lock lock(resolver.mutex);
    resolver.gaveUp = true;
    resolver.changed.notify_all();
    resolver.changed.wait(lock, [] { return resolver.asking == 0; });
  }

  static bool isAsked(base::Duration patience = 2min) {
    std::unique_lock lock(resolver.mutex);
    return resolver.changed.wait_for(lock, patience, [] { return resolver.asking > 0; });
  }
};

}  // namespace

// In place of the C library's, also for libcurl.
extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  static const auto usual = reinterpret_cast<decltype(&::getaddrinfo)>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  if (node && node == kSilentName) return resolver.resolve();
  return usual(node, service, hints, found);
}

TEST_CASE_METHOD(SilentName, "a deadline that passes while a name is looked up holds nobody up", "[client]") {
  const auto begun = clock.now();
  CHECK_THROWS_AS(run(client->send({.target = "/", .deadline = 200ms})), net::HttpError);
  CHECK(isAsked());
  CHECK(clock.now() - begun < 4min);  // long before the resolver gives up
}

TEST_CASE_METHOD(SilentName, "nor does a request that is given up while its name is looked up", "[client]") {
  const auto begun = clock.now();
  CHECK_THROWS_AS(run(base::withTimeout(clock, 200ms, "the request", client->send({.target = "/"}))), base::TimedOut);
  CHECK(isAsked());
  CHECK(clock.now() - begun < 4min);  // long before the resolver gives up
}

TEST_CASE_METHOD(SilentName, "nor does a process that ends while a name is looked up", "[client]") {
  const auto begun = clock.now();
  {
    base::TaskGroup tasks(runtime.executor, runtime.log);
    tasks.spawn("request",
                [](net::HttpClient& c) -> base::Task<void> { (void)co_await c.send({.target = "/"}); }(*client));
    for (const auto end = begun + 2min; !isAsked(0s) && clock.now() < end;) run(clock.sleepFor(5ms));
    CHECK(isAsked(0s));
    run(tasks.close());
  }
  client.reset();
  transport.reset();
  CHECK(clock.now() - begun < 4min);  // long before the resolver gives up
}
