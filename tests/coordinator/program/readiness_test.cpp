// What /readyz says of a whole coordinator, and how a monitor learns of it.
#include "coordinator/coordinator.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

// Cluster API's own kinds in v1beta1 alone, as releases before 1.11 have them.
std::vector<json::Object> crdsOfOldClusterApi() {
  auto all = api::everyCrd();
  for (auto& crd : all) {
    if (json::textAt(json::Value(crd), {"spec", "group"}) != "cluster.x-k8s.io") continue;
    for (auto& version : crd.at("spec").at("versions").as_array())
      if (version.at("name") == "v1beta2") version.as_object()["served"] = false;
  }
  return all;
}

struct Process : Loop {
  explicit Process(std::function<std::vector<json::Object>()> crds) {
    coordinator::Surroundings around{.transport = network,
                                     .environment = [](std::string_view) { return std::nullopt; },
                                     .ready = [this] { isReady = true; },
                                     .crds = std::move(crds)};
    around.store.commit = apiserver::StoreOptions::Commit::inLine;
    coordinator::Options options{.embedded = true,
                                 .dataDir = folder.path(),
                                 .listen = "",
                                 .provisioner = coordinator::Backend::fixture,
                                 .agentsEndpoint = "",
                                 .metricsAddress = "0",
                                 .healthAddress = "0"};
    program = std::make_unique<coordinator::Coordinator>(runtime, std::move(options), std::move(around));
    tasks.spawn("coordinator", program->run());
    REQUIRE(clock.advanceUntil([this] { return isReady; }, 1min));
    clock.advance(2min);
  }
  ~Process() {
    run(tasks.close());
    program.reset();
    run(network.close());
  }

  [[nodiscard]] double unserved(const std::string& why) const {
    return Exposition(program->metrics().expose()).value("ingot_unserved_kinds", fmt::format("why=\"{}\"", why));
  }

  TemporaryFolder folder;
  net::Loopback network{runtime};
  bool isReady = false;
  std::unique_ptr<coordinator::Coordinator> program;
  base::TaskGroup tasks{runtime.executor, runtime.log};
};

}  // namespace

TEST_CASE("a Cluster API without v1beta2 is waited for and named, and takes no replica out of service", "[readiness]") {
  const Process old(crdsOfOldClusterApi);
  const auto readiness = old.program->readiness();
  CHECK(readiness.obstacle.empty());
  CHECK_THAT(readiness.remark, Catch::Contains("clusters.cluster.x-k8s.io as v1beta1, not as v1beta2"));
  CHECK(old.unserved("waited_for") >= 2);  // Clusters and Machines
}

TEST_CASE("a kind that need not be installed is named apart from those that are waited for", "[readiness]") {
  const Process alone([] { return api::crdsOf(api::KindSet::hosts); });
  CHECK(alone.program->readiness().obstacle.empty());
  CHECK_THAT(alone.program->readiness().remark, Catch::Contains("clusters.cluster.x-k8s.io"));
  CHECK(alone.unserved("not_installed") >= 2);
}

TEST_CASE("where every kind is served there is nothing to say", "[readiness]") {
  const Process whole([] { return api::everyCrd(); });
  CHECK(whole.program->readiness().remark.find("cluster.x-k8s.io as") == std::string::npos);
  CHECK(whole.unserved("waited_for") == 0);
}

}  // namespace ingot::tests
