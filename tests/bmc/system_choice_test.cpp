// Which of several systems is the host (spec/bmc.md §4).
#include "bmc/redfish/system_choice.hpp"

#include "bmc/error.hpp"

#include <catch2/catch.hpp>

using namespace ingot::bmc;
using redfish::chooseSystem;
using redfish::System;

namespace {

System host(const std::string& id) {
  System system;
  system.id = id;
  system.odataId = "/redfish/v1/Systems/" + id;
  system.actions.emplace().reset.emplace();
  return system;
}

System bootable(const std::string& id) {
  auto system = host(id);
  system.boot.emplace().target = "None";
  return system;
}

System virtualMachine(const std::string& id) {
  auto system = bootable(id);
  system.systemType = "Virtual";
  return system;
}

bool ambiguous(const std::vector<System>& members) {
  try {
    static_cast<void>(chooseSystem(members));
    return false;
  } catch (const Error& error) {
    return error.code() == Error::Code::ambiguousSystem;
  }
}

}  // namespace

TEST_CASE("a baseboard that is listed alone is not the host: the BMC starts") {
  CHECK_THROWS_WITH(chooseSystem({host("HGX_Baseboard_0")}), Catch::Contains("no system but the baseboard"));
}

TEST_CASE("the only system is taken as it is") { CHECK(chooseSystem({System{.odataId = "/s"}}) == "/s"); }

TEST_CASE("a physical system that can be reset wins, and one that can be booted wins over one that cannot") {
  CHECK(chooseSystem({System{.odataId = "/tray", .id = "tray"}, host("a")}) == "/redfish/v1/Systems/a");
  CHECK(chooseSystem({virtualMachine("vm"), host("a")}) == "/redfish/v1/Systems/a");
  CHECK(chooseSystem({host("tray"), bootable("b")}) == "/redfish/v1/Systems/b");
}

TEST_CASE("among equals the usual names decide, then nobody") {
  CHECK(chooseSystem({bootable("1"), bootable("System_0")}) == "/redfish/v1/Systems/System_0");
  CHECK(ambiguous({bootable("left"), bootable("right")}));
  CHECK(ambiguous({System{.odataId = "/x"}, System{.odataId = "/y"}}));
}

TEST_CASE("a baseboard is known by its name") {
  CHECK(redfish::isBaseboard("/redfish/v1/Systems/HGX_Baseboard_0"));
  CHECK_FALSE(redfish::isBaseboard("/redfish/v1/Systems/System_0"));
}
