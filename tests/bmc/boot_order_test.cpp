// spec/bmc.md §7.6: which entries operating systems have left, and where they go.
#include "bmc/redfish/boot_order.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc::redfish;

namespace {

BootOption option(const std::string& reference, const std::string& path, bool takesDelete = true) {
  return {.path = "/o/" + reference, .reference = reference, .devicePath = path, .takesDelete = takesDelete};
}

const std::string shim = R"(HD(1,GPT,5B2FA57E,0x800,0x100000)/\EFI\ubuntu\shimx64.efi)";
const std::string disk = "PciRoot(0x0)/Pci(0x1,0x0)/NVMe(0x1,01-00)";
const std::string network = "PciRoot(0x0)/Pci(0x2,0x0)/MAC(020000000001,0x1)/IPv4(0.0.0.0)";

}  // namespace

TEST_CASE("a loader on a partition was left by an operating system; whole devices are the firmware's") {
  CHECK(isLeftBySystem(option("1", shim)));
  CHECK(isLeftBySystem(option("1", R"(hd(2,gpt,x)/file(\efi\redhat\grubx64.EFI))")));
  CHECK_FALSE(isLeftBySystem(option("1", disk)));
  CHECK_FALSE(isLeftBySystem(option("1", network)));
  CHECK_FALSE(isLeftBySystem(option("1", R"(Fibre(0x1,0x2)/HD(1,GPT,x)/\EFI\redhat\shimx64.efi)")));
  CHECK_FALSE(isLeftBySystem(option("1", R"(iSCSI(iqn.x)/HD(1,GPT,x)/\EFI\redhat\shimx64.efi)")));
  CHECK_FALSE(isLeftBySystem(option("1", "")));
  CHECK_FALSE(isLeftBySystem(option("1", R"(FvVol(x)/FvFile(UefiShell.efi))")));
}

TEST_CASE("what can be removed is, and the order of the rest stays") {
  const auto plan = planBootOrder({"A", "B", "C"}, {option("A", shim), option("B", disk), option("C", network)});
  REQUIRE(plan.remove.size() == 1);
  CHECK(plan.remove[0].reference == "A");
  CHECK(plan.order == std::vector<std::string>{"B", "C"});
  CHECK_FALSE(plan.changesOrder);
}

TEST_CASE("what cannot be removed comes last") {
  const auto plan = planBootOrder({"A", "B", "D", "C"}, {option("A", shim, false), option("B", disk),
                                                         option("C", network), option("D", shim, true)});
  CHECK(plan.remove.size() == 1);
  CHECK(plan.order == std::vector<std::string>{"B", "C", "A"});
  CHECK(plan.changesOrder);
  const auto again = planBootOrder(plan.order, {option("A", shim, false), option("B", disk), option("C", network)});
  CHECK_FALSE(again.changesOrder);
}

TEST_CASE("a reference without an option stays where it is, and an option that is in no order is removed too") {
  const auto plan = planBootOrder({"X", "B"}, {option("B", disk), option("Z", shim)});
  CHECK(plan.order == std::vector<std::string>{"X", "B"});
  REQUIRE(plan.remove.size() == 1);
  CHECK(plan.remove[0].reference == "Z");
}
