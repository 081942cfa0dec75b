// A workload cluster beside the whole coordinator: what reaches its Nodes, and how fast it is asked.
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "kube/core/node.hpp"
#include "tests/scenario/cluster_api.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/workload_cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using api::capm3::v1beta2::Metal3DataTemplate;
using api::capm3::v1beta2::Metal3MachineTemplate;
using api::capm3::v1beta2::Metal3Remediation;

// Cluster c1 whose machine m1 is on a host in rack 7, and is Node n1.
class JoinedSite : public Site {
 public:
  explicit JoinedSite(std::vector<std::string> flags = {}) : Site(std::move(flags)), workload(loop, outside) {
    workload.answer = [this](const net::ServerRequest&) {
      asked.push_back(loop.clock.now());
      return std::nullopt;
    };
    kube::Node node;
    node.metadata.name = "n1";
    workload.create(node);
    makeCluster(*this, [](Metal3Cluster& metal) {
      metal.metadata.annotations[std::string(api::capm3::annotation::labelSyncPrefixes)] = "rack.example.com";
    });
    createHost("h1", "redfish://10.0.0.1/redfish/v1/Systems/1");
    patchHost("h1", R"({"metadata":{"labels":{"rack.example.com/row":"7","plain":"1"}}})");
    makeMachine(*this, "m1");
    REQUIRE(reaches("h1", "provisioned"));
  }
  ~JoinedSite() { stop(); }

  // Only then is the workload cluster of any use.
  void joins() {
    status<Machine>(*this, "m1", R"({"status":{"nodeRef":{"name":"n1"}}})");
    make(*this, WorkloadCluster::kubeconfig("c1"));
    loop.clock.advance(1min);
  }
  [[nodiscard]] std::map<std::string, std::string> labels() {
    return workload.find<kube::Node>({"", "n1"})->metadata.labels;
  }

  WorkloadCluster workload;
  std::vector<base::MonoTime> asked;
};

}  // namespace

TEST_CASE("labels of a host reach its Node, and leave it with the host's", "[scenario]") {
  JoinedSite site;
  site.joins();
  CHECK(site.labels()["rack.example.com/row"] == "7");
  CHECK_FALSE(site.labels().contains("plain"));
  site.patchHost("h1", R"({"metadata":{"labels":{"rack.example.com/row":null,"rack.example.com/unit":"3"}}})");
  site.loop.clock.advance(1min);
  CHECK_FALSE(site.labels().contains("rack.example.com/row"));
  CHECK(site.labels()["rack.example.com/unit"] == "3");
}

TEST_CASE("a workload cluster shows on the page, and is let go of when its Cluster is deleted", "[scenario][metrics]") {
  JoinedSite site;
  site.joins();
  const auto shown = [&] { return Exposition(site.metrics()); };
  const std::string c1 = R"(cluster_name="c1",cluster_namespace="default")";
  CHECK(shown().value("capi_cluster_cache_connection_up", c1) == 1);
  CHECK(shown().value("capi_cluster_cache_healthcheck", c1) == 1);
  CHECK(shown().value("capi_cluster_cache_healthchecks_total", c1 + R"(,status="success")") > 1);

  CHECK(site.run(site.client().remove<Metal3Machine>({"default", "m1"})));
  REQUIRE(site.reaches("h1", "available"));
  CHECK(site.run(site.client().remove<Machine>({"default", "m1"})));
  CHECK(site.run(site.client().remove<Cluster>({"default", "c1"})));
  site.loop.clock.advance(5s);
  site.asked.clear();
  site.loop.clock.advance(3min);
  CHECK(site.asked.empty());
  CHECK(site.metrics().find(c1) == std::string::npos);
}

TEST_CASE("a workload cluster is asked as often as --clustercache-client-qps and -burst let it be",
          "[scenario][flags]") {
  struct Row {
    std::vector<std::string> flags;
    base::Duration second, third;  // request, after the first
  };
  const Row row = GENERATE(values<Row>({
      {{}, 0s, 0s},
      {{"--clustercache-client-qps=0.5"}, 0s, 0s},
      {{"--clustercache-client-burst=1"}, 50ms, 100ms},
      {{"--clustercache-client-qps=0.5", "--clustercache-client-burst=1"}, 2s, 4s},
      {{"--clustercache-client-qps=0.5", "--clustercache-client-burst=2"}, 0s, 2s},
      {{"--kube-api-qps=0.5", "--kube-api-burst=1"}, 0s, 0s},
  }));
  CAPTURE(row.flags);
  JoinedSite site(row.flags);
  REQUIRE(site.asked.empty());
  site.joins();
  REQUIRE(site.asked.size() >= 3);
  CHECK((site.asked[1] - site.asked[0]) / 1ms == row.second / 1ms);
  CHECK((site.asked[2] - site.asked[0]) / 1ms == row.third / 1ms);
}

// Each with its controller in the program.
TEST_CASE("--watch-filter leaves objects of each kind that do not bear its label to somebody else",
          "[scenario][flags]") {
  const bool isFiltered = GENERATE(true, false);
  JoinedSite site;
  site.joins();
  REQUIRE(site.labels()["rack.example.com/row"] == "7");
  site.restart(isFiltered ? std::vector<std::string>{"--watch-filter=ours"} : std::vector<std::string>{});
  site.loop.clock.advance(1min);
  site.patchHost("h1", R"({"metadata":{"labels":{"rack.example.com/row":"8"}}})");
  site.loop.clock.advance(1min);
  CHECK(site.labels()["rack.example.com/row"] == (isFiltered ? "7" : "8"));

  auto cluster = clusterNamed("c2");
  auto metal = metalCluster(make(site, cluster).metadata.uid);
  metal.metadata.name = "c2";
  metal.metadata.ownerReferences.front().name = "c2";
  make(site, metal);
  Metal3DataTemplate data;
  data.metadata.name = "data";
  data.metadata.labels[std::string(api::capm3::label::clusterName)] = "c1";
  make(site, data);
  Metal3MachineTemplate workers;
  workers.metadata.name = "workers";
  workers.spec.template_.spec.image = {.url = "http://images/os.raw", .checksum = "abcd"};
  workers.spec.template_.spec.automatedCleaningMode = "disabled";
  make(site, workers);
  makeMachine(site, "m2", [](Metal3Machine& machine) {
    machine.metadata.annotations = {{std::string(api::capm3::annotation::clonedFromName), "workers"},
                                    {std::string(api::capm3::annotation::clonedFromGroupKind),
                                     "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io"}};
  });
  Metal3Remediation remediation;
  remediation.metadata.name = "m1";
  remediation.metadata.ownerReferences = {
      kube::ownerReferenceTo(site.run(site.client().get<Machine>({"default", "m1"})).value(), false)};
  remediation.spec.strategy = {.type = "Reboot", .retryLimit = 1, .timeoutSeconds = 600};
  make(site, remediation);
  site.loop.clock.advance(1min);
  const auto now = [&]<class T>(const T& one) {
    return site.run(site.client().get<T>({"default", one.metadata.name})).value();
  };
  CHECK(now(metal).metadata.finalizers.empty() == isFiltered);
  CHECK(now(data).metadata.finalizers.empty() == isFiltered);
  CHECK(now(remediation).status.phase.empty() == isFiltered);
  Metal3Machine m2;
  m2.metadata.name = "m2";
  CHECK(now(m2).status.conditions.empty() == isFiltered);
  CHECK((now(m2).spec.automatedCleaningMode == "disabled") != isFiltered);
}

}  // namespace ingot::tests
