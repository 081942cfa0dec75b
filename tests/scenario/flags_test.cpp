// Flags of the coordinator arrive where they change something.
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "api/crd/crd.hpp"
#include "base/file.hpp"
#include "kube/core/event.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"
#include "net/certificates.hpp"
#include "tests/coordinator/ipam/builders.hpp"
#include "tests/scenario/cluster_api.hpp"
#include "tests/support/exposition.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

template <class T>
void made(Site& site, T object) {
  object.metadata.namespace_ = "default";
  object.metadata.uid.clear();
  static_cast<void>(site.run(site.client().create(std::move(object))));
  site.loop.clock.advance(3s);
}

// The machine gets no host.
void oneOfEachKind(Site& site) {
  site.createHost("h", "redfish://10.0.0.1/redfish/v1/Systems/1");
  makeCluster(site);
  makeMachine(site, "m", [](Metal3Machine& metal) { metal.spec.hostSelector = {.matchLabels = {{"rack", "none"}}}; });
  const auto named = [](auto object, const char* name) {
    object.metadata.name = name;
    object.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
    return object;
  };
  api::capm3::v1beta2::Metal3MachineTemplate workers;
  workers.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "abcd"};
  make(site, named(workers, "t"));
  make(site, named(api::capm3::v1beta2::Metal3Remediation{}, "r"));
  make(site, named(api::capm3::v1beta2::Metal3DataTemplate{}, "t"));
  api::capm3::v1beta2::Metal3DataClaim claim;
  claim.spec.template_.emplace().name = "t";
  make(site, named(claim, "c"));
  api::capm3::v1beta2::Metal3Data data;
  data.spec.template_.emplace().name = "t";
  data.spec.claim.emplace().name = "c";
  make(site, named(data, "t-0"));
  make(site, smallPool());
  make(site, claimOf("a"));
  make(site, capiClaimOf("b"));
}

bool hasAddress(Site& site, const std::string& claim) {
  return site.run(site.client().get<IPClaim>({"default", claim})).value().status.address.has_value();
}

TEST_CASE("--watch-filter leaves pools without its label to somebody else", "[scenario][flags]") {
  const bool isOurs = GENERATE(true, false);
  Site site({"--watch-filter", "ours"});
  auto pool = smallPool();
  if (isOurs) pool.metadata.labels = {{"cluster.x-k8s.io/watch-filter", "ours"}};
  made(site, pool);
  made(site, claimOf("a"));
  CHECK(hasAddress(site, "a") == isOurs);
}

TEST_CASE("--namespace leaves all that lies elsewhere alone", "[scenario][flags]") {
  const bool isTold = GENERATE(true, false);
  Site site(isTold ? std::vector<std::string>{"--namespace=default"} : std::vector<std::string>{});
  const auto elsewhere = [&](auto object) {
    object.metadata.namespace_ = "elsewhere";
    object.metadata.uid.clear();
    static_cast<void>(site.run(site.client().create(std::move(object))));
  };
  kube::Namespace space;
  space.metadata.name = "elsewhere";
  static_cast<void>(site.run(site.client().create(space)));
  site.createHost("h", "redfish://10.0.0.1/redfish/v1/Systems/1");
  kube::Secret secret;
  secret.metadata.name = "h-bmc";
  secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes("secret")}};
  elsewhere(secret);
  api::BareMetalHost host;
  host.metadata.name = "h";
  host.spec.bmc = {.address = "redfish://10.0.0.2/redfish/v1/Systems/1", .credentialsName = "h-bmc"};
  host.spec.bootMACAddress = "52:54:00:01:00:01";
  elsewhere(host);
  elsewhere(smallPool());
  elsewhere(claimOf("a"));
  api::capm3::v1beta2::Metal3Remediation remediation;
  remediation.metadata.name = "m";
  elsewhere(remediation);
  REQUIRE(site.reaches("h", "available", 10min));
  site.loop.clock.advance(10min);
  const auto of = [&]<class T>(const T&, const char* name) {
    return site.run(site.client().get<T>({"elsewhere", name})).value();
  };
  CHECK(of(host, "h").metadata.finalizers.empty() == isTold);
  CHECK(of(secret, "h-bmc").metadata.finalizers.empty() == isTold);
  CHECK(of(claimOf("a"), "a").metadata.finalizers.empty() == isTold);
  CHECK(of(smallPool(), "pool").metadata.finalizers.empty() == isTold);
  CHECK(site.ironic.has("elsewhere~h") == !isTold);
  const auto events = site.run(site.client().list<kube::Event>({.namespace_ = "elsewhere"}));
  CHECK(events.empty() == isTold);
  const auto isOfRemediation = [](const kube::Event& event) { return event.reason == "MachineMissing"; };
  CHECK(std::ranges::any_of(events, isOfRemediation) == !isTold);
}

TEST_CASE("--controllers leaves what it does not name to somebody else", "[scenario][flags]") {
  const bool withIpam = GENERATE(true, false);
  Site site({"--controllers", withIpam ? "ipam" : "*,-ipam"});
  site.createHost("h", "redfish://10.0.0.1/redfish/v1/Systems/1");
  made(site, smallPool());
  made(site, claimOf("a"));
  CHECK(hasAddress(site, "a") == withIpam);
  CHECK(site.reaches("h", "available", 10min) == !withIpam);
  CHECK(site.ironic.verbs().empty() == withIpam);
}

TEST_CASE("--retry-refused-claims gives an address that comes free to a claim that was refused", "[scenario][flags]") {
  const bool retries = GENERATE(true, false);
  Site site(retries ? std::vector<std::string>{"--retry-refused-claims"} : std::vector<std::string>{});
  made(site, poolOf({startToEnd("10.0.0.1", "10.0.0.1")}));
  made(site, claimOf("a"));
  made(site, claimOf("b"));
  REQUIRE(hasAddress(site, "a"));
  REQUIRE_FALSE(hasAddress(site, "b"));
  CHECK(site.run(site.client().remove<IPClaim>({"default", "a"})));
  site.loop.clock.advance(1min);
  CHECK(hasAddress(site, "b") == retries);
}

TEST_CASE("the names of --tls-san are in the certificate of the embedded API", "[scenario][flags]") {
  const Site site({"--listen", "127.0.0.1:0", "--tls-san", "api.example.com, 10.9.8.7"});
  const auto names = net::namesOf(base::readFile((site.folder() / "tls/server.crt").string()));
  for (const char* name : {"api.example.com", "10.9.8.7"}) CHECK(std::ranges::count(names, name) == 1);
}

TEST_CASE("each controller has as many workers as it was told, and all of them show on the page",
          "[scenario][flags][metrics]") {
  Site usual,
      told({"--metal3machine-concurrency=3", "--metal3cluster-concurrency=4", "--metal3datatemplate-concurrency=5",
            "--metal3data-concurrency=6", "--metal3labelsync-concurrency=7", "--metal3machinetemplate-concurrency=11",
            "--metal3remediation-concurrency=12", "--ippool-concurrency=13", "--controller-concurrency=14"});
  for (Site* site : {&usual, &told}) site->loop.clock.advance(1s);
  const Exposition usually(usual.metrics()), now(told.metrics());
  struct Row {
    const char* controller;
    double usual, told;
  };
  const Row rows[] = {
      {"metal3machine", 10, 3},
      {"metal3cluster", 10, 4},
      {"metal3datatemplate", 64, 5},
      {"metal3dataclaim", 64, 5},
      {"metal3data", 64, 6},
      {"metal3labelsync", 8, 7},
      {"metal3machinetemplate", 8, 11},
      {"metal3remediation", 10, 12},
      {"ippool", 8, 13},
      {"ipclaim", 64, 13},
      {"ipaddressclaim", 64, 13},
      {"baremetalhost", 64, 14},
  };
  for (const Row& row : rows) {
    INFO(row.controller);
    const std::string labels = fmt::format("controller=\"{}\"", row.controller);
    CHECK(usually.value("controller_runtime_max_concurrent_reconciles", labels) == row.usual);
    CHECK(now.value("controller_runtime_max_concurrent_reconciles", labels) == row.told);
    CHECK(now.value("workqueue_adds_total", fmt::format("name=\"{0}\",controller=\"{0}\"", row.controller)) == 0);
  }
}

TEST_CASE("the whole page is as Prometheus reads it", "[scenario][metrics]") {
  Site site;
  site.createHost("h1", "redfish://10.0.0.1/redfish/v1/Systems/1");
  REQUIRE(site.reaches("h1", "available"));
  const Exposition page(site.metrics());
  const std::vector<std::string> none;
  CHECK(page.problems() == none);
  CHECK(page.value("rest_client_requests_total", R"(code="200",host="embedded.ingot:443",method="PATCH")") > 0);
  CHECK(page.value("controller_runtime_reconcile_total", R"(controller="baremetalhost",result="requeue_after")") > 0);
}

// What waits for something is looked at twice a minute at most without it.
TEST_CASE("with --sync-period every object of the provider and of address management is looked at again",
          "[scenario][flags]") {
  const bool isTold = GENERATE(false, true);
  Site site(isTold ? std::vector<std::string>{"--sync-period=5s"} : std::vector<std::string>{});
  oneOfEachKind(site);
  site.loop.clock.advance(1min);
  const char* const controllers[] = {"metal3machine", "metal3cluster",   "metal3datatemplate",    "metal3dataclaim",
                                     "metal3data",    "metal3labelsync", "metal3machinetemplate", "metal3remediation",
                                     "ippool",        "ipclaim",         "ipaddressclaim"};
  const auto adds = [&](const char* controller) {
    return Exposition(site.metrics())
        .value("workqueue_adds_total", fmt::format("name=\"{0}\",controller=\"{0}\"", controller));
  };
  std::map<std::string, double> before;
  for (const char* controller : controllers) before[controller] = adds(controller);
  site.loop.clock.advance(2min);
  for (const char* controller : controllers) {
    CAPTURE(isTold, controller, adds(controller) - before[controller]);
    CHECK((adds(controller) - before[controller] > 20) == isTold);
  }
}

}  // namespace
}  // namespace ingot::tests
