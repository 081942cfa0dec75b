#include "coordinator/own_namespace.hpp"

#include "base/file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace ingot::tests {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

kube::Environment environmentOf(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

const Variables pod = {{"KUBERNETES_SERVICE_HOST", "10.96.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}};

}  // namespace

TEST_CASE("a pod that is told nothing keeps its Lease and its keys in the namespace of its account", "[coordinator]") {
  const TemporaryFolder account;
  base::writeFileAtomically(account.path("token"), "t");
  base::writeFileAtomically(account.path("namespace"), "capm3-system\n");
  const auto cluster = kube::inClusterConfig(environmentOf(pod), account.path(""));
  REQUIRE(cluster);
  CHECK(cluster->namespace_ == "capm3-system");
  coordinator::Options options;
  options.namespace_ = "metal,edge";
  CHECK(coordinator::ownNamespace(options, environmentOf(pod), cluster) == "capm3-system");
  Variables told = pod;
  told["POD_NAMESPACE"] = "told";
  CHECK(coordinator::ownNamespace(options, environmentOf(told), cluster) == "told");
}

TEST_CASE("outside of a pod the Lease is in the first namespace that is looked at", "[coordinator]") {
  const kube::ClusterConfig fromKubeconfig{.namespace_ = "of-the-context"};
  coordinator::Options options;
  CHECK(coordinator::ownNamespace(options, environmentOf({}), fromKubeconfig) == "default");
  CHECK(coordinator::ownNamespace(options, environmentOf({}), std::nullopt) == "default");
  options.namespace_ = "metal,edge";
  CHECK(coordinator::ownNamespace(options, environmentOf({}), fromKubeconfig) == "metal");
}

}  // namespace ingot::tests
