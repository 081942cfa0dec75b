// How the coordinator is known to an API server.
#include "coordinator/own_calls.hpp"

#include "base/version.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

TEST_CASE("an audit log names the program and its version, and its fields keep their manager", "[coordinator]") {
  Loop loop;
  net::Loopback network{loop.runtime};
  std::vector<std::string> agents, targets;
  Handler server{[&](const net::ServerRequest& request, net::Responder& out) {
    agents.push_back(request.headers.get("User-Agent"));
    targets.emplace_back(request.target);
    return out.send({.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = "{}"});
  }};
  network.serve("https://cluster.test", server);
  {
    const auto client =
        kube::connect(loop.runtime, network, {.server = "https://cluster.test"}, coordinator::ownCalls());
    const kube::Resource maps{.version = "v1", .kind = "ConfigMap", .plural = "configmaps"};
    auto& api = client->api();
    loop.run(api.create(maps, "n", json::parse(R"({"metadata":{"name":"a"}})")));
    loop.run(api.update(maps, {"n", "a"}, json::Object{}, "", {}));
    loop.run(api.patch(maps, {"n", "a"}, kube::PatchType::merge, json::Object{}, "", {}));
    loop.run(api.patch(maps, {"n", "a"}, kube::PatchType::merge, json::Object{}, "", {.fieldManager = "other"}));
  }
  CHECK(agents.size() == 4);
  for (const auto& agent : agents)
    CHECK_THAT(agent, Catch::StartsWith(fmt::format("ingot-coordinator/{} (linux/", base::version)));
  CHECK(targets == std::vector<std::string>{"/api/v1/namespaces/n/configmaps?fieldManager=ingot",
                                            "/api/v1/namespaces/n/configmaps/a?fieldManager=ingot",
                                            "/api/v1/namespaces/n/configmaps/a?fieldManager=ingot",
                                            "/api/v1/namespaces/n/configmaps/a?fieldManager=other"});
  loop.run(network.close());
}

}  // namespace ingot::tests
