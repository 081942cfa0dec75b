// The FRU that a simulated BMC keeps; ipmitool reads it in tests/integration.
#include "sim/ipmi/fru.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace ingot;

TEST_CASE("a FRU is blocks of eight bytes, and each of its areas adds up to nothing") {
  sim::MachineSpec spec;
  spec.manufacturer = GENERATE("ACME", "Ingot", "");
  spec.model = std::string(100, 'm');
  spec.serial = "SIM000001";
  const auto fru = sim::ipmi::fruData(spec);
  REQUIRE(fru.size() % 8 == 0);
  CHECK(std::accumulate(fru.begin(), fru.begin() + 8, 0u) % 256 == 0);
  CHECK(std::accumulate(fru.begin() + 8, fru.end(), 0u) % 256 == 0);
  CHECK(fru[4] == 1);                     // the product's area is the second block …
  CHECK(fru[9] == (fru.size() - 8) / 8);  // … and all that follow
  CHECK(fru[11] == (spec.manufacturer.empty() ? 0 : 0xc0 + spec.manufacturer.size()));
  const std::string text(fru.begin(), fru.end());
  CHECK(text.find(spec.manufacturer + "\xff" + std::string(63, 'm') + std::string(2, '\0') + "\xc9SIM000001") !=
        std::string::npos);
}
