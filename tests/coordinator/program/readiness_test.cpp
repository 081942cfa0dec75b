// What /readyz says of a whole coordinator, and how a monitor learns of it.
#include "tests/coordinator/program/process.hpp"
#include "tests/support/exposition.hpp"

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

struct ReadyProcess : Process {
  explicit ReadyProcess(std::function<std::vector<json::Object>()> crds) : Process("", std::move(crds), 2min) {}

  [[nodiscard]] double unserved(const std::string& why) const {
    return Exposition(program->metrics().expose()).value("ingot_unserved_kinds", fmt::format("why=\"{}\"", why));
  }
};

}  // namespace

TEST_CASE("a Cluster API without v1beta2 is waited for and named, and takes no replica out of service", "[readiness]") {
  const ReadyProcess old(crdsOfOldClusterApi);
  const auto readiness = old.program->readiness();
  CHECK(readiness.obstacle.empty());
  CHECK_THAT(readiness.remark, Catch::Contains("clusters.cluster.x-k8s.io as v1beta1, not as v1beta2"));
  CHECK(old.unserved("waited_for") >= 2);  // Clusters and Machines
}

TEST_CASE("a kind that need not be installed is named apart from those that are waited for", "[readiness]") {
  const ReadyProcess alone([] { return api::crdsOf(api::KindSet::hosts); });
  CHECK(alone.program->readiness().obstacle.empty());
  CHECK_THAT(alone.program->readiness().remark, Catch::Contains("clusters.cluster.x-k8s.io"));
  CHECK(alone.unserved("not_installed") >= 2);
}

TEST_CASE("where every kind is served there is nothing to say", "[readiness]") {
  const ReadyProcess whole([] { return api::everyCrd(); });
  CHECK(whole.program->readiness().remark.find("cluster.x-k8s.io as") == std::string::npos);
  CHECK(whole.unserved("waited_for") == 0);
}

}  // namespace ingot::tests
