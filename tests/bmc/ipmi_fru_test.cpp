// What a machine is, as its BMC keeps it (spec/bmc.md §15.4).
#include "bmc/ipmi/fru.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::ipmi::Fru;
using bmc::ipmi::parseFru;

namespace {

constexpr auto product = R"( Chassis Type          : Rack Mount Chassis
 Chassis Serial        : C1
 Board Mfg Date        : Mon Jan  1 00:00:00 1996
 Board Mfg             : Board Maker
 Board Product         : X11
 Board Serial          : B1
 Product Manufacturer  : ACME: Servers
 Product Name          : m1
 Product Part Number   : P7
 Product Serial        : S1
 Product Extra         : x
)";

}  // namespace

TEST_CASE("a machine is its product, or else its board", "[ipmi]") {
  const auto [output, fru] = GENERATE(table<std::string, Fru>({
      {product, {"ACME: Servers", "m1", "S1", "P7"}},
      {" Board Mfg             : Board Maker\n Board Product         : X11\n Board Serial          : B1\n",
       {"Board Maker", "X11", "B1", ""}},
      {" Chassis Serial        : C1\n Board Serial          : B1\n", {"", "", "C1", ""}},
      {" Product Manufacturer  : To be filled by O.E.M.\n Board Mfg : Maker\n Product Serial        : 0000000\n",
       {"Maker", "", "", ""}},
      {" Device not present (Requested sensor, data, or record not found)\n", {}},
      {"", {}},
  }));
  CAPTURE(output);
  CHECK(parseFru(output) == fru);
}
