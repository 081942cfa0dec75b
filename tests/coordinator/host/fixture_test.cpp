// The backend that does everything at once.
#include "coordinator/host/fixture/fixture.hpp"
#include "tests/coordinator/progress.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::hasStarted;
namespace host = coordinator::host;

TEST_CASE("the fixture starts an inspection for every request, and inspects a new host at once", "[host][fixture]") {
  tests::Loop loop;
  host::FixtureFactory factory;
  std::vector<std::string> events;
  const auto machine = loop.run(factory.open(
      {.name = "a", .uid = "1"}, [&](std::string reason, std::string) { events.push_back(std::move(reason)); }));
  const auto starts = [&](bool refresh) {
    return hasStarted(loop.run(machine->inspectHardware({.refresh = refresh})));
  };

  CHECK_FALSE(starts(false));
  CHECK_FALSE(starts(false));
  CHECK(events.size() == 1);
  CHECK(starts(true));  // or the annotation that asks for it would stay, and ask again
  CHECK_FALSE(starts(false));
  CHECK(events.size() == 2);
}
