// Ironic's records as we read them. null and absent read as empty.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/state.hpp"
#include "json/describe.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::ironic {

// Of what Ironic notes for itself.
struct InternalInfo {
  std::string redfishBootDevice;  // it sets this one again at each of its own power-ons, for a BMC that keeps none

  friend bool operator==(const InternalInfo&, const InternalInfo&) = default;
  static void describe(auto& v) { v.field("redfish_boot_device", &InternalInfo::redfishBootDevice); }
};

struct Node {
  std::string uuid, name, driver;
  json::Enum<State> provisionState, targetProvisionState;
  std::string powerState, targetPowerState;  // "power on" | "power off" | "error" | ""
  bool maintenance = false;
  std::string maintenanceReason, fault;  // fault: empty when a person set maintenance
  std::string health;                    // OK | Warning | Critical | ""; since 1.109
  std::string lastError, reservation;
  std::string instanceUuid;
  std::optional<bool> automatedClean;
  bool disablePowerOff = false;  // since 1.95
  json::Object driverInfo, properties, instanceInfo, extra, networkData;
  json::Object raidConfig, targetRaidConfig;
  json::Object cleanStep, deployStep, serviceStep;
  InternalInfo internalInfo;
  std::string bootInterface, deployInterface, inspectInterface, raidInterface, biosInterface, firmwareInterface;
  std::string managementInterface, powerInterface, vendorInterface;
  std::string provisionUpdatedAt;  // of the last change of provision state or heartbeat
  std::string resourceClass;

  [[nodiscard]] State state() const { return provisionState.valueOr(State::unknown); }
  // nullopt: Ironic does not know.
  [[nodiscard]] std::optional<bool> poweredOn() const;
  // A target is set: Ironic is on its way to another provision state, or gave up half way.
  [[nodiscard]] bool hasTarget() const { return !targetProvisionState.empty(); }

  friend bool operator==(const Node&, const Node&) = default;

  static void describe(auto& v) {
    v.field("uuid", &Node::uuid);
    v.field("name", &Node::name).always();
    v.field("driver", &Node::driver);
    v.field("provision_state", &Node::provisionState);
    v.field("target_provision_state", &Node::targetProvisionState);
    v.field("power_state", &Node::powerState);
    v.field("target_power_state", &Node::targetPowerState);
    v.field("maintenance", &Node::maintenance);
    v.field("maintenance_reason", &Node::maintenanceReason);
    v.field("fault", &Node::fault);
    v.field("health", &Node::health);
    v.field("last_error", &Node::lastError);
    v.field("reservation", &Node::reservation);
    v.field("instance_uuid", &Node::instanceUuid).always();
    v.field("automated_clean", &Node::automatedClean).always();
    v.field("disable_power_off", &Node::disablePowerOff).always();
    v.field("driver_info", &Node::driverInfo);
    v.field("properties", &Node::properties);
    v.field("instance_info", &Node::instanceInfo);
    v.field("extra", &Node::extra);
    v.field("network_data", &Node::networkData).always();
    v.field("raid_config", &Node::raidConfig);
    v.field("target_raid_config", &Node::targetRaidConfig);
    v.field("driver_internal_info", &Node::internalInfo);
    v.field("clean_step", &Node::cleanStep);
    v.field("deploy_step", &Node::deployStep);
    v.field("service_step", &Node::serviceStep);
    v.field("boot_interface", &Node::bootInterface).always();
    v.field("deploy_interface", &Node::deployInterface).always();
    v.field("inspect_interface", &Node::inspectInterface).always();
    v.field("raid_interface", &Node::raidInterface).always();
    v.field("bios_interface", &Node::biosInterface).always();
    v.field("firmware_interface", &Node::firmwareInterface).always();
    v.field("management_interface", &Node::managementInterface).always();
    v.field("power_interface", &Node::powerInterface).always();
    v.field("vendor_interface", &Node::vendorInterface).always();
    v.field("provision_updated_at", &Node::provisionUpdatedAt);
    v.field("resource_class", &Node::resourceClass);
  }
};

// What a node looked like, and when that was true.
struct SeenNode {
  std::shared_ptr<const Node> node;
  base::MonoTime observedAt;
};

struct Port {
  std::string uuid, nodeUuid, address;  // lower-case MAC
  bool pxeEnabled = true;

  static void describe(auto& v) {
    v.field("uuid", &Port::uuid);
    v.field("node_uuid", &Port::nodeUuid).always();
    v.field("address", &Port::address).always();
    v.field("pxe_enabled", &Port::pxeEnabled).always();
  }
};

// GET …/validate: nullopt = not supported by the driver (Ironic says null).
struct Validation {
  struct Interface {
    std::optional<bool> result;
    std::string reason;

    static void describe(auto& v) {
      v.field("result", &Interface::result);
      v.field("reason", &Interface::reason);
    }
  };
  Interface boot, deploy;

  static void describe(auto& v) {
    v.field("boot", &Validation::boot);
    v.field("deploy", &Validation::deploy);
  }
};

// What an inspection left behind, as Ironic stores it.
struct Inventory {
  json::Object inventory, pluginData;
};

// One entry of a node's history.
struct HistoryEvent {
  std::string createdAt, severity, eventType, event;  // severity: ERROR | INFO

  static void describe(auto& v) {
    v.field("created_at", &HistoryEvent::createdAt);
    v.field("severity", &HistoryEvent::severity);
    v.field("event_type", &HistoryEvent::eventType);
    v.field("event", &HistoryEvent::event);
  }
};

// One step of a clean, deploy or service plan.
struct Step {
  std::string interface, step;
  json::Object args;
  std::optional<int> priority;  // deploy steps only, and there required

  static void describe(auto& v) {
    v.field("interface", &Step::interface).always();
    v.field("step", &Step::step).always();
    v.field("args", &Step::args);
    v.field("priority", &Step::priority);
  }
};

}  // namespace ingot::ironic
