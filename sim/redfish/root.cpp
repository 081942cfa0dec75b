#include "sim/redfish/call.hpp"

namespace ingot::sim::redfish::resources {

namespace {

constexpr std::string_view children[] = {"Systems",        "Managers",      "Chassis",      "AccountService",
                                         "SessionService", "UpdateService", "EventService", "Registries"};

// The entity container alone: what else a service uses is not referenced.
constexpr std::string_view metadataDocument = R"(<?xml version="1.0" encoding="UTF-8"?>
<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
  <edmx:Reference Uri="http://redfish.dmtf.org/schemas/v1/ServiceRoot_v1.xml">
    <edmx:Include Namespace="ServiceRoot"/>
    <edmx:Include Namespace="ServiceRoot.v1_15_0"/>
  </edmx:Reference>
  <edmx:DataServices>
    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Service">
      <EntityContainer Name="Service" Extends="ServiceRoot.v1_15_0.ServiceContainer"/>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
)";

}  // namespace

Reply versions(Call&) { return ok({{"v1", "/redfish/v1/"}}); }

Reply root(Call& call) {
  auto body = resource("/redfish/v1/", "ServiceRoot.v1_15_0.ServiceRoot", "RootService", "Root Service");
  body["RedfishVersion"] = "1.17.0";
  body["UUID"] = call.machine.spec().uuid;
  if (!call.traits.has(Habit::namesNoVendor)) body["Vendor"] = call.machine.spec().manufacturer;
  if (!call.traits.oem.empty()) body["Oem"] = {{call.traits.oem, json::Object{}}};
  const bool expands = call.traits.has(Habit::expandsCollections);
  body["Product"] = call.machine.spec().model;
  body["ProtocolFeaturesSupported"] = {
      {"ExpandQuery", {{"ExpandAll", false}, {"Levels", expands}, {"Links", false}, {"NoLinks", expands}}},
      {"FilterQuery", false},
      {"OnlyMemberQuery", false},
      {"SelectQuery", false}};
  for (const auto& name : children) body[name] = link(fmt::format("{}/{}", rootPath, name));
  body["Tasks"] = link("/redfish/v1/TaskService");
  body["Links"] = {{"Sessions", link("/redfish/v1/SessionService/Sessions")}};
  return ok(std::move(body));
}

Reply odataService(Call&) {
  json::Array all{{{"name", "Service"}, {"kind", "Singleton"}, {"url", "/redfish/v1/"}}};
  for (const auto& name : children)
    all.push_back({{"name", name}, {"kind", "Singleton"}, {"url", fmt::format("{}/{}", rootPath, name)}});
  return ok({{"@odata.context", "/redfish/v1/$metadata"}, {"value", std::move(all)}});
}

Reply odataMetadata(Call&) { return {.xml = std::string(metadataDocument)}; }

Reply registries(Call& call) {
  return ok(collection(call.path, "MessageRegistryFile", "Registry File Collection", {}));
}

}  // namespace ingot::sim::redfish::resources
