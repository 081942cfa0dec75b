// What is given while Metal3Data cannot be read (spec/capm3.md §15.2.1).
#include "coordinator/data/index_book.hpp"
#include "coordinator/data/hindrance.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/data/builders.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace ingot::coordinator::data;

namespace {

// A server that has Metal3Data in another version than ours.
struct Elsewhere final : net::HttpHandler {
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const std::string group = "/apis/" + std::string(Metal3Data::info.group);
    if (request.path() == group)
      co_return co_await out.send({.status = 200, .body = R"({"versions":[{"version":"v0"}]})"});
    if (request.path() == group + "/v0")
      co_return co_await out.send({.status = 200, .body = R"({"resources":[{"name":"metal3datas"}]})"});
    co_await out.send({.status = 404, .body = "{}"});
  }
};

Metal3DataClaim claimNamed(const std::string& name) {
  Metal3DataClaim claim;
  claim.metadata = {.name = name, .namespace_ = "metal", .uid = name + "-uid"};
  return claim;
}

constexpr const char* kBelowZero =
    R"({"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2","kind":"Metal3Data","metadata":{"name":"odd",)"
    R"("namespace":"metal","uid":"u","resourceVersion":"1"},"spec":{"index":-5,"template":{"name":"dt"}}})";

}  // namespace

TEST_CASE("no index is given while the server has Metal3Data in another version", "[data][indexes]") {
  Loop loop;
  net::Loopback network(loop.runtime);
  Elsewhere server;
  network.serve("https://elsewhere.test", server);
  {
    const auto client = kube::connect(loop.runtime, network, {.server = "https://elsewhere.test"});
    kube::Cache<Metal3Data> data(loop.runtime, client->api());
    IndexBook book(data);
    const kube::ObjectKey dataTemplate{"metal", "dt"};
    CHECK(book.reserve(claimNamed("a"), dataTemplate).index == 0);
    base::TaskGroup tasks(loop.runtime.executor, loop.runtime.log);
    data.start(tasks);
    loop.clock.settle();
    REQUIRE(data.isUnreadable({"metal", "dt-0"}));
    CHECK_THROWS_AS(book.reserve(claimNamed("b"), dataTemplate), Hindrance);
    CHECK(book.reserve(claimNamed("a"), dataTemplate).index == 0);
    loop.run(tasks.close());
  }
  loop.run(network.close());
}

TEST_CASE("indexes whose data cannot be read are passed over, those of other templates are not", "[data][indexes]") {
  Loop loop;
  net::Loopback network(loop.runtime);
  {
    const auto client = kube::connect(loop.runtime, network, {.server = "https://nobody.test"});
    kube::Cache<Metal3Data> data(
        loop.runtime, client->api(),
        {.unreadable = {{"metal", "dt-0"}, {"metal", "dt-2"}, {"metal", "other-1"}, {"elsewhere", "dt-3"}}});
    IndexBook book(data);
    const kube::ObjectKey dataTemplate{"metal", "dt"};
    CHECK(book.reserve(claimNamed("a"), dataTemplate).index == 1);
    CHECK(book.reserve(claimNamed("b"), dataTemplate).index == 3);
    CHECK(book.reserve(claimNamed("c"), dataTemplate).index == 4);
  }
  loop.run(network.close());
}

TEST_CASE("an index below zero, which our admission refuses, is none, also once it is gone", "[data][indexes]") {
  // A server without that admission: one such object in its list, which goes at once.
  struct Careless final : net::HttpHandler {
    base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
      if (!request.query().contains("watch=true"))
        co_return co_await out.send(
            {.status = 200,
             .body = fmt::format(R"({{"kind":"Metal3DataList","metadata":{{"resourceVersion":"1"}},"items":[{}]}})",
                                 std::exchange(isThere, false) ? kBelowZero : "")});
      co_await out.begin(200, {});
      co_await out.write(fmt::format(R"({{"type":"DELETED","object":{}}})", kBelowZero) + "\n");
      co_await out.end();
    }
    bool isThere = true;
  } server;
  Loop loop;
  net::Loopback network(loop.runtime);
  network.serve("https://careless.test", server);
  {
    const auto client = kube::connect(loop.runtime, network, {.server = "https://careless.test"});
    kube::Cache<Metal3Data> data(loop.runtime, client->api());
    IndexBook book(data);
    base::TaskGroup tasks(loop.runtime.executor, loop.runtime.log);
    data.start(tasks);
    loop.clock.settle();
    REQUIRE_FALSE(server.isThere);
    CHECK(data.size() == 0);
    CHECK(book.reserve(claimNamed("a"), {"metal", "dt"}).index == 0);
    loop.run(tasks.close());
  }
  loop.run(network.close());
}
