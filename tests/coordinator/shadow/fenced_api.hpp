// An API behind the fence that tells of lists and watches what the test has written down.
#pragma once

#include "coordinator/shadow/fence.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <memory>
#include <string>

namespace ingot::tests::shadowed {

struct FencedApi : Loop {
  FencedApi() {
    network.serve(kAddress, server);
    fence.home(kAddress);
    client = fence.connect({.baseUrl = kAddress, .userAgent = coordinator::shadow::userAgentOf("host")});
  }
  ~FencedApi() {
    client.reset();
    run(network.close());
  }
  FencedApi(const FencedApi&) = delete;
  FencedApi& operator=(const FencedApi&) = delete;

  // Each is answered with `answer`.
  void list(const std::string& target, std::string answer) {
    body = std::move(answer);
    run(client->send({.method = "GET", .target = target}));
  }
  void watch(const std::string& target, const std::string& type, json::Value object) {
    body = json::serialize(json::Object{{"type", type}, {"object", std::move(object)}}) + "\n";
    run(readAll(target));
  }

  net::Loopback network{runtime};
  std::string body;
  Handler server{[this](net::ServerRequest, net::Responder& out) { return out.send({.status = 200, .body = body}); }};
  base::Metrics metrics;
  coordinator::shadow::Book book{clock, "salt", {}};
  coordinator::shadow::Fence fence{runtime, network, book, metrics, "salt"};
  std::unique_ptr<net::HttpClient> client;

 private:
  static constexpr const char* kAddress = "https://cluster.test";

  base::Task<void> readAll(std::string target) {
    const auto stream = co_await client->open({.method = "GET", .target = std::move(target)});
    while (co_await stream->next(std::chrono::seconds(1))) {
    }
  }
};

}  // namespace ingot::tests::shadowed
