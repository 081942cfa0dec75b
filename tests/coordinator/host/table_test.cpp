#include "coordinator/host/table.hpp"

#include "coordinator/host/apply.hpp"
#include "tests/coordinator/host/hosts.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

std::string contentOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST_CASE("every state has a row, a name, and leads somewhere that has a row", "[host][table]") {
  std::set<std::string_view> names;
  for (const Row& row : table()) {
    names.insert(text(row.state));
    CHECK(parseProvisioningState(text(row.state)) == row.state);
    for (const State next : row.mayBecome) CHECK_NOTHROW(rowOf(next));
  }
  CHECK(names.size() == table().size());
  CHECK_FALSE(parseProvisioningState("levitating"));
}

TEST_CASE("a move that the table does not know is refused", "[host][table]") {
  auto host = aHost(State::available).build();
  Journal journal;
  const auto random = base::seededRandom(1);
  CHECK_THROWS_AS(apply(Goto{State::provisioned}, host, journal, {}, *random), std::logic_error);
  CHECK(host.status.provisioning.state == "available");
}

// The picture in the docs is generated: INGOT_UPDATE=1 host_tests '[diagram]' writes it anew.
TEST_CASE("the documented state diagram is the table", "[host][table][diagram]") {
  const std::string path = std::string(INGOT_SOURCE_DIR) + "/docs/host-states.md";
  const std::string wanted =
      "# States of a BareMetalHost\n\nGenerated from `coordinator/host/table.cpp`; `new` is the empty state of an "
      "object that nobody has "
      "looked at yet.\nStates that take a slot of the backend: inspecting, provisioning, "
      "deprovisioning.\n\n```mermaid\n" +
      diagram() + "```\n";
  if (std::getenv("INGOT_UPDATE") != nullptr) std::ofstream(path) << wanted;
  CHECK(contentOf(path) == wanted);
}

}  // namespace
}  // namespace ingot::tests
