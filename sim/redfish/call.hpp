// One request on its way to a resource, and the resources themselves.
#pragma once

#include "base/runtime.hpp"
#include "net/server.hpp"
#include "sim/machine/machine.hpp"
#include "sim/redfish/personality.hpp"
#include "sim/redfish/reply.hpp"
#include "sim/redfish/state.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ingot::sim::redfish {

struct Call {
  const base::Runtime& runtime;
  Machine& machine;
  State& state;
  const Traits& traits;
  std::string_view path;              // of the plain service, as all paths behind the edge
  std::vector<std::string_view> ids;  // what the {} of the route matched
  const json::Value& body;            // an object; empty when none was sent
  bool hasBody = false;
  const Account* user = nullptr;         // who asks; nullptr where everybody may
  std::string action = {}, detail = {};  // set by what changes something: action and detail of the journal's entry
};

using Handler = Reply (*)(Call&);

// `pattern` is a path whose {} match one segment each. `needs`: what the account of the client must be allowed; `none`:
// everybody may, without an account.
struct Route {
  std::string_view method, pattern;
  Handler handler;
  Privilege needs = method == "GET" ? Privilege::login : Privilege::configureComponents;
};

[[nodiscard]] std::span<const Route> routes();

// Paths of the one system, manager and chassis that each BMC has.
constexpr std::string_view rootPath = "/redfish/v1";
constexpr std::string_view systemPath = "/redfish/v1/Systems/1";
constexpr std::string_view managerPath = "/redfish/v1/Managers/1";
constexpr std::string_view chassisPath = "/redfish/v1/Chassis/1";

constexpr std::string_view logServicesPath = "/redfish/v1/Systems/1/LogServices";
constexpr std::string_view virtualMediaPath = "/redfish/v1/Managers/1/VirtualMedia";
constexpr std::string_view bootSettingsPath = "/redfish/v1/Systems/1/Settings";

[[nodiscard]] json::Object bootOf(const Call& call);            // Boot of the system
[[nodiscard]] json::Object resetActions(const Traits& traits);  // its Actions
[[nodiscard]] json::Array pcieDevices();                        // its PCIeDevices
[[nodiscard]] std::string accountPath(const Account& account);
[[nodiscard]] json::Object passwordChangeRequired(const Account& account);  // a message of the Base registry
[[nodiscard]] std::string taskPath(const TaskRecord& task);
[[nodiscard]] Reply acceptedTask(const TaskRecord& task, base::MonoTime now);  // 202 and where it is followed

namespace resources {
Reply versions(Call&);
Reply root(Call&);
Reply odataService(Call&);
Reply odataMetadata(Call&);
Reply registries(Call&);

Reply systems(Call&);
Reply system(Call&);
Reply patchSystem(Call&);
Reply resetSystem(Call&);
Reply resetInfo(Call&);
Reply cycleInputPower(Call&);
Reply bootOptions(Call&);
Reply bootOption(Call&);
Reply removeBootOption(Call&);
Reply bootSettings(Call&);
Reply patchBootSettings(Call&);
Reply processors(Call&);
Reply processor(Call&);
Reply memories(Call&);
Reply memory(Call&);
Reply ethernetInterfaces(Call&);
Reply ethernetInterface(Call&);

Reply logServices(Call&);
Reply eventLog(Call&);
Reply logEntries(Call&);
Reply logEntry(Call&);
Reply clearLog(Call&);

Reply eventService(Call&);
Reply eventStream(Call&);
Reply subscriptions(Call&);
Reply subscription(Call&);
Reply subscribe(Call&);
Reply unsubscribe(Call&);

Reply bios(Call&);
Reply biosSettings(Call&);
Reply patchBiosSettings(Call&);
Reply resetBios(Call&);

Reply storages(Call&);
Reply storage(Call&);
Reply drive(Call&);
Reply secureErase(Call&);
Reply volumes(Call&);

Reply managers(Call&);
Reply manager(Call&);
Reply virtualMedia(Call&);
Reply mediaSlot(Call&);
Reply patchMediaSlot(Call&);
Reply insertMedia(Call&);
Reply ejectMedia(Call&);
Reply importProfile(Call&);

Reply chassisCollection(Call&);
Reply chassis(Call&);
Reply thermal(Call&);
Reply power(Call&);
Reply thermalSubsystem(Call&);
Reply fanCollection(Call&);
Reply fan(Call&);
Reply leakDetection(Call&);
Reply leakDetectors(Call&);
Reply leakDetector(Call&);
Reply powerSubsystem(Call&);
Reply supplyCollection(Call&);
Reply supply(Call&);
Reply networkAdapters(Call&);
Reply networkAdapter(Call&);
Reply networkFunctions(Call&);
Reply networkFunction(Call&);
Reply networkPorts(Call&);
Reply networkPort(Call&);
Reply pcieDevice(Call&);
Reply pcieFunctions(Call&);
Reply pcieFunction(Call&);
Reply sensors(Call&);
Reply sensor(Call&);

Reply accountService(Call&);
Reply accounts(Call&);
Reply account(Call&);
Reply createAccount(Call&);
Reply patchAccount(Call&);
Reply deleteAccount(Call&);
Reply roleCollection(Call&);
Reply role(Call&);

Reply sessionService(Call&);
Reply sessions(Call&);
Reply session(Call&);
Reply openSession(Call&);
Reply closeSession(Call&);

Reply taskService(Call&);
Reply tasks(Call&);
Reply task(Call&);
Reply taskMonitor(Call&);
Reply updateService(Call&);
Reply simpleUpdate(Call&);
Reply firmwareInventory(Call&);
Reply firmware(Call&);
}  // namespace resources

}  // namespace ingot::sim::redfish
