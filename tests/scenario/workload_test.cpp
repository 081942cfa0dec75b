// A workload cluster beside the whole coordinator: what reaches its Nodes, and how fast it is asked.
#include "kube/core/node.hpp"
#include "tests/scenario/cluster_api.hpp"
#include "tests/support/workload_cluster.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;

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

}  // namespace ingot::tests
