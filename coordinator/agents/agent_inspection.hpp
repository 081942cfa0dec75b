// Inspection through the agent that serves the host (docs/guide/inspection.md).
#pragma once

#include "api/bmh/hardware_details.hpp"
#include "bmc/model/inventory.hpp"
#include "coordinator/agents/service.hpp"
#include "coordinator/host/out_of_band.hpp"

namespace ingot::coordinator::agents {

class AgentInspection final : public host::OutOfBandInspection {
 public:
  AgentInspection(base::Runtime runtime, AgentService& agents) : runtime_(std::move(runtime)), agents_(agents) {}

  [[nodiscard]] base::Task<std::optional<host::OutOfBandResult>> inspect(const host::PoweredHost& host,
                                                                         host::LifecycleBackend& backend) override;

 private:
  [[nodiscard]] host::OutOfBandResult resultOf(const AskedInventory& asked);

  base::Runtime runtime_;
  AgentService& agents_;
};

// Refused where the protocol that was spoken cannot tell all: it would be taken for a host without disks.
[[nodiscard]] host::OutOfBandResult inspected(const bmc::Inventory& inventory);

// As the backend's inventory becomes HardwareDetails: a network card has an entry for each of its addresses.
[[nodiscard]] api::HardwareDetails hardwareDetails(const bmc::Inventory& inventory);

}  // namespace ingot::coordinator::agents
