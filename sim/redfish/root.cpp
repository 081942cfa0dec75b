#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

Reply versions(Call&) { return ok({{"v1", "/redfish/v1/"}}); }

Reply root(Call& call) {
  auto body = resource("/redfish/v1/", "ServiceRoot.v1_15_0.ServiceRoot", "RootService", "Root Service");
  body["RedfishVersion"] = "1.17.0";
  body["UUID"] = call.machine.spec().uuid;
  body["Vendor"] = call.machine.spec().manufacturer;
  body["Product"] = call.machine.spec().model;
  body["ProtocolFeaturesSupported"] = {
      {"ExpandQuery", {{"ExpandAll", false}, {"Levels", false}, {"Links", false}, {"NoLinks", false}}},
      {"FilterQuery", false},
      {"OnlyMemberQuery", false},
      {"SelectQuery", false}};
  for (const auto* name :
       {"Systems", "Managers", "Chassis", "SessionService", "UpdateService", "EventService", "Registries"})
    body[name] = link(fmt::format("{}/{}", rootPath, name));
  body["Tasks"] = link("/redfish/v1/TaskService");
  body["Links"] = {{"Sessions", link("/redfish/v1/SessionService/Sessions")}};
  return ok(std::move(body));
}

Reply registries(Call& call) {
  return ok(collection(call.path, "MessageRegistryFile", "Registry File Collection", {}));
}

}  // namespace ingot::sim::redfish::resources
