#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish {

namespace {

using namespace resources;

constexpr Route table[] = {
    {"GET", "/redfish", versions},
    {"GET", "/redfish/v1", root},
    {"GET", "/redfish/v1/Registries", registries},

    {"GET", "/redfish/v1/Systems", systems},
    {"GET", "/redfish/v1/Systems/1", system},
    {"PATCH", "/redfish/v1/Systems/1", patchSystem},
    {"POST", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", resetSystem},
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
    {"POST", "/redfish/v1/Systems/1/LogServices/SEL/Actions/LogService.ClearLog", clearLog},
    {"GET", "/redfish/v1/EventService", eventService},
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
    {"PATCH", "/redfish/v1/Managers/1/VirtualMedia/{}", patchMediaSlot},
    {"POST", "/redfish/v1/Managers/1/VirtualMedia/{}/Actions/VirtualMedia.InsertMedia", insertMedia},
    {"POST", "/redfish/v1/Managers/1/VirtualMedia/{}/Actions/VirtualMedia.EjectMedia", ejectMedia},

    {"GET", "/redfish/v1/Chassis", chassisCollection},
    {"GET", "/redfish/v1/Chassis/1", chassis},
    {"GET", "/redfish/v1/Chassis/1/Thermal", thermal},
    {"GET", "/redfish/v1/Chassis/1/Power", power},
    {"GET", "/redfish/v1/Chassis/1/NetworkAdapters", networkAdapters},

    {"GET", "/redfish/v1/SessionService", sessionService},
    {"GET", "/redfish/v1/SessionService/Sessions", sessions},
    {"POST", "/redfish/v1/SessionService/Sessions", openSession},
    {"GET", "/redfish/v1/SessionService/Sessions/{}", session},
    {"DELETE", "/redfish/v1/SessionService/Sessions/{}", closeSession},

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
