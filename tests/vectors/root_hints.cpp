// Root device hints → the property map that Ironic matches disks with (spec/ironic.md §5.8).
#include "coordinator/host/ironic/record.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace {

using namespace ingot;

vectors::Outcome runRootHints(const vectors::Line& line) {
  const auto hints = json::decode<std::optional<api::RootDeviceHints>>(line.in.at("rootDeviceHints"));
  return vectors::compare(line, coordinator::host::ironic_backend::rootDevice(hints), std::nullopt);
}

const vectors::Registration rootHintsRegistration("root_hints", runRootHints);

}  // namespace
