// How a change of the boot device is put (spec/bmc.md §7).
#include "bmc/redfish/boot_request.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::bmc::redfish;
using bmc::BootDevice;
using bmc::BootMode;
using bmc::Quirks;

namespace {

std::string shown(const json::Object& members) { return json::serializeSorted(members); }

json::Value systemWith(const std::string& boot) { return json::parse(R"({"Boot":{)" + boot + "}}"); }

const std::string fresh =
    R"("BootSourceOverrideTarget":"None","BootSourceOverrideEnabled":"Disabled","BootSourceOverrideMode":"UEFI",)"
    R"("BootSourceOverrideTarget@Redfish.AllowableValues":["None","Pxe","Hdd","Cd","UsbCd"])";

const Quirks ami({.vendor = "ami"}), supermicro({.vendor = "supermicro"}), plain;

}  // namespace

TEST_CASE("our devices have Redfish's names, where the BMC offers them") {
  const auto now = bootStateIn(systemWith(fresh), nullptr);
  CHECK(bootTarget(BootDevice::pxe, now, plain) == "Pxe");
  CHECK(bootTarget(BootDevice::disk, now, plain) == "Hdd");
  CHECK(bootTarget(BootDevice::cdrom, now, plain) == "Cd");
  CHECK_FALSE(bootTarget(BootDevice::bios, now, plain));
  CHECK_FALSE(bootTarget(BootDevice::uefiHttp, now, plain));
  CHECK(bootTarget(BootDevice::bios, bootStateIn(systemWith(""), nullptr), plain) == "BiosSetup");  // it lists nothing
  CHECK(bootTarget(BootDevice::none, bootStateIn(systemWith(fresh), nullptr), plain) == "None");
}

TEST_CASE("a Supermicro's CD drive is UsbCd where it lists one") {
  CHECK(bootTarget(BootDevice::cdrom, bootStateIn(systemWith(fresh), nullptr), supermicro) == "UsbCd");
  const auto old = bootStateIn(systemWith(R"("BootSourceOverrideTarget@Redfish.AllowableValues":["Cd"])"), nullptr);
  CHECK(bootTarget(BootDevice::cdrom, old, supermicro) == "Cd");
}

TEST_CASE("the duration is named only where it changes, the mode not at all") {
  const auto now = bootStateIn(systemWith(fresh), nullptr);
  CHECK(shown(bootChange(now, "Cd", "Once", std::nullopt, plain)) ==
        R"({"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"Cd"})");
  auto once = now;
  once.enabled = "Once";
  CHECK(shown(bootChange(once, "Cd", "Once", std::nullopt, plain)) == R"({"BootSourceOverrideTarget":"Cd"})");
  CHECK(shown(bootChange(once, "None", "Disabled", std::nullopt, plain)) ==
        R"({"BootSourceOverrideEnabled":"Disabled"})");
}

TEST_CASE("AMI wants the whole, Supermicro the duration and the mode that it shows") {
  auto now = bootStateIn(systemWith(fresh), nullptr);
  now.enabled = "Once";
  const std::string whole =
      R"({"BootSourceOverrideEnabled":"Once","BootSourceOverrideMode":"UEFI","BootSourceOverrideTarget":"Cd"})";
  CHECK(shown(bootChange(now, "Cd", "Once", std::nullopt, ami)) == whole);
  CHECK(shown(bootChange(now, "Cd", "Once", std::nullopt, supermicro)) == whole);
  now.mode.clear();  // an X10 refuses it
  CHECK(shown(bootChange(now, "Cd", "Once", std::nullopt, ami)) == whole);
  CHECK(shown(bootChange(now, "Cd", "Once", std::nullopt, supermicro)) ==
        R"({"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"Cd"})");
}

TEST_CASE("an URL of an earlier boot is taken back") {
  const auto now = bootStateIn(systemWith(fresh + R"(,"HttpBootUri":"http://x/y")"), nullptr);
  CHECK(bootChange(now, "Cd", "Once", std::nullopt, plain).at("HttpBootUri").is_null());
  CHECK(bootChange(now, "UefiHttp", "Once", std::nullopt, plain).at("HttpBootUri").is_null());  // ours has none
  CHECK_FALSE(
      bootChange(bootStateIn(systemWith(fresh), nullptr), "Cd", "Once", std::nullopt, plain).contains("HttpBootUri"));
}

TEST_CASE("what the settings object has is written there, and read there where the system shows null") {
  const auto here = systemWith(R"("BootSourceOverrideTarget":null,"BootSourceOverrideEnabled":"Once")");
  const auto there =
      systemWith(R"("BootSourceOverrideTarget":"Pxe","BootSourceOverrideTarget@Redfish.AllowableValues":["Pxe","Cd"])");
  const auto now = bootStateIn(here, there);
  CHECK(now.target == "Pxe");
  CHECK(now.enabled == "Once");
  CHECK(now.targets == std::vector<std::string>{"Pxe", "Cd"});
  const auto writes = splitBoot(bootChange(now, "Cd", "Continuous", std::nullopt, plain), there);
  CHECK(shown(writes.settings) == R"({"BootSourceOverrideTarget":"Cd"})");
  CHECK(shown(writes.system) == R"({"BootSourceOverrideEnabled":"Continuous"})");
}

TEST_CASE("a change of the mode names the rest where the BMC wants all of it") {
  const auto now = bootStateIn(systemWith(fresh), nullptr);
  CHECK(isInMode(now, BootMode::uefi));
  CHECK_FALSE(isInMode(now, BootMode::legacy));
  CHECK(shown(bootModeChange(now, BootMode::legacy, plain)) == R"({"BootSourceOverrideMode":"Legacy"})");
  CHECK(shown(bootModeChange(bootStateIn(systemWith(""), nullptr), BootMode::legacy, ami)) ==
        R"({"BootSourceOverrideEnabled":"Once","BootSourceOverrideMode":"Legacy","BootSourceOverrideTarget":"Pxe"})");
}

TEST_CASE("a mode that was asked for is repeated with the device, though the BMC shows the old one still") {
  const auto now = bootStateIn(systemWith(fresh), nullptr);
  for (const auto& quirks : {ami, supermicro})
    CHECK(bootChange(now, "Cd", "Once", BootMode::legacy, quirks).at("BootSourceOverrideMode") == "Legacy");
  CHECK_FALSE(bootChange(now, "Cd", "Once", BootMode::legacy, plain).contains("BootSourceOverrideMode"));
}

TEST_CASE("a system without boot override has nothing to take back; what waits in its settings object has") {
  CHECK(bootChange(bootStateIn(systemWith(""), nullptr), "None", "Disabled", std::nullopt, plain).empty());
  auto now = bootStateIn(systemWith(fresh), nullptr);
  CHECK(bootChange(now, "None", "Disabled", std::nullopt, plain).empty());
  now = bootStateIn(systemWith(R"("BootSourceOverrideTarget":"Cd","BootSourceOverrideEnabled":"Continuous")"),
                    systemWith(R"("BootSourceOverrideEnabled":"Disabled")"));  // to be taken over at the next boot
  CHECK(bootChange(now, "Cd", "Continuous", std::nullopt, plain).contains("BootSourceOverrideEnabled"));
}
