// spec/capm3.md §19: Nodes that do not take the labels of their hosts, and what is told of that.
#include "tests/coordinator/label_sync/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

// A workload cluster that answers all writes so.
struct Refusing {
  explicit Refusing(LabelSite& site) {
    site.workload.answer = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (!status || request.method != "PATCH") return std::nullopt;
      return net::HttpResponse{.status = *status, .body = "no"};
    };
  }
  std::optional<int> status;
};

constexpr const char* kTold =
    "Node node-1 does not get the labels of its host: https://c1.test:6443 gave no usable answer when asked to patch a "
    "Node ";

}  // namespace

TEST_CASE("§19 labels that a workload cluster refuses are told of on the host at once, and once", "[label_sync]") {
  LabelSite site;
  Refusing cluster(site);
  cluster.status = GENERATE(403, 422);
  site.runsOn("node-1");
  REQUIRE(site.told("LabelsRefused") == 1);
  for (const auto& event : site.all<kube::Event>()) {
    CHECK(event.involvedObject.kind == "BareMetalHost");
    CHECK(event.involvedObject.name == "h1");
    CHECK(event.message == kTold + std::string(cluster.status == 403 ? "(Forbidden)" : "(Invalid)"));
  }
  site.settle(30min);
  CHECK(site.told("LabelsRefused") == 1);
  const auto status = std::exchange(cluster.status, std::nullopt);
  site.settle(2min);
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}});
  cluster.status = status;
  site.label(R"({"rack.example.com/row":"8"})");
  CHECK(site.told("LabelsRefused") == 2);
}

TEST_CASE("§19 labels that a workload cluster fails to take are told of after a minute", "[label_sync]") {
  LabelSite site;
  Refusing cluster(site);
  cluster.status = 500;
  site.runsOn("node-1");
  site.settle(50s);
  CHECK(site.told("LabelsRefused") == 0);
  SECTION("if that goes on") {
    site.settle(3min);
    CHECK(site.told("LabelsRefused") == 1);
    site.settle(30min);
    CHECK(site.told("LabelsRefused") == 1);
  }
  SECTION("in a row") {
    cluster.status.reset();
    site.settle(2min);
    REQUIRE(site.synced() == Labels{{"rack.example.com/row", "7"}});
    cluster.status = 500;
    site.label(R"({"rack.example.com/row":"8"})");
    site.settle(45s);
    CHECK(site.told("LabelsRefused") == 0);
  }
}

TEST_CASE("§19 a Node that has changed since its watch told of it gets its labels, and nobody is told",
          "[label_sync]") {
  LabelSite site;
  site.runsOn("node-1");
  site.workload.holdNews();
  site.workload.patch<kube::Node>({"", "node-1"}, R"({"metadata":{"labels":{"rack.example.com/x":"1"}}})");
  site.label(R"({"rack.example.com/row":"8"})");
  site.settle(2min);
  CHECK(site.synced() == Labels{{"rack.example.com/row", "7"}, {"rack.example.com/x", "1"}});
  CHECK(site.workload.writes.size() <= 20);
  site.workload.letNewsGo();
  site.settle();
  CHECK(site.synced() == Labels{{"rack.example.com/row", "8"}});
  CHECK(site.told("LabelsRefused") == 0);
}

}  // namespace ingot::tests
