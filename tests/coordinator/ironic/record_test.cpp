// Pure pieces: capabilities, deploy image keys, inventory.
#include "coordinator/host/ironic/record.hpp"
#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/settings.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::host::ironic_backend;

TEST_CASE("the boot mode is put last among the capabilities", "[pure]") {
  CHECK(capabilities({}, "UEFI") == "boot_mode:uefi");
  CHECK(capabilities({}, "") == "boot_mode:uefi");
  CHECK(capabilities({{"capabilities", "boot_mode:uefi,secure_boot:true,cpu_vt:true"}}, "legacy") ==
        "cpu_vt:true,boot_mode:bios");
  CHECK(capabilities({{"capabilities", 5}}, "UEFISecureBoot") == "boot_mode:uefi,secure_boot:true");
}

TEST_CASE("the four deploy image keys are set together or not at all", "[pure]") {
  ironic::Node node;
  node.driverInfo = {{"deploy_kernel", "http://old"}, {"deploy_ramdisk", "http://old"}};
  const auto patched = [&](const Settings& settings, bool iso) {
    ironic::NodePatch patch(node);
    setDeployImage(patch, settings, iso);
    return patch.operations().size();
  };
  CHECK(patched({}, true) == 0);
  CHECK(patched({.deployIsoUrl = "http://iso"}, true) == 3);  // iso in, kernel and ramdisk out
  CHECK(patched({.deployIsoUrl = "http://iso"}, false) == 0);
  CHECK(patched({.deployKernelUrl = "http://k", .deployRamdiskUrl = "http://r"}, false) == 2);
}

TEST_CASE("only keys of ours that are no secrets tell whether a BMC's address changed", "[pure]") {
  const json::Object wanted{{"redfish_address", "https://h"}, {"redfish_password", "new"}};
  CHECK_FALSE(
      accessDiffers(wanted, {{"redfish_address", "https://h"}, {"redfish_password", "******"}, {"deploy_iso", "x"}}));
  CHECK(accessDiffers(wanted, {{"redfish_address", "https://other"}}));
  CHECK(accessDiffers(wanted, {{"redfish_address", "https://h"}, {"redfish_verify_ca", false}}));
}

TEST_CASE("an IPv6 BMC fetches images from the IPv6 address", "[pure]") {
  const Settings settings{.externalUrlV6 = "http://[fd00::1]:6180"};
  json::Object v6, v4;
  addExternalUrl(v6, bmc::parseAddress("redfish://[fd00::2]/x"), settings);
  addExternalUrl(v4, bmc::parseAddress("redfish://10.0.0.1/x"), settings);
  CHECK(json::textAt(v6, {"external_http_url"}) == "http://[fd00::1]:6180");
  CHECK(v4.empty());
}

TEST_CASE("what inspection stored becomes hardware details", "[pure]") {
  const ironic::Inventory inventory{.inventory = json::parse(R"({
        "hostname": "n1", "memory": {"physical_mb": 2048},
        "system_vendor": {"manufacturer": "ACME", "product_name": "R1", "serial_number": "S",
                          "firmware": {"vendor": "V", "version": "1.2", "build_date": "2020"}},
        "cpu": {"architecture": "x86_64", "model_name": "M", "frequency": "2099.9980", "count": 4, "flags": ["sse", "aes"]},
        "disks": [{"name": "/dev/sda", "by_path": "/dev/disk/by-path/p1", "size": 10, "rotational": true, "serial": "d"},
                  {"name": "/dev/nvme0n1", "size": null}],
        "interfaces": [{"name": "eth0", "mac_address": "02:00:00:00:00:01", "ipv4_address": "10.0.0.5",
                        "ipv6_address": "fd00::5", "vendor": "0x8086", "product": "0x1572", "speed_mbps": 25000},
                       {"name": "eth1", "mac_address": "02:00:00:00:00:02", "lldp": null, "speed_mbps": 100}]})")
                                                     .get_object(),
                                    .pluginData = json::parse(R"({"all_interfaces": {"eth0": {"pxe_enabled": true}},
        "parsed_lldp": {"eth0": {"switch_chassis_id": "c", "switch_port_id": "p",
                                 "switch_port_vlans": [{"id": 10, "name": "v"}, {"id": "x"}],
                                 "switch_port_untagged_vlan_id": 7}}})")
                                                      .get_object()};
  const api::HardwareDetails found = hardwareDetails(inventory);
  CHECK(found.cpu.clockMegahertz == 2100);
  CHECK(found.cpu.flags == std::vector<std::string>{"aes", "sse"});
  REQUIRE(found.storage.size() == 2);
  CHECK(found.storage[0].name == "/dev/disk/by-path/p1");
  CHECK(found.storage[0].type == "HDD");
  CHECK(found.storage[0].alternateNames == std::vector<std::string>{"/dev/sda", "/dev/disk/by-path/p1"});
  CHECK(found.storage[1].type == "NVME");
  REQUIRE(found.nics.size() == 3);
  CHECK(found.nics[0].ip == "10.0.0.5");
  CHECK(found.nics[1].ip == "fd00::5");
  CHECK(found.nics[0].model == "0x8086 0x1572");
  CHECK(found.nics[0].speedGbps == 25);
  CHECK(found.nics[0].pxe);
  CHECK(found.nics[0].lldp->switchID == "c");
  CHECK(found.nics[0].vlans.size() == 2);
  CHECK(found.nics[0].vlanId == 7);
  CHECK(found.nics[2].ip.empty());
  CHECK(found.nics[2].speedGbps == 0);
}

TEST_CASE("an inventory out of band may hold little, and numbers for texts", "[pure]") {
  const ironic::Inventory sparse{.inventory = json::parse(R"({"cpu": {"frequency": 2400, "count": 2},
      "disks": [{"name": "Disk 1", "size": null}], "interfaces": null})")
                                                  .get_object()};
  const api::HardwareDetails found = hardwareDetails(sparse);
  CHECK(found.cpu.clockMegahertz == 2400);
  CHECK(found.storage[0].type == "SSD");
  CHECK(found.nics.empty());
}

TEST_CASE("provisioning settings come from the environment and are checked", "[pure]") {
  const auto with = [](std::string_view name, std::string value) {
    return [name, value](std::string_view asked) { return asked == name ? std::optional(value) : std::nullopt; };
  };
  CHECK(settingsFrom([](std::string_view) { return std::nullopt; }).provisioningLimit == 20);
  CHECK(settingsFrom(with("PROVISIONING_LIMIT", "3")).provisioningLimit == 3);
  CHECK_THROWS_AS(settingsFrom(with("PROVISIONING_LIMIT", "many")), base::InvalidInput);
  CHECK_THROWS_AS(settingsFrom(with("LIVE_ISO_FORCE_PERSISTENT_BOOT_DEVICE", "Sometimes")), base::InvalidInput);
  CHECK_THROWS_WITH(settingsFrom(with("DEPLOY_KERNEL_URL", "http://k")),
                    Catch::EndsWith("DEPLOY_KERNEL_URL and DEPLOY_RAMDISK_URL can only be set together"));
}
