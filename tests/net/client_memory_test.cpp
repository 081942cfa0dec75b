// What an open connection costs. An agent has thousands of them, most with nothing to do.
#include "net/curl/idle_handles.hpp"
#include "tests/net/world.hpp"

#include <catch2/catch.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>

using namespace ingot;
using namespace std::chrono_literals;
using base::Task;
using net::Responder;
using net::ServerRequest;
using tests::World;

namespace {

// Bytes that each of many connections takes. Their other ends are in this process, too.
struct Memory : World {
  using Clients = std::vector<std::unique_ptr<net::HttpClient>>;

  [[nodiscard]] Clients connect(std::size_t count) {
    Clients clients;
    while (clients.size() < count) clients.push_back(transport->connect(options()));
    return clients;
  }

  // `use` is called with a client and what it has opened is kept.
  template <class Use>
  [[nodiscard]] std::size_t each(std::size_t first, std::size_t count, Use use) {
    std::vector<decltype(use(*transport->connect(options())))> kept;
    const auto clients = connect(first + count);
    kept.reserve(clients.size());
    for (std::size_t i = 0; i < first; ++i) kept.push_back(use(*clients[i]));
    const auto before = __sanitizer_get_current_allocated_bytes();
    for (std::size_t i = first; i < clients.size(); ++i) kept.push_back(use(*clients[i]));
    return (__sanitizer_get_current_allocated_bytes() - before) / count;
  }
};

}  // namespace

TEST_CASE_METHOD(Memory, "a stream on which nothing comes keeps no buffers of TLS, and small ones of libcurl",
                 "[client]") {
  handler = tests::Handler([&](ServerRequest, Responder& out) -> Task<void> {
    co_await out.begin(200, {});
    co_await out.write("hello");
    co_await clock.sleepFor(1h);
  });
  listen();
  const auto bytes = each(1, 32, [&](net::HttpClient& client) {
    auto stream = run(client.open({.target = "/events"}));
    CHECK(run(stream->next(120s)) == "hello");
    return stream;
  });
  INFO(bytes << " bytes a stream");
  CHECK(bytes < 132'000);  // half of it at the server's end; no buffer of 12 KiB or more fits in besides
}

TEST_CASE_METHOD(Memory, "of clients that wait only the last used ones keep a handle", "[client]") {
  listen();
  const auto bytes = each(net::curl::IdleHandles::most, 32, [&](net::HttpClient& client) { return get(client); });
  INFO(bytes << " bytes a client");
  CHECK(bytes < 1024);  // they share a connection, and a handle has 8 KiB
}

#endif
#endif
