// The backend that does everything at once.
#include "coordinator/host/fixture/fixture.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
namespace host = coordinator::host;

TEST_CASE("the fixture starts an inspection for every request, and only then", "[host][fixture]") {
  tests::Loop loop;
  host::FixtureFactory factory;
  std::vector<std::string> events;
  const auto machine = loop.run(factory.open(
      {.name = "a", .uid = "1"}, [&](std::string reason, std::string) { events.push_back(std::move(reason)); }));
  const auto starts = [&](bool refresh) {
    return loop.run(machine->inspectHardware({}, false, refresh, false)).started;
  };

  CHECK(starts(false));
  CHECK_FALSE(starts(false));
  CHECK(starts(true));  // or the annotation that asks for it would stay, and ask again
  CHECK_FALSE(starts(false));
  CHECK(events.size() == 2);
}
