// Names of address objects (spec/ipam.md §12.1).
#include "coordinator/ipam/naming.hpp"
#include "tests/vectors/vector_runner.hpp"

namespace {

using namespace ingot;

vectors::Outcome runIpamNames(const vectors::Line& line) {
  const auto text = [&](std::string_view key) { return json::textAt(line.in, {key}); };
  return vectors::compare(line, json::Value(coordinator::ipam::addressName(text("namePrefix"), text("address"))),
                          std::nullopt);
}

const vectors::Registration ipamNamesRegistration("ipam_names", runIpamNames);

}  // namespace
