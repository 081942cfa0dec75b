// The peer as a server for the runtime's cases (tests/kube/servers).
#include "base/run.hpp"
#include "tests/contract/peer.hpp"
#include "tests/kube/servers/server.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

constexpr base::Duration kPatience = std::chrono::minutes(5);

const std::string kWidgets = "/apis/test.ingot.dev/v1/namespaces/default/widgets";
constexpr const char* kWidgetCrd = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"widgets.test.ingot.dev"},"spec":{"group":"test.ingot.dev","scope":"Namespaced",
  "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,
  "subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
  "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
  "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}})";

class PeerServer final : public Server {
 public:
  base::Runtime runtime() override { return contract::peer().runtime(); }
  net::HttpTransport& transport() override { return contract::peer().transport(); }
  kube::ClusterConfig cluster() override {
    return kube::loadKubeconfig({.path = contract::peer().kubeconfigPath()}, [](auto) { return std::nullopt; });
  }
  std::string space() override {
    if (contract::peer().get(kWidgets).status == 404) {
      REQUIRE(contract::peer().post(contract::kCrdPath, kWidgetCrd).status == 201);
    }
    contract::peer().eventually([] { return contract::peer().get(kWidgets).status == 200; });
    return contract::peer().space();
  }
  void forgetHistory() override {
    const std::string body =
        R"({"apiVersion":"test.ingot.dev/v1","kind":"Widget","metadata":{"generateName":"filler-"}})";
    const contract::Reply filler = contract::peer().post(kWidgets, body);
    REQUIRE(filler.status == 201);
    contract::peer().forgetHistory(kWidgets + "/" + filler.at({"metadata", "name"}));
  }
  void run(base::Task<void> task) override { base::run(contract::peer().loop(), std::move(task)); }
  bool until(const std::function<bool()>& done) override {
    const base::MonoTime deadline = runtime().clock.now() + kPatience;
    while (!done() && runtime().clock.now() < deadline) run(runtime().clock.sleepFor(std::chrono::milliseconds(20)));
    return done();
  }
};

}  // namespace

std::unique_ptr<Server> openServer() { return std::make_unique<PeerServer>(); }

}  // namespace ingot::tests
