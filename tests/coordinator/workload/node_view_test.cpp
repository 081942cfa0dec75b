// The indexes of a workload cluster's Nodes.
#include "coordinator/workload/node_view.hpp"
#include "tests/coordinator/workload/builders.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

namespace ingot::tests {
namespace {

using coordinator::workload::NodeView;

void put(NodeView& view, kube::Node node) {
  node.metadata.uid = "uid of " + node.metadata.name;
  view.put(std::make_shared<const kube::Node>(std::move(node)));
}

std::string namesIn(const NodeView::Found& found) {
  std::string out;
  for (const auto& node : found) out += (out.empty() ? "" : " ") + node->metadata.name;
  return out;
}

}  // namespace

TEST_CASE("a Node is found by its providerID, its uid label and its host name") {
  NodeView view;
  put(view, nodeNamed("n1", "metal3://metal/h1/m1"));
  put(view, labelled(nodeNamed("n2"), "metal3.io/uuid", "u2"));
  put(view, labelled(nodeNamed("n3"), "kubernetes.io/hostname", "host3"));
  put(view, labelled(nodeNamed("n4"), "kubernetes.io/hostname", "host4"));

  CHECK(namesIn(view.byProviderId("metal3://metal/h1/m1")) == "n1");
  CHECK(namesIn(view.byProviderId("metal3://metal/h1")).empty());
  CHECK(namesIn(view.byProviderId("")).empty());
  CHECK(namesIn(view.byUuidLabel("u2")) == "n2");
  CHECK(namesIn(view.byHostnames({"host4", "host3", "host5"})) == "n3 n4");
  CHECK(view.size() == 4);
}

TEST_CASE("all Nodes with one providerID are found, and all of one host by its prefix") {
  NodeView view;
  put(view, nodeNamed("b", "metal3://metal/h1/m1"));
  put(view, nodeNamed("a", "metal3://metal/h1/m1"));
  put(view, nodeNamed("old", "metal3://metal/h1/m0"));
  put(view, nodeNamed("other", "metal3://metal/h10/m1"));

  CHECK(namesIn(view.byProviderId("metal3://metal/h1/m1")) == "a b");
  CHECK(namesIn(view.byProviderIdPrefix("metal3://metal/h1/")) == "old a b");
}

TEST_CASE("of the Nodes that a cluster gives one label a few are looked at, and all counted") {
  NodeView view;
  for (int i = 0; i < 10'000; ++i) {
    const std::string name = fmt::format("n{:04}", i);
    const auto node = labelled(nodeNamed(name, "metal3://metal/h1/m1"), "kubernetes.io/hostname", "host");
    put(view, labelled(node, "metal3.io/uuid", "u1"));
  }
  const auto shown = [](const NodeView::Found& found) { return std::distance(found.begin(), found.end()); };
  for (const auto& found :
       {view.byProviderId("metal3://metal/h1/m1"), view.byUuidLabel("u1"), view.byHostnames({"host", "other"})}) {
    CHECK(found.size() == 10'000);
    CHECK(shown(found) == 10);
    CHECK(found.front()->metadata.name == "n0000");
  }
  CHECK(shown(view.byProviderIdPrefix("metal3://metal/h1/")) == 10);
  CHECK(view.byProviderIdPrefix("metal3://metal/h1/").size() == 10);  // no more are looked at
}

TEST_CASE("a Node that changes leaves the lists that it was in") {
  NodeView view;
  put(view, labelled(nodeNamed("n", "metal3://metal/h1/m1"), "metal3.io/uuid", "u1"));
  put(view, labelled(nodeNamed("n", "metal3://metal/h1/m2"), "metal3.io/uuid", "u2"));

  CHECK(namesIn(view.byProviderId("metal3://metal/h1/m1")).empty());
  CHECK(namesIn(view.byProviderId("metal3://metal/h1/m2")) == "n");
  CHECK(namesIn(view.byUuidLabel("u1")).empty());
  CHECK(namesIn(view.byUuidLabel("u2")) == "n");

  CHECK(view.drop("n") != nullptr);
  CHECK(namesIn(view.byProviderIdPrefix("metal3://")).empty());
  CHECK(namesIn(view.byUuidLabel("u2")).empty());
  CHECK(view.weight() == 0);
}

TEST_CASE("a Node that cannot be decoded any more shows as it was, and is told of") {
  NodeView view;
  put(view, nodeNamed("n", "metal3://metal/h1/m1"));
  CHECK(view.putUndecoded("n", "uid of n") == nullptr);

  CHECK(namesIn(view.byProviderId("metal3://metal/h1/m1")) == "n");
  CHECK(view.undecoded().contains("n"));

  put(view, nodeNamed("n", "metal3://metal/h1/m1"));
  CHECK(view.undecoded().empty());
}

TEST_CASE("the state of an earlier Node is not shown for one that cannot be decoded") {
  NodeView view;
  put(view, nodeNamed("n", "metal3://metal/h1/m1"));
  CHECK(view.putUndecoded("n", "another uid") != nullptr);

  CHECK(view.byProviderId("metal3://metal/h1/m1").empty());
  CHECK(view.names() == std::vector<std::string>{"n"});
}

}  // namespace ingot::tests
