// What flags make of the requests of all controllers together, in a cluster of somebody else's.
#include "coordinator/wiring.hpp"

#include "api/capm3/v1beta2/templates.hpp"
#include "api/kinds/kinds.hpp"
#include "tests/support/api_site.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using api::capm3::v1beta2::Metal3ClusterTemplate;

using Paths = std::set<std::string>;

coordinator::Options optionsOf(std::vector<std::string> flags) {
  std::vector<const char*> words{"ingot-coordinator", "--provisioner=fixture"};
  for (const auto& flag : flags) words.push_back(flag.c_str());
  return coordinator::parseOptions(static_cast<int>(words.size()), words.data()).options.value();
}

class WiredSite : public ApiSite {
 public:
  WiredSite() : ApiSite(api::everyCrd()), client_(kube::connect(loop.runtime, network(), {.server = kProcess})) {
    instead = [this](const net::ServerRequest& request) -> std::optional<Answer> {
      const bool isCollection = request.method == "GET" && !request.query().empty();
      if (isCollection) collections.emplace(request.path());
      return std::nullopt;
    };
  }
  ~WiredSite() { run(tasks_.close()); }

  // What leads a cluster with these flags, for a minute.
  void lead(std::vector<std::string> flags) {
    options_ = optionsOf(std::move(flags));
    tasks_.spawn("controllers", coordinator::runControllers({.runtime = loop.runtime,
                                                             .options = options_,
                                                             .transport = network(),
                                                             .environment = environment_,
                                                             .client = *client_,
                                                             .metrics = page_,
                                                             .bindLink = {},
                                                             .term = 1,
                                                             .lease = "lease-uid",
                                                             .kinds = kinds_}));
    settle(1min);
  }
  using ApiSite::user;

  Paths collections;  // that were listed or watched

 private:
  std::unique_ptr<kube::Client> client_;
  coordinator::Options options_;
  kube::Environment environment_ = [](std::string_view) { return std::nullopt; };
  base::Metrics page_;
  kube::ServedKinds kinds_;
  base::TaskGroup tasks_{loop.runtime.executor, loop.runtime.log};
};

Paths inNamespace(const Paths& paths, const std::string& name) {
  Paths out;
  for (const auto& path : paths)
    if (const auto at = path.find("/namespaces/" + name + "/"); at != std::string::npos)
      out.insert(path.substr(0, at) + path.substr(path.rfind('/')));
  return out;
}

const kube::Resource definitions{.group = "apiextensions.k8s.io",
                                 .version = "v1",
                                 .kind = "CustomResourceDefinition",
                                 .plural = "customresourcedefinitions",
                                 .namespaced = false};

}  // namespace

TEST_CASE("with --namespace nothing that lies elsewhere is listed or watched, of whatever kind", "[wiring][flags]") {
  WiredSite everywhere, told;
  everywhere.lead({"--skip-crd-migration-phases=All"});  // which is not of controllers
  told.lead({"--namespace=metal,other"});
  const auto isOfAll = [](const std::string& path) { return !path.contains("/namespaces/"); };
  CHECK(std::ranges::all_of(everywhere.collections, isOfAll));
  CHECK(everywhere.collections.contains("/api/v1/secrets"));
  const Paths metal = inNamespace(told.collections, "metal"), other = inNamespace(told.collections, "other");
  CHECK(metal == everywhere.collections);
  CHECK(other == metal);
  Paths elsewhere;
  std::ranges::copy_if(told.collections, std::inserter(elsewhere, elsewhere.end()), isOfAll);
  const Paths none;
  CHECK(elsewhere == none);
}

TEST_CASE("phases of --skip-crd-migration-phases are left out", "[wiring][flags]") {
  const bool isSkipped = GENERATE(false, true);
  const std::string name = "metal3clustertemplates.infrastructure.cluster.x-k8s.io";
  WiredSite site;
  Metal3ClusterTemplate old;
  old.metadata = {.name = "t", .namespace_ = "metal"};
  old.spec.template_.spec.controlPlaneEndpoint = {.host = "192.0.2.10", .port = 6443};
  site.create(old);
  static_cast<void>(site.loop.run(
      site.user().api().patch(definitions, {"", name}, kube::PatchType::merge,
                              json::parse(R"({"status":{"storedVersions":["v1beta1","v1beta2"]}})"), "status")));
  site.lead(isSkipped ? std::vector<std::string>{"--skip-crd-migration-phases=StorageVersionMigration"}
                      : std::vector<std::string>{});
  const auto wrote = [&](const std::string& path) {
    return std::ranges::any_of(site.writes, [&](const auto& write) { return write.ends_with(path); });
  };
  CHECK(wrote("/customresourcedefinitions/" + name));  // it is done
  CHECK(wrote("/metal3clustertemplates/t") != isSkipped);
}

}  // namespace ingot::tests
