#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

using namespace resources;
using enum Privilege;

constexpr Route table[] = {
    {"GET", "/redfish", versions, none},
    {"GET", "/redfish/v1", root, none},
    {"GET", "/redfish/v1/odata", odataService, none},
    {"GET", "/redfish/v1/$metadata", odataMetadata, none},
    {"GET", "/redfish/v1/Registries", registries},

    {"GET", "/redfish/v1/Systems", systems},
    {"GET", "/redfish/v1/Systems/1", system},
    {"PATCH", "/redfish/v1/Systems/1", patchSystem},
    {"POST", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", resetSystem},
    {"GET", "/redfish/v1/Systems/1/ResetActionInfo", resetInfo},
    {"POST", "/redfish/v1/Systems/1/Actions/Oem/{}", cycleInputPower},
    {"POST", "/redfish/v1/Systems/1/Actions/Oem/{}/{}", cycleInputPower},
    {"GET", "/redfish/v1/Systems/1/BootOptions", bootOptions},
    {"GET", "/redfish/v1/Systems/1/BootOptions/{}", bootOption},
    {"DELETE", "/redfish/v1/Systems/1/BootOptions/{}", removeBootOption},
    {"GET", "/redfish/v1/Systems/1/Settings", bootSettings},
    {"PATCH", "/redfish/v1/Systems/1/Settings", patchBootSettings},
    {"GET", "/redfish/v1/Systems/1/Processors", processors},
    {"GET", "/redfish/v1/Systems/1/Processors/{}", processor},
    {"GET", "/redfish/v1/Systems/1/Memory", memories},
    {"GET", "/redfish/v1/Systems/1/Memory/{}", memory},
    {"GET", "/redfish/v1/Systems/1/EthernetInterfaces", ethernetInterfaces},
    {"GET", "/redfish/v1/Systems/1/EthernetInterfaces/{}", ethernetInterface},
    {"GET", "/redfish/v1/Systems/1/LogServices", logServices},
    {"GET", "/redfish/v1/Systems/1/LogServices/SEL", eventLog},
    {"GET", "/redfish/v1/Systems/1/LogServices/SEL/Entries", logEntries},
    {"GET", "/redfish/v1/Systems/1/LogServices/SEL/Entries/{}", logEntry},
    {"POST", "/redfish/v1/Systems/1/LogServices/SEL/Actions/LogService.ClearLog", clearLog, configureManager},
    {"GET", "/redfish/v1/EventService", eventService},
    {"GET", "/redfish/v1/EventService/SSE", eventStream},
    {"GET", "/redfish/v1/EventService/Subscriptions", subscriptions},
    {"POST", "/redfish/v1/EventService/Subscriptions", subscribe, configureManager},
    {"GET", "/redfish/v1/EventService/Subscriptions/{}", subscription},
    {"DELETE", "/redfish/v1/EventService/Subscriptions/{}", unsubscribe, configureManager},
    {"GET", "/redfish/v1/Systems/1/Bios", bios},
    {"GET", "/redfish/v1/Systems/1/Bios/Settings", biosSettings},
    {"PATCH", "/redfish/v1/Systems/1/Bios/Settings", patchBiosSettings},
    {"POST", "/redfish/v1/Systems/1/Bios/Actions/Bios.ResetBios", resetBios},
    {"GET", "/redfish/v1/Systems/1/Storage", storages},
    {"GET", "/redfish/v1/Systems/1/Storage/1", storage},
    {"GET", "/redfish/v1/Systems/1/Storage/1/Drives/{}", drive},
    {"POST", "/redfish/v1/Systems/1/Storage/1/Drives/{}/Actions/Drive.SecureErase", secureErase},
    {"GET", "/redfish/v1/Systems/1/Storage/1/Volumes", volumes},

    {"GET", "/redfish/v1/Managers", managers},
    {"GET", "/redfish/v1/Managers/1", manager},
    {"GET", "/redfish/v1/Managers/1/VirtualMedia", virtualMedia},
    {"GET", "/redfish/v1/Managers/1/VirtualMedia/{}", mediaSlot},
    {"PATCH", "/redfish/v1/Managers/1/VirtualMedia/{}", patchMediaSlot, configureManager},
    {"POST", "/redfish/v1/Managers/1/VirtualMedia/{}/Actions/VirtualMedia.InsertMedia", insertMedia, configureManager},
    {"POST", "/redfish/v1/Managers/1/VirtualMedia/{}/Actions/VirtualMedia.EjectMedia", ejectMedia, configureManager},
    {"POST", "/redfish/v1/Managers/1/Actions/Oem/EID_674_Manager.ImportSystemConfiguration", importProfile,
     configureManager},

    {"GET", "/redfish/v1/Chassis", chassisCollection},
    {"GET", "/redfish/v1/Chassis/1", chassis},
    {"GET", "/redfish/v1/Chassis/1/Thermal", thermal},
    {"GET", "/redfish/v1/Chassis/1/Power", power},
    {"GET", "/redfish/v1/Chassis/1/ThermalSubsystem", thermalSubsystem},
    {"GET", "/redfish/v1/Chassis/1/ThermalSubsystem/Fans", fanCollection},
    {"GET", "/redfish/v1/Chassis/1/ThermalSubsystem/Fans/{}", fan},
    {"GET", "/redfish/v1/Chassis/1/PowerSubsystem", powerSubsystem},
    {"GET", "/redfish/v1/Chassis/1/PowerSubsystem/PowerSupplies", supplyCollection},
    {"GET", "/redfish/v1/Chassis/1/PowerSubsystem/PowerSupplies/{}", supply},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters", networkAdapters},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters/NIC", networkAdapter},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters/NIC/NetworkDeviceFunctions", networkFunctions},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters/NIC/NetworkDeviceFunctions/{}", networkFunction},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters/NIC/Ports", networkPorts},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters/NIC/Ports/{}", networkPort},
    {"GET", "/redfish/v1/Chassis/1/PCIeDevices/{}", pcieDevice},
    {"GET", "/redfish/v1/Chassis/1/PCIeDevices/{}/PCIeFunctions", pcieFunctions},
    {"GET", "/redfish/v1/Chassis/1/PCIeDevices/{}/PCIeFunctions/0", pcieFunction},
    {"GET", "/redfish/v1/Chassis/1/Sensors", sensors},
    {"GET", "/redfish/v1/Chassis/1/Sensors/{}", sensor},

    {"GET", "/redfish/v1/AccountService", accountService},
    {"GET", "/redfish/v1/AccountService/Accounts", accounts},
    {"POST", "/redfish/v1/AccountService/Accounts", createAccount, configureUsers},
    {"POST", "/redfish/v1/AccountService/Accounts/Members", createAccount, configureUsers},
    {"GET", "/redfish/v1/AccountService/Accounts/{}", account},
    {"PATCH", "/redfish/v1/AccountService/Accounts/{}", patchAccount, configureSelf},
    {"DELETE", "/redfish/v1/AccountService/Accounts/{}", deleteAccount, configureUsers},
    {"GET", "/redfish/v1/AccountService/Roles", roleCollection},
    {"GET", "/redfish/v1/AccountService/Roles/{}", role},

    {"GET", "/redfish/v1/SessionService", sessionService},
    {"GET", "/redfish/v1/SessionService/Sessions", sessions},
    {"POST", "/redfish/v1/SessionService/Sessions", openSession, none},
    {"POST", "/redfish/v1/SessionService/Sessions/Members", openSession, none},
    {"GET", "/redfish/v1/SessionService/Sessions/{}", session},
    {"DELETE", "/redfish/v1/SessionService/Sessions/{}", closeSession, configureSelf},

    {"GET", "/redfish/v1/TaskService", taskService},
    {"GET", "/redfish/v1/TaskService/Tasks", tasks},
    {"GET", "/redfish/v1/TaskService/Tasks/{}", task},
    {"GET", "/redfish/v1/TaskService/TaskMonitors/{}", taskMonitor},
    {"GET", "/redfish/v1/UpdateService", updateService},
    {"POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate", simpleUpdate},
    {"GET", "/redfish/v1/UpdateService/FirmwareInventory", firmwareInventory},
    {"GET", "/redfish/v1/UpdateService/FirmwareInventory/{}", firmware},
};

}  // namespace

std::span<const Route> routes() { return table; }

}  // namespace ingot::sim::redfish
