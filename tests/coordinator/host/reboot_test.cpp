#include "coordinator/host/reboot.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;

TEST_CASE("reboot annotations are read as clients write them", "[host][reboot]") {
  struct Row {
    Annotations annotations;
    bool forcedOnly, wanted;
    RebootMode mode;
  };
  constexpr auto soft = RebootMode::soft;
  constexpr auto hard = RebootMode::hard;
  const Row rows[] = {
      {{}, false, false, soft},
      {{{"reboot.metal3.io", ""}}, false, true, soft},
      {{{"reboot.metal3.io/x", ""}}, false, true, soft},
      {{{"reboot.metal3.iox", ""}}, false, false, soft},
      {{{"reboot.metal3.io", R"({"mode":"hard"})"}}, false, true, hard},
      {{{"reboot.metal3.io", R"({"mode":""})"}}, false, true, soft},
      {{{"reboot.metal3.io/a", R"({"mode":"hard"})"}, {"reboot.metal3.io/b", ""}}, false, true, hard},
      {{{"reboot.metal3.io/a", ""}, {"reboot.metal3.io/b", R"({"mode":"hard"})"}}, false, true, hard},
      {{{"reboot.metal3.io", "{nonsense"}}, false, true, soft},
      {{{"reboot.metal3.io", ""}}, true, false, soft},  // not forced
      {{{"reboot.metal3.io", R"({"force":true})"}}, true, true, soft},
      {{{"reboot.metal3.io", R"({"force":"yes","mode":"hard"})"}}, false, true, hard},  // what is right counts
  };
  for (const Row& row : rows) {
    const RebootRequest request = rebootRequested(row.annotations, row.forcedOnly);
    CHECK(request.wanted == row.wanted);
    CHECK(request.mode == row.mode);
  }
}

TEST_CASE("a value that cannot be read is named", "[host][reboot]") {
  CHECK(rebootRequested({{"reboot.metal3.io/x", "[]"}}, false).unreadable ==
        std::vector<std::string>{"reboot.metal3.io/x"});
  CHECK(rebootForced({{"reboot.metal3.io/x", R"({"force":true})"}}));
  CHECK_FALSE(rebootForced({{"reboot.metal3.io/x", "{nonsense"}}));
}

}  // namespace
}  // namespace ingot::tests
