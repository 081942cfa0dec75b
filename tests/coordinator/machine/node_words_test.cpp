// How much of what a workload cluster says of its Nodes gets into a condition.
#include "coordinator/machine/nodes.hpp"

#include "api/capm3/names.hpp"
#include "coordinator/machine/error.hpp"
#include "tests/coordinator/workload/builders.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using coordinator::machine::matchNode;
using coordinator::machine::Metal3Machine;
using coordinator::workload::NodeView;

Metal3Machine machineOnHost() {
  Metal3Machine machine;
  machine.metadata = {.name = "m1", .namespace_ = "metal"};
  machine.metadata.annotations[std::string(api::capm3::annotation::host)] = "metal/h1";
  return machine;
}

std::string problemWith(const NodeView& nodes, bool cloudProvider = false) {
  const Metal3Machine machine = machineOnHost();
  try {
    static_cast<void>(
        matchNode(nodes, {.machine = machine, .hostUid = "u1", .cloudProvider = cloudProvider, .bootstrapped = true}));
  } catch (const coordinator::machine::MachineError& error) {
    return error.what();
  }
  return "";
}

void put(NodeView& view, kube::Node node) { view.put(std::make_shared<const kube::Node>(std::move(node))); }

}  // namespace

TEST_CASE("of many Nodes a condition names a few", "[machine]") {
  constexpr std::size_t many = 10'000;
  NodeView unread, labels, ids;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string name = fmt::format("n{:05}", i);
    unread.putUndecoded(name, "u");
    put(labels, labelled(nodeNamed(name), "metal3.io/uuid", "u1"));
    put(ids, nodeNamed(name, "metal3://metal/h1/m1"));
  }
  for (const std::string& text : {problemWith(unread), problemWith(labels), problemWith(ids, true)}) {
    INFO(text);
    CHECK(text.size() < 1000);
    CHECK(text.contains("n00000, n00001"));
    CHECK(text.contains(" and 9990 others"));
  }
}

TEST_CASE("of a long providerID a condition shows the beginning", "[machine]") {
  NodeView nodes;
  put(nodes, labelled(nodeNamed("n1", "other://" + std::string(1'000'000, 'x')), "metal3.io/uuid", "u1"));
  const std::string text = problemWith(nodes);
  INFO(text);
  CHECK(text.contains("other://xxx"));
  CHECK(text.size() < 1000);
}

}  // namespace ingot::tests
